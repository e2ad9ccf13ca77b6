/**
 * The least that a host on this runtime can do for a read, and nothing else: a line in, parsed; one write to a record, a
 * message to a worker; its answer, another write to the record, a line out. No schemas, no rules, no scope, no secrets.
 * `read-floor.ts` compiles and measures it.
 */
import { openSync, writeSync } from "node:fs";

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly path?: string } };
}

const [, , recordPath = "/dev/null"] = process.argv;
const record = openSync(recordPath, "a");
const output = Bun.stdout.writer();
let worker: Worker | undefined;

function openWorker(): Worker {
  const opened = new Worker(new URL("./worker.js", import.meta.url).href);
  opened.onmessage = ({ data }: MessageEvent<string>) => {
    writeSync(record, `${data.slice(0, 200)}\n`);
    send(data);
  };
  return opened;
}

function send(line: string): void {
  void output.write(`${line}\n`);
  void output.flush();
}

function take(line: string): void {
  const { id, method, params } = JSON.parse(line) as Request;
  if (method === "tools/call") {
    writeSync(record, `${line}\n${line}\n${line}\n`);
    worker ??= openWorker();
    worker.postMessage(`${id}\t${params?.arguments?.path ?? ""}`);
  } else if (id !== undefined) send(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
}

async function serve(): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of Bun.stdin.stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  }
  process.exit(0);
}

void serve();
