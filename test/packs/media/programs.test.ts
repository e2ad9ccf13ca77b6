/**
 * Text in pictures and speech, read by real programs of this machine behind the fence of a filter: they get one file and reach
 * nothing else.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasLandlock } from "../../binary/has-landlock.ts";
import { component } from "../../components/component.ts";
import { makePng } from "../../pictures/make-pictures.ts";
import { openMediaHost } from "./media-host.ts";

const tesseract = component("tesseract", "chromium-headless-shell");
const pocketsphinx = component("pocketsphinx_continuous");
const decoded = component("pocketsphinx_continuous", "ffmpeg");
const SPEECH = "/usr/share/pocketsphinx/test/data/goforward.raw";
const SAID = "go forward ten meters";

/** A program that says what it can reach of what it was not given. */
const shell = (line: string): object => ({ program: "/bin/sh", args: ["-c", line, "sh", "{file}"] });

describe("text in a picture", () => {
  test.skipIf(tesseract.isMissing)(`a screenshot of a page is read${tesseract.note}`, async () => {
    await using host = await openMediaHost({ ocr: { program: "tesseract" } });
    const page = join(host.place.path, "page.html");
    writeFileSync(
      page,
      "<body style='font:32px sans-serif'><h1>Quarterly report</h1><p>The harbour crane lifts 42 tonnes.</p>",
    );
    run(
      "chromium-headless-shell",
      "--no-sandbox",
      "--window-size=900,400",
      `--screenshot=${join(host.place.root, "shot.png")}`,
      `file://${page}`,
    );
    const answer = await host.call("image_analyze", { path: "shot.png", ocr: true, language: "eng" });
    expect(answer.data["text"]).toBe("Quarterly report\n\nThe harbour crane lifts 42 tonnes.");
    expect(answer.text).toContain("The text in it (of the picture, not of the user):\nQuarterly report");
  });

  test("the program gets the picture as it was written anew, and nothing of its file", async () => {
    await using host = await openMediaHost({ ocr: shell('od -An -c "$1" | tr -d " \\n"; cat "$1" | wc -c') });
    host.write("a.png", Buffer.concat([makePng(3, 3), Buffer.from("behind the picture")]));
    const { data } = await host.call("image_analyze", { path: "a.png", ocr: true });
    expect(data["text"]).toContain("PNG");
    expect(data["text"]).not.toContain("behindthepicture");
  });

  test("without a program there is no ocr, and system_info says why", async () => {
    await using host = await openMediaHost({});
    expect((await host.call("image_analyze", { path: "a.png", ocr: true })).failure?.code).toBe("invalid_input");
    const { text } = await host.call("system_info", {});
    expect(text).toContain("text in pictures is not read: no program for ocr is configured");
    expect(text).toContain("audio_transcribe is off: no program for transcribe is configured");
  });
});

