/**
 * A host with the pack `web`, as a program of its own, and what its calls answer. The servers of the tests
 * listen on this machine, so their addresses stand in the configuration as they are.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FailureData } from "../../../src/calls/index.ts";
import { binaryPath } from "../../binary/build-binary.ts";
import { Place, ServeProcess, type CallResult } from "../../binary/serve-process.ts";

export interface WebAnswer {
  readonly result: CallResult;
  readonly failure: FailureData | undefined;
  /** The last text. */
  readonly text: string;
  /** All texts. */
  readonly all: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

export interface WebHost extends AsyncDisposable {
  readonly place: Place;
  readonly serve: ServeProcess;
  readonly call: (name: string, args: object) => Promise<WebAnswer>;
  readonly ask: (method: string, params?: object) => Promise<CallResult>;
  /** The lines of the record with this event. */
  readonly recorded: (event: string) => readonly Readonly<Record<string, unknown>>[];
}

interface WebHostOptions {
  /** Under `packs.web`. */
  readonly web?: object;
  /** Beside `packs`. */
  readonly config?: object | ((place: Place) => object);
  readonly env?: Readonly<Record<string, string>>;
  /** Before the program: a namespace, a tracer. */
  readonly within?: readonly string[];
  /** The place of another host, whose state this one has too. */
  readonly place?: Place;
}

export async function openWebHost({
  web = {},
  config = {},
  env = {},
  within = [],
  place = new Place(),
}: WebHostOptions): Promise<WebHost> {
  const file = join(place.path, "config.json");
  writeFileSync(file, JSON.stringify({ packs: { web }, ...(typeof config === "function" ? config(place) : config) }));
  const serveArgs = [
    "serve",
    "--root",
    place.root,
    "--state-dir",
    place.stateDir,
    "--baseline=if_known",
    "--config",
    file,
  ];
  const [first = "", ...rest] = [...within, await binaryPath(), ...serveArgs];
  const serve = await ServeProcess.start(place, { binary: first, command: rest, env });
  let lastId = 0;
  const ask = async (method: string, params: object = {}): Promise<CallResult> => {
    const { result, error } = await serve.ask(++lastId, method, params);
    if (!result) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  return {
    place,
    serve,
    ask,
    async call(name, args) {
      const result = await ask("tools/call", { name, arguments: args });
      const texts = (result.content ?? []).flatMap(({ text }) => text ?? []);
      return {
        result,
        failure: result._meta?.["dev.ringfence/failure"],
        text: texts.at(-1) ?? "",
        all: texts.join("\n"),
        structured: result.structuredContent ?? {},
      };
    },
    recorded(event) {
      const folder = join(place.stateDir, "audit");
      return readdirSync(folder)
        .filter((name) => name.endsWith(".jsonl"))
        .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
        .filter((line) => line["event"] === event);
    },
    async [Symbol.asyncDispose]() {
      await serve[Symbol.asyncDispose]();
      place[Symbol.dispose]();
    },
  };
}
