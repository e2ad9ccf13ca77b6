/**
 * A service that writes down speech, as OpenAI's `/v1/audio/transcriptions`: it takes the form apart with the runtime's own parser
 * and has a function, or pocketsphinx, say what it heard.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One request, as it came. */
export interface HeardSpeech {
  readonly authorization: string | null;
  readonly model: unknown;
  readonly format: unknown;
  readonly language: unknown;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface SpeechService extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  readonly heard: readonly HeardSpeech[];
}

/** @param say what it answers to a request */
export function openSpeechService(say: (heard: HeardSpeech, count: number) => Response | object): SpeechService {
  const heard: HeardSpeech[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (request.method !== "POST" || !request.url.endsWith("/v1/audio/transcriptions"))
        return new Response("no such thing", { status: 404 });
      const form = await request.formData();
      const file = form.get("file") as File;
      const one = {
        authorization: request.headers.get("authorization"),
        model: form.get("model"),
        format: form.get("response_format"),
        language: form.get("language"),
        name: file.name,
        type: file.type,
        bytes: Buffer.from(await file.arrayBuffer()),
      };
      heard.push(one);
      const said = say(one, heard.length);
      return said instanceof Response ? said : Response.json(said);
    },
  });
  const host = `127.0.0.1:${server.port}`;
  return {
    heard,
    host,
    url: `http://${host}/v1/audio/transcriptions`,
    [Symbol.asyncDispose]: async () => await server.stop(true),
  };
}

/** As the JSON of whisper with times, by the recogniser of this machine. */
export function recognise({ bytes }: HeardSpeech): object {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-speech-"));
  try {
    const file = join(folder, "speech.wav");
    writeFileSync(file, bytes);
    const ask = ["pocketsphinx_continuous", "-infile", file, "-logfn", "/dev/null"];
    const text = Bun.spawnSync(ask, { stdin: "ignore" }).stdout.toString().trim();
    return { text, segments: [{ start: 0.25, end: 2, text }] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
