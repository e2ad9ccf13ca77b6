/** Speech of which a service has written down a part when a piece of it fails, or the call is cancelled. */
import { expect, test } from "bun:test";
import { Failure } from "../../../src/base/index.ts";
import { transcribeAt } from "../../../src/packs/media/transcribe-at.ts";
import { decoderOf, OGG, openSpeechHost, SECOND } from "./speech-host.ts";
import { type HeardSpeech, openSpeechService } from "./speech-service.ts";

test.skipIf(process.platform !== "linux").each([
  ["without an end", {}, { start: 140 }],
  ["with a duration", { duration: 250.5 }, { start: 140, duration: 130.5 }],
])(
  "a piece that fails leaves what was said before it, and the answer tells where to go on: %s",
  async (_, part, next) => {
    let isBusy = true;
    const say = ({ bytes }: HeardSpeech, at: number): Response | object =>
      at === 2 && isBusy ? new Response("", { status: 503 }) : { text: `${bytes.length / SECOND} seconds` };
    await using service = openSpeechService(say);
    await using host = await openSpeechHost({ service, decode: decoderOf(310) });
    host.write("long.ogg", OGG);
    const half = await host.call("audio_transcribe", { path: "long.ogg", start: 20, ...part });
    expect(half.failure).toBeUndefined();
    expect(half.data).toMatchObject({ text: "120 seconds", seconds: 120, stopped: { code: "busy" }, next });
    const said = half.blocks.map(({ text = "" }) => text).join("\n");
    expect(said).toMatch(/It stopped there: busy: .* status 503\..* To go on, call again with start 140/);
    isBusy = false;
    const rest = await host.call("audio_transcribe", { path: "long.ogg", ...next });
    expect(rest.data["stopped"]).toBeUndefined();
    expect(rest.data["text"]).toStartWith("120 seconds\n");
    expect(Number(rest.data["seconds"])).toBe("duration" in next ? next.duration : 170);
  },
);

test("a call that is cancelled between two pieces fails as cancelled, whatever was said before", async () => {
  let state: "none" | "cancelled" = "none";
  const piece = Buffer.alloc(120 * SECOND).toString("base64");
  const means = {
    cancel: { state: () => state },
    progress: () => {},
    files: {},
    filters: { run: async () => await Promise.resolve({ file: piece }) },
    http: async () => {
      if (state === "cancelled") throw new Failure("cancelled", "Cannot go on: the call was cancelled");
      state = "cancelled";
      return await Promise.resolve({ status: 200, body: Buffer.from('{"text":"words"}') });
    },
  };
  const ask = { source: { data: Buffer.from(OGG).toString("base64") }, hasDecoder: true };
  const service = { url: "http://127.0.0.1:1/v1", model: "m", response_format: "json" } as const;
  const call = transcribeAt(service, ask, means as never);
  expect(await call.catch((thrown: unknown) => (thrown as Failure).code)).toBe("cancelled");
});