describe("speech", () => {
  test.skipIf(pocketsphinx.isMissing)(`samples without a header are written down${pocketsphinx.note}`, async () => {
    await using host = await openMediaHost({ transcribe: { program: "pocketsphinx_continuous" } });
    host.write("goforward.raw", readFileSync(SPEECH));
    const { data, text } = await host.call("audio_transcribe", { path: "goforward.raw" });
    expect(data["text"]).toBe(SAID);
    expect(text).toMatch(/^\[0:0\d\.\d - 0:0\d\.\d\] go forward ten meters$/);
  });

  test.skipIf(decoded.isMissing).each([["ogg"], ["mp3"], ["flac"]])(
    `sound as %s is decoded and written down with its times${decoded.note}`,
    async (format) => {
      await using host = await openMediaHost({
        transcribe: { program: "pocketsphinx_continuous" },
        decode: { program: "ffmpeg" },
      });
      const path = join(host.place.root, `speech.${format}`);
      run("ffmpeg", "-v", "error", "-f", "s16le", "-ar", "16000", "-ac", "1", "-i", SPEECH, path);
      const whole = await host.call("audio_transcribe", { path: `speech.${format}` });
      expect(whole.data).toMatchObject({ text: SAID, segments: [{ text: SAID }] });
      expect(Number(whole.data["seconds"])).toBeCloseTo(2.8, 0);
      const sent = {
        data: readFileSync(path).toString("base64"),
        mime_type: `audio/${format === "mp3" ? "mpeg" : format}`,
      };
      expect((await host.call("audio_transcribe", sent)).data).toMatchObject({ text: SAID });
      const part = await host.call("audio_transcribe", { ...sent, start: 1, duration: 1 });
      expect(part.data).toMatchObject({ seconds: 1 });
    },
  );

  test("audio_transcribe takes base64 that is broken into lines", async () => {
    await using host = await openMediaHost({ transcribe: shell("echo '[00:00:00.000 --> 00:00:01.000]  hello'") });
    const sound = Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVEfmt ", "latin1"), Buffer.alloc(500)]);
    const data = sound.toString("base64").replaceAll(/.{76}/g, "$&\r\n");
    const { data: said } = await host.call("audio_transcribe", { data, mime_type: "audio/wav" });
    expect(said).toMatchObject({ text: "hello" });
  });

  test("times are told in the time of the whole sound, whatever form a program gives them", async () => {
    const said = "[00:00:00.500 --> 00:00:02.000]  hello there";
    await using host = await openMediaHost({
      transcribe: shell(`echo '${said}'`),
      decode: { program: "/bin/sh", args: ["-c", 'head -c 64000 /dev/zero > "$1"', "sh", "{out}"] },
    });
    host.write("a.wav", Buffer.from("RIFF\0\0\0\0WAVEfmt ", "latin1"));
    const { data } = await host.call("audio_transcribe", { path: "a.wav", start: 10, duration: 2 });
    expect(data).toMatchObject({
      text: "hello there",
      seconds: 2,
      segments: [{ start: 10.5, end: 12, text: "hello there" }],
    });
  });

  test("a start past the end of the sound is refused, and is no sound without speech", async () => {
    await using host = await openMediaHost({
      transcribe: shell("true"),
      decode: { program: "/bin/sh", args: ["-c", 'head -c 44 /dev/zero > "$1"', "sh", "{out}"] },
    });
    host.write("a.wav", Buffer.from("RIFF\0\0\0\0WAVEfmt ", "latin1"));
    const { failure, text } = await host.call("audio_transcribe", { path: "a.wav", start: 50 });
    expect(failure?.code).toBe("invalid_input");
    expect(text).toContain("Cannot write it down from second 50 on: the sound ends before it. Use a smaller start.");
  });

  test("sound of more than two hours is written down in parts, and the answer says where to go on", async () => {
    await using host = await openMediaHost({
      transcribe: shell("echo words"),
      decode: {
        program: "/bin/sh",
        args: ["-c", 'truncate -s 230400000 "$1"; echo "$2" > out', "sh", "{out}", "{duration}"],
      },
    });
    host.write("long.ogg", "OggS\0\0 and more");
    const { data, blocks } = await host.call("audio_transcribe", { path: "long.ogg" });
    expect(data).toMatchObject({ text: "words", seconds: 7200, next: { start: 7200 } });
    expect(blocks[0]?.text).toContain("to go on, call again with start 7200");
  });

  test.each([
    ["a text", { path: "notes.txt" }, "invalid_input", "it is text/plain, and no sound"],
    ["a sound that is called another", { path: "a.ogg", mime_type: "audio/wav" }, "invalid_input", "it is audio/ogg"],
    ["a part, where nothing decodes", { path: "a.raw", start: 1 }, "invalid_input", "start"],
    ["a file of more than 512 MB", { path: "large.ogg" }, "too_large", "are more than"],
    ["a language that is an option", { path: "a.ogg", language: "--help" }, "invalid_input", "language"],
    ["a file outside of the roots", { path: "../a.ogg" }, "outside_scope", ""],
  ])("audio_transcribe refuses %s", async (_name, given, code, said) => {
    await using host = await openMediaHost({ transcribe: shell("echo never") });
    host.write("notes.txt", "plain words\n");
    host.write("a.ogg", "OggS\0\0");
    host.write("a.raw", Buffer.from([0, 255, 1, 254, 0, 0, 200]));
    run("truncate", "-s", "600000000", join(host.place.root, "large.ogg"));
    run("sh", "-c", `printf OggS | dd of=${join(host.place.root, "large.ogg")} conv=notrunc status=none`);
    const { failure, text } = await host.call("audio_transcribe", given);
    expect([failure?.code, text]).toEqual([code, expect.stringContaining(said)]);
  });

  test("a program that fails is told by its last words", async () => {
    await using host = await openMediaHost({ transcribe: shell("echo 'no model at /models' >&2; exit 3") });
    host.write("a.ogg", "OggS\0\0");
    const { failure, text } = await host.call("audio_transcribe", { path: "a.ogg" });
    expect(failure?.code).toBe("command_failed");
    expect(text).toContain("its program ended with exit code 3: no model at /models");
  });

  test("a key that the pack does not know is named at the start, with the nearest one", async () => {
    await using host = await openMediaHost({ ocr: { program: "/bin/cat", arg: [] } });
    expect(await host.serve.ended()).toBe(2);
    expect(await host.serve.stderr).toContain('packs.media: there is no key "arg" in ocr; did you mean args?');
  });

  test("the arguments of an unknown program have to be given, which is said at the start", async () => {
    await using host = await openMediaHost({ transcribe: { program: "whisper-cli" } });
    expect(await host.serve.ended()).toBe(2);
    expect(await host.serve.stderr).toContain("packs.media.transcribe: the arguments of whisper-cli are not known");
  });
});

