/** Speech that a service writes down: what is sent to it and when, and what its answers are made of. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { proposalOf } from "../../binary/serve-process.ts";
import { component } from "../../components/component.ts";
import { decoderOf, OGG, openSpeechHost as open, SECOND } from "./speech-host.ts";
import { openSpeechService, recognise } from "./speech-service.ts";

const real = component("pocketsphinx_continuous", "ffmpeg");
const SPEECH = "/usr/share/pocketsphinx/test/data/goforward.raw";
describe.skipIf(process.platform !== "linux")("a service that writes down speech", () => {
  test.skipIf(real.isMissing)(`sound is decoded, sent and written down with its times${real.note}`, async () => {
    await using service = openSpeechService(recognise);
    await using host = await open({ service, transcribe: { key: "SPEECH_KEY" }, decode: { program: "ffmpeg" } });
    const made = Bun.spawnSync(
      [
        "ffmpeg",
        "-v",
        "error",
        "-f",
        "s16le",
        "-ar",
        "16000",
        "-ac",
        "1",
        "-i",
        SPEECH,
        join(host.place.root, "a.ogg"),
      ],
      { stdin: "ignore" },
    );
    expect(made.exitCode).toBe(0);
    const { data, blocks } = await host.call("audio_transcribe", { path: "a.ogg", language: "en" });
    expect(data).toMatchObject({
      text: "go forward ten meters",
      segments: [{ start: 0.25, end: 2, text: "go forward ten meters" }],
    });
    expect(blocks[0]?.text).toContain(`written down by ${service.host}`);
    expect(service.heard).toHaveLength(1);
    const { bytes = Buffer.alloc(0), type, ...came } = service.heard[0] ?? {};
    expect(came).toEqual({
      authorization: "Bearer sesame",
      model: "whisper-1",
      format: "verbose_json",
      language: "en",
      name: "speech.wav",
    });
    expect(type).toEndWith("wav");
    expect(bytes.subarray(0, 4).toString()).toBe("RIFF");
    // The samples, and a header before them.
    expect(bytes.length).toBeGreaterThan(readFileSync(SPEECH).length);
  });

  test("without a decoder the file goes as it is, under the name of what its bytes are", async () => {
    await using service = openSpeechService(() => ({ text: "words" }));
    await using host = await open({ service });
    host.write("a.ogg", OGG);
    expect((await host.call("audio_transcribe", { path: "a.ogg" })).data).toEqual({ text: "words" });
    const sent = { data: Buffer.from(OGG).toString("base64"), mime_type: "audio/ogg" };
    expect((await host.call("audio_transcribe", sent)).data).toEqual({ text: "words" });
    const came = {
      name: "speech.ogg",
      type: "audio/ogg",
      bytes: Buffer.from(OGG),
      authorization: null,
      language: null,
    };
    expect(service.heard).toEqual([came, came].map((one) => expect.objectContaining(one) as never));
  });

  test("long sound goes in pieces of two minutes, and times are those of the whole", async () => {
    await using service = openSpeechService((_heard, count) => ({
      text: `part ${count}`,
      segments: [{ start: 1, end: 2, text: `part ${count}` }],
    }));
    await using host = await open({ service, decode: decoderOf(310) });
    host.write("long.ogg", OGG);
    const { data } = await host.call("audio_transcribe", { path: "long.ogg", start: 20 });
    expect(data).toEqual({
      text: "part 1\npart 2\npart 3",
      segments: [
        { start: 21, end: 22, text: "part 1" },
        { start: 141, end: 142, text: "part 2" },
        { start: 261, end: 262, text: "part 3" },
      ],
      seconds: 290,
    });
    expect(service.heard.map(({ bytes }) => bytes.length / SECOND)).toEqual([120, 120, 50]);
  });

  test("a part is sent as that part, and silence at the end is no piece", async () => {
    await using service = openSpeechService(() => ({ text: "words" }));
    await using host = await open({ service, decode: decoderOf(240) });
    host.write("long.ogg", OGG);
    expect((await host.call("audio_transcribe", { path: "long.ogg", start: 60, duration: 30 })).data).toMatchObject({
      seconds: 30,
    });
    expect((await host.call("audio_transcribe", { path: "long.ogg" })).data).toMatchObject({ seconds: 240 });
    expect(service.heard.map(({ bytes }) => bytes.length / SECOND)).toEqual([30, 120, 120]);
  });

  test("a start past the end of the sound is refused, and nothing is sent", async () => {
    await using service = openSpeechService(() => ({ text: "words" }));
    await using host = await open({ service, decode: decoderOf(20) });
    host.write("short.ogg", OGG);
    const { text } = await host.call("audio_transcribe", { path: "short.ogg", start: 50 });
    expect(text).toContain("the sound ends before it");
    expect(service.heard).toEqual([]);
  });

  test("sound of more than two hours is written down as far as one call goes, and the answer says where to go on", async () => {
    await using service = openSpeechService(() => ({ text: "" }));
    await using host = await open({ service, decode: decoderOf(7300) });
    host.write("long.ogg", OGG);
    const { data } = await host.call("audio_transcribe", { path: "long.ogg", start: 60 });
    expect(data).toMatchObject({ seconds: 7200, next: { start: 7260 } });
    expect(service.heard).toHaveLength(60);
  });
});

describe.skipIf(process.platform !== "linux")("what leaves the machine for a service", () => {
  test("a person is shown what would be sent and where, and it is sent once when it is applied", async () => {
    await using service = openSpeechService(() => ({ text: "words" }));
    await using host = await open({ service, more: {} });
    host.write("a.ogg", OGG);
    host.serve.call("ask", "audio_transcribe", { path: "a.ogg" });
    const asked = await host.serve.answer("ask");
    const { id, summary, risk } = proposalOf(asked);
    expect([summary, risk]).toEqual([expect.stringContaining(`Send a.ogg to ${service.host}`), "R4"]);
    const { result: shown } = await host.serve.ask("get", "ringfence/proposals/get", { id });
    for (const line of [`POST ${service.url}`, "model: whisper-1", "file: a.ogg"])
      expect(JSON.stringify(shown)).toContain(line);
    expect(service.heard).toEqual([]);
    const applied = await host.serve.ask("apply", "ringfence/proposals/apply", { id });
    expect(JSON.stringify(applied.result)).toContain("words");
    expect(service.heard).toHaveLength(1);
  });

  test("a person is asked about sound that comes with the call as well", async () => {
    await using service = openSpeechService(() => ({ text: "words" }));
    await using host = await open({ service, more: {} });
    host.serve.call("ask", "audio_transcribe", { data: Buffer.from(OGG).toString("base64"), language: "en" });
    const { id, summary, risk } = proposalOf(await host.serve.answer("ask"));
    expect([summary, risk]).toEqual([expect.stringContaining(`Send sound to ${service.host}`), "R4"]);
    const { result: shown } = await host.serve.ask("get", "ringfence/proposals/get", { id });
    for (const line of ["language: en", "file: 16 bytes that came with the call"])
      expect(JSON.stringify(shown)).toContain(line);
    expect(service.heard).toEqual([]);
  });

  test("a file that was changed since it was shown is not sent", async () => {
    await using service = openSpeechService(() => ({ text: "words" }));
    await using host = await open({ service, more: {} });
    host.write("a.ogg", OGG);
    host.serve.call("ask", "audio_transcribe", { path: "a.ogg" });
    const { id } = proposalOf(await host.serve.answer("ask"));
    host.write("a.ogg", `${OGG} of something else`);
    const applied = await host.serve.ask("apply", "ringfence/proposals/apply", { id });
    expect(JSON.stringify(applied)).toContain("stale");
    expect(service.heard).toEqual([]);
  });

  test("a rule on the address allows it, and one on the file denies it", async () => {
    await using service = openSpeechService(() => ({ text: "words" }));
    const rules = [
      { allow: `audio_transcribe(http://${service.host}/**)` },
      { allow: "audio_transcribe(**)" },
      { deny: "audio_transcribe(private/**)" },
    ];
    await using host = await open({ service, more: { rules } });
    host.write("a.ogg", OGG);
    expect((await host.call("audio_transcribe", { path: "a.ogg" })).data).toEqual({ text: "words" });
    expect((await host.call("audio_transcribe", { path: "private/a.ogg" })).failure?.code).toBe("denied");
    expect(service.heard).toHaveLength(1);
  });

  test("system_info names the service, who reaches it, and nothing of its key", async () => {
    await using service = openSpeechService(() => ({ text: "words" }));
    await using host = await open({ service, transcribe: { key: "SPEECH_KEY" } });
    const { text } = await host.call("system_info", {});
    expect(text).toContain(`sound is sent to whisper-1 at ${service.host}`);
    expect(text).toContain(`reach: pack media: ${service.host}`);
    expect(text).not.toContain("sesame");
  });
});

describe.skipIf(process.platform !== "linux")("a service that does not answer as it should", () => {
  const answers: [string, () => Response | object, string, string][] = [
    [
      "an error with the key in it",
      () => new Response("key sesame is wrong", { status: 401 }),
      "command_failed",
      "status 401",
    ],
    ["that it is too busy", () => new Response("", { status: 429 }), "busy", "status 429"],
    ["that it is too large", () => new Response("", { status: 413 }), "too_large", "status 413"],
    ["more than its bound", () => new Response("x".repeat(5_000_000)), "too_large", "more than"],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/", 307), "command_failed", "status 307"],
  ];
  test.each(answers)("an answer that is %s is a failure that says so", async (_name, say, code, said) => {
    await using service = openSpeechService(say);
    await using host = await open({ service, transcribe: { key: "SPEECH_KEY" } });
    host.write("a.ogg", OGG);
    const { failure, text } = await host.call("audio_transcribe", { path: "a.ogg" });
    expect([failure?.code, text]).toEqual([code, expect.stringContaining(said)]);
    expect(text).not.toContain("sesame");
  });

  test("an answer of any other form is the text, without what would move a cursor", async () => {
    await using service = openSpeechService(() => new Response("plain \u001b[31mwords"));
    await using host = await open({ service, transcribe: { response_format: "text" } });
    host.write("a.ogg", OGG);
    expect(String((await host.call("audio_transcribe", { path: "a.ogg" })).data["text"])).not.toContain("\u001b");
    expect(service.heard[0]?.format).toBe("text");
  });

  test.each([
    ["samples without a header", "a.raw", "invalid_input", "no sound of a known format"],
    ["a text", "notes.txt", "invalid_input", "no sound"],
    ["a file of more than 25 MB", "large.ogg", "too_large", "are more than 25000000"],
  ])("nothing is sent of %s", async (_name, path, code, said) => {
    await using service = openSpeechService(() => ({ text: "never" }));
    await using host = await open({ service });
    host.write("a.raw", Buffer.from([0, 255, 1, 254, 0, 0, 200]));
    host.write("notes.txt", "plain words\n");
    host.write("large.ogg", Buffer.concat([Buffer.from(OGG), Buffer.alloc(25_000_000)]));
    const { failure, text } = await host.call("audio_transcribe", { path });
    expect([failure?.code, text]).toEqual([code, expect.stringContaining(said)]);
    expect(service.heard).toEqual([]);
  });

  test("a decoder that cuts nothing is noticed before anything is sent", async () => {
    await using service = openSpeechService(() => ({ text: "never" }));
    const decode = { program: "/bin/sh", args: ["-c", `truncate -s ${1000 * SECOND} "$1"`, "sh", "{out}"] };
    await using host = await open({ service, decode });
    host.write("a.ogg", OGG);
    expect((await host.call("audio_transcribe", { path: "a.ogg" })).failure?.code).toBe("too_large");
    expect(service.heard).toEqual([]);
  });
});
