/**
 * The binary with the pack `media` and the programs of this machine, for tests that call its tools as a client does.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place, ServeProcess, type WireMessage } from "../../binary/serve-process.ts";

export interface MediaHost extends AsyncDisposable {
  readonly place: Place;
  readonly serve: ServeProcess;
  readonly write: (name: string, content: string | Uint8Array) => void;
  readonly call: (name: string, given: object) => Promise<MediaAnswer>;
}

export interface MediaAnswer {
  /** The last text. */
  readonly text: string;
  /** All blocks, as they came. */
  readonly blocks: readonly MediaBlock[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly failure: { readonly code: string } | undefined;
}

export interface MediaBlock {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly size?: number;
  readonly annotations?: object;
}

/** @param settings of the pack, or what makes them for the place of the host @param more of the configuration @param env of the host */
export async function openMediaHost(
  settings: object | ((place: Place) => object),
  more: object = {},
  env: Readonly<Record<string, string>> = {},
): Promise<MediaHost> {
  const place = new Place();
  const config = join(place.path, "ringfence.json");
  const media = typeof settings === "function" ? (settings as (place: Place) => object)(place) : settings;
  writeFileSync(config, JSON.stringify({ packs: { media }, ...more }));
  const serve = await ServeProcess.start(place, { args: ["--config", config, "--results=structured"], env });
  let lastId = 0;
  return {
    place,
    serve,
    write: (name, content) => writeFileSync(join(place.root, name), content),
    async call(name, given) {
      serve.call(++lastId, name, given);
      return answerOf(await serve.answer(lastId));
    },
    async [Symbol.asyncDispose]() {
      await serve[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}

function answerOf({ result }: WireMessage): MediaAnswer {
  const blocks = (result?.content ?? []) as readonly MediaBlock[];
  return {
    blocks,
    text: blocks.findLast(({ type }) => type === "text")?.text ?? "",
    data: result?.structuredContent ?? {},
    failure: result?._meta?.["dev.ringfence/failure"],
  };
}