describe("the fence of a filter", () => {
  test.skipIf(!hasLandlock())(
    "a filter reaches its one file, and no other of a root, no home and no network",
    async () => {
      const line = [
        'head -c 4 "$1" && echo',
        'cat "${1%/*}/other.txt" 2>&1 | head -c 100',
        'ls "${1%/*}" 2>&1 | head -c 100',
        'echo changed > "$1" || echo "cannot write"',
        "exec 3<>/dev/tcp/127.0.0.1/9 || echo 'no socket'",
      ].join("; ");
      await using host = await openMediaHost({
        transcribe: { program: "/bin/bash", args: ["-c", line, "sh", "{file}"] },
      });
      host.write("other.txt", "not for programs\n");
      host.write("a.ogg", "OggS\0\0");
      const { data } = await host.call("audio_transcribe", { path: "a.ogg" });
      const text = String(data["text"]);
      expect(text).toStartWith("OggS\n");
      expect(text).toContain("Permission denied");
      expect(text).toContain("cannot write");
      expect(text).not.toContain("not for programs");
      expect(text).not.toContain("a.ogg\nother.txt");
      expect(readFileSync(join(host.place.root, "a.ogg"), "latin1")).toBe("OggS\0\0");
    },
  );

  const made: [string, string][] = [
    ["a link to another file", 'ln -s "$2/secret" "$1"'],
    ["a second name of another file", 'ln "$2/secret" "$1"'],
    ["a pipe", 'mkfifo "$1"'],
    ["nothing", "true"],
  ];
  test.skipIf(!hasLandlock()).each(made)(
    "a decoder that leaves %s where its sound should be leads the next program nowhere",
    async (_name, line) => {
      await using host = await openMediaHost(({ path }) => {
        mkdirSync(join(path, "reads"));
        writeFileSync(join(path, "reads", "secret"), "not for programs");
        return {
          decode: {
            program: "/bin/sh",
            args: ["-c", line, "sh", "{out}", join(path, "reads")],
            reads: [join(path, "reads")],
          },
          transcribe: shell('cat "$1"'),
        };
      });
      host.write("a.ogg", "OggS\0\0");
      const { failure, text } = await host.call("audio_transcribe", { path: "a.ogg" });
      expect(failure?.code).toBe("command_failed");
      expect(text).not.toContain("not for programs");
    },
  );

  test.skipIf(!hasLandlock())("a link that leads out of the roots leads to no program either", async () => {
    await using host = await openMediaHost({ transcribe: shell('cat "$1"') });
    mkdirSync(join(host.place.path, "elsewhere"));
    writeFileSync(join(host.place.path, "elsewhere", "a.ogg"), "OggS secret");
    run("ln", "-s", join(host.place.path, "elsewhere", "a.ogg"), join(host.place.root, "a.ogg"));
    expect((await host.call("audio_transcribe", { path: "a.ogg" })).failure?.code).toBe("outside_scope");
  });
});

function run(program: string, ...args: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([program, ...args], { stdin: "ignore" });
  if (exitCode !== 0) throw new Error(`${program}: ${stderr.toString()}`);
}
