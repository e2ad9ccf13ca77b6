/**
 * The files that are read, listed, hashed and searched. All of them are made anew in the temporary workspace, and the
 * big ones live only while a measure needs them. Contents are the same on every run.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A file or folder that is deleted at the end of its scope. */
export interface Workload extends Disposable {
  readonly path: string;
}

const BLOCK_BYTES = 1024 * 1024;
const LINE = "  const answer = readAnswer(question, { limit: 1000 }); // no more than a page of it\n";

/** Exactly `bytes` of text in lines; the last may be cut. */
export function makeTextFile(folder: string, name: string, bytes: number): Workload {
  const path = join(folder, name);
  const lines = Buffer.from(LINE.repeat(Math.ceil(Math.min(bytes, BLOCK_BYTES) / LINE.length)));
  const fd = openSync(path, "w");
  for (let left = bytes; left > 0; left -= lines.length) writeSync(fd, lines);
  ftruncateSync(fd, bytes);
  closeSync(fd);
  return workloadAt(path);
}

/** Reads as zeros and takes no space on the disk. */
export function makeSparseFile(folder: string, name: string, bytes: number): Workload {
  const path = join(folder, name);
  writeFileSync(path, "");
  truncateSync(path, bytes);
  return workloadAt(path);
}

/** One folder with so many empty files. */
export function makeEntries(folder: string, name: string, count: number): Workload {
  const path = join(folder, name);
  mkdirSync(path);
  for (let at = 0; at < count; at++) closeSync(openSync(join(path, `entry-${at}.txt`), "w"));
  return workloadAt(path);
}

/** Source-like files of 4 KB, 100 in a folder. */
export function makeTree(folder: string, name: string, files: number): Workload {
  const path = join(folder, name);
  const text = LINE.repeat(Math.ceil(4096 / LINE.length));
  for (let at = 0; at < files; at++) {
    const inner = join(path, `part-${Math.floor(at / 100)}`);
    if (at % 100 === 0) mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, `source-${at}.ts`), `// ${at}\n${text}`);
  }
  return workloadAt(path);
}

function workloadAt(path: string): Workload {
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
