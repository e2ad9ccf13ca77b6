/**
 * The least of `main.ts`, with what ringfence promises of a read put into it, one promise after the other: each is the product's
 * own code, called straight, with nothing around it. `read-floor.ts` compiles and measures it.
 *
 * `promises FOLDER PARTS`: FOLDER is the root, and the record lies beside it; PARTS are some of these, with commas between them:
 *
 *   reading   the file is read as ringfence reads it: scope, decoding, hash, secrets, the answer as JSON (always)
 *   record    the record has four lines of it, chained and signed
 *   decision  its arguments are checked, and it is decided by what it reads
 *   pool      it can be cancelled, has a deadline, gives way, and is repeated or failed when its worker is lost
 *   protocol  messages are checked, both eras are spoken, requests can be cancelled, a slow client holds the host back
 */
import { openSync, writeSync } from "node:fs";
import { availableParallelism } from "node:os";
import { limits } from "../../../src/base/index.ts";
import { Session } from "../../../src/mcp/index.ts";
import { Pool } from "../../../src/pool/index.ts";
import { createFrames, readFrames, stdoutSink, Writer } from "../../../src/wire/index.ts";
import { send, serveLines, type Request } from "./lines.ts";
import { chainedRecord, decideRead, type ReadRecord } from "./promised.ts";
import { readingConfig } from "../parts/reading.ts";

const [, , root = "", parts = ""] = process.argv;
const has = new Set(parts.split(","));

/** @returns the members of the result, as JSON text */
type Read = (path: string) => Promise<string>;

function inWorker(): Read {
  const waiting: ((members: string) => void)[] = [];
  const worker = new Worker(new URL("./reading-worker.js", import.meta.url).href);
  worker.onmessage = ({ data }: MessageEvent<string>) => waiting.shift()?.(data);
  worker.postMessage(root);
  return async (path) => {
    worker.postMessage(path);
    return await new Promise((resolve) => waiting.push(resolve));
  };
}

function inPool(): Read {
  const pool = new Pool({
    entry: new URL("./pool-worker.js", import.meta.url).href as `file://${string}`,
    size: availableParallelism(),
    config: JSON.stringify(readingConfig(root)),
    repeatable: true,
    onBug: (stack) => stack,
  });
  const timeoutMs = limits.DEFAULT_CALL_MS;
  return async (path) => {
    const job = { name: "tool:read_file", input: JSON.stringify({ path }), timeoutMs };
    return (await pool.run(job)).payload;
  };
}

function plainRecord(): ReadRecord {
  const fd = openSync(`${root}-record`, "a");
  return {
    before(request) {
      const line = `${JSON.stringify(request)}\n`;
      writeSync(fd, line + line + line);
      return "";
    },
    after: (_, members) => void writeSync(fd, `${members.slice(0, 200)}\n`),
    write: () => undefined,
  };
}

let open: { readonly read: Read; readonly record: ReadRecord } | undefined;

/** @returns the result as JSON text */
async function answer(request: Request): Promise<string> {
  const { read, record } = (open ??= {
    read: has.has("pool") ? inPool() : inWorker(),
    record: has.has("record") ? chainedRecord(`${root}-${parts}`) : plainRecord(),
  });
  if (has.has("decision")) decideRead(root, request);
  const reading = read(request.params?.arguments?.path ?? "");
  const call = record.before(request);
  const members = await reading;
  record.after(call, members);
  return `{${members}}`;
}

async function serveSession(): Promise<void> {
  const about = { server: { name: "floor", version: "1" }, capabilities: { tools: {} }, instructions: "" };
  const session = new Session(new Writer(stdoutSink()), () => ({
    about,
    strict: false,
    methods: new Set(["tools/call"]),
    answer: async (request) => await answer(request as Request),
    taskAfterMs: () => undefined,
    beforeAnswers: () => open?.record.write(),
  }));
  const frames = createFrames({ maxBytes: limits.MAX_FRAME_BYTES, maxDepth: limits.MAX_JSON_DEPTH });
  await readFrames(Bun.stdin.stream(), frames, {
    onFrame: (frame) => session.receive(frame),
    afterChunk: () => session.afterChunk(),
  });
  process.exit(0);
}

async function serveBare(): Promise<void> {
  await serveLines((request) => {
    void answer(request).then((result) =>
      send(`{"jsonrpc":"2.0","id":${request.id},"result":${result}}`, () => open?.record.write()),
    );
  });
}

void (has.has("protocol") ? serveSession() : serveBare());
