/**
 * The least that a host on this runtime can do for a read, and nothing else: a line in, parsed; one write to a record, a
 * message to a worker; its answer, another write to the record, a line out. No schemas, no rules, no scope, no secrets.
 * `read-floor.ts` compiles and measures it.
 */
import { openSync, writeSync } from "node:fs";
import { send, serveLines } from "./lines.ts";

const [, , recordPath = "/dev/null"] = process.argv;
const record = openSync(recordPath, "a");
let worker: Worker | undefined;

function openWorker(): Worker {
  const opened = new Worker(new URL("./worker.js", import.meta.url).href);
  opened.onmessage = ({ data }: MessageEvent<string>) => {
    writeSync(record, `${data.slice(0, 200)}\n`);
    send(data);
  };
  return opened;
}

void serveLines(({ id, params }, line) => {
  writeSync(record, `${line}\n${line}\n${line}\n`);
  worker ??= openWorker();
  worker.postMessage(`${id}\t${params?.arguments?.path ?? ""}`);
});
