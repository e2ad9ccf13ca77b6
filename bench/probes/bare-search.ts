/**
 * The least that a search for a literal can be here: one thread lists directories, two open, read and look. No ignore
 * rules, no order, no scope, no fence, no protocol. `cold-cost` compiles it; arguments: the literal and the directory.
 */
import { closeSync, openSync, readdirSync, readSync } from "node:fs";

const WORKERS = 2;
const BATCH_FILES = 256;
const READ_BYTES: number = 1024 * 1024;
const DIRECTORIES_BETWEEN_LOOKS = 200;
const [literal = "", top = "."] = process.argv.slice(2);

if (Bun.isMainThread) await search();
else answer();

async function search(): Promise<void> {
  const workers = Array.from({ length: WORKERS }, () => new Worker(import.meta.url, { argv: [literal] }));
  const [totals, state] = [
    { files: 0, hits: 0 },
    { sent: 0, isWalked: false },
  ];
  const done = Promise.withResolvers<void>();
  for (const worker of workers) {
    worker.onerror = ({ message }) => done.reject(new Error(message));
    worker.onmessage = ({ data }: MessageEvent<{ files: number; hits: number }>) => {
      totals.files += data.files;
      totals.hits += data.hits;
      if (--state.sent === 0 && state.isWalked) done.resolve();
    };
  }
  let paths: string[] = [];
  let turn = 0;
  const send = (): void => {
    state.sent++;
    workers[turn++ % WORKERS]?.postMessage(paths.join("\0"));
    paths = [];
  };
  const directories = [top];
  for (let at = 1; directories.length > 0; at++) {
    const directory = directories.pop() ?? "";
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = `${directory}/${entry.name}`;
      if (entry.isFile()) {
        if (paths.push(path) === BATCH_FILES) send();
      } else if (entry.isDirectory() && entry.name !== ".git") directories.push(path);
    }
    if (at % DIRECTORIES_BETWEEN_LOOKS === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  state.isWalked = true;
  send();
  await done.promise;
  console.log(`${totals.hits} of ${totals.files} files`);
  process.exit(0);
}

function answer(): void {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  const needle = Buffer.from(literal);
  addEventListener("message", ({ data }: MessageEvent<string>) => {
    const paths = data === "" ? [] : data.split("\0");
    postMessage({ files: paths.length, hits: paths.filter((path) => holds(path, needle, buffer)).length });
  });
}

function holds(path: string, needle: Buffer, buffer: Buffer): boolean {
  const fd = openSync(path, "r");
  try {
    for (let got = buffer.length, at = 0; got === buffer.length; at += got) {
      got = readSync(fd, buffer, 0, buffer.length, at);
      if (buffer.subarray(0, got).includes(needle)) return true;
    }
    return false;
  } finally {
    closeSync(fd);
  }
}
