/**
 * A program of its own: what it costs to open and close a file through the scope's handle backend, against a plain
 * `openSync` of the absolute path, in turn. Prints the samples of both in microseconds as JSON.
 *
 * The probe imports from src because no wire is between: inside a call this difference would drown.
 */
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandleBackend } from "../../src/scope/handle-backend.ts";
import { loadOpenat2 } from "../../src/sys/index.ts";
import { openRoots } from "../../src/scope/roots.ts";

const ROUNDS = 41;
const OPENS = 20_000;
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

const folder = mkdtempSync(join(realpathSync(tmpdir()), "ringfence-open-"));
try {
  const rel = "src/part/file.ts";
  mkdirSync(join(folder, "src/part"), { recursive: true });
  writeFileSync(join(folder, rel), "text\n");
  const openat2 = loadOpenat2();
  if (!openat2) throw new Error("Cannot measure: this kernel has no openat2");
  const backend = createHandleBackend(openat2);
  const roots = openRoots([{ path: folder, readOnly: true }], backend, []);
  const [root] = roots;
  if (!root) throw new Error("Cannot measure: the root is not open");
  const absolute = join(folder, rel);
  const byHandle = (): void => closeSync(backend.open({ roots, root, rel, links: "follow" }, FLAGS).fd);
  const plain = (): void => closeSync(openSync(absolute, FLAGS));
  const samples = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    samples.ours.push(microseconds(byHandle));
    samples.reference.push(microseconds(plain));
  }
  console.log(JSON.stringify(samples));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function microseconds(open: () => void): number {
  const started = performance.now();
  for (let at = 0; at < OPENS; at++) open();
  return ((performance.now() - started) * 1000) / OPENS;
}
