/**
 * A program of its own: what a durable commit of files costs, against the least that is durable at all: write, fsync and
 * rename each, and one fsync of their directory. In turn, in one process. Prints the samples in milliseconds as JSON.
 *
 * Usual mistake: a temporary directory in memory, where an fsync costs nothing; it must lie on a disk.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NEVER_CANCELLED } from "../../src/base/index.ts";
import { Scope } from "../../src/scope/index.ts";
import { AnswerStore, HistoryStore, openStateFolder } from "../../src/state/index.ts";
import { commitChanges, prepareChanges, type Stores } from "../../src/txn/index.ts";

const ROUNDS = 15;
const BYTES = 2000;

const files = Number(process.argv[2] ?? 100);
const folder = mkdtempSync(join(realpathSync(tmpdir()), "ringfence-commit-"));
try {
  const samples = { ours: [] as number[], reference: [] as number[] };
  const root = join(folder, "root");
  for (const path of [root, join(root, "a"), join(root, "b")]) mkdirSync(path);
  for (const side of ["a", "b"]) for (let at = 0; at < files; at++) writeFileSync(join(root, side, `f${at}`), "old\n");
  const roots = [{ path: root, readOnly: false }];
  using scope = new Scope({ roots });
  const state = openStateFolder(join(folder, "state"));
  const stores: Stores = {
    history: new HistoryStore(state.undo, state.journal),
    answers: new AnswerStore(state.answers),
    journal: state.journal,
    durability: "full",
  };
  for (let round = 0; round < ROUNDS; round++) {
    const text = `${round}\n`.padEnd(BYTES, "text of a file\n");
    samples.ours.push(commit(scope, stores, roots, text));
    samples.reference.push(writeBare(join(root, "b"), text));
  }
  console.log(JSON.stringify(samples));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Sealing is not in the time: it is reading and comparing, which the bare loop does not do. */
function commit(scope: Scope, stores: Stores, roots: readonly object[], text: string): number {
  const contents: Uint8Array[] = [];
  const changes = Array.from({ length: files }, (_, at) => ({
    op: "write" as const,
    path: `a/f${at}`,
    content: text,
    overwrite: true,
  }));
  const keep = (bytes: Uint8Array): number => contents.push(bytes) - 1;
  const cancel = NEVER_CANCELLED;
  const sealed = prepareChanges({ changes }, { scope, cancel, keep });
  const about = { tool: "bench", summary: sealed.summary, files: sealed.files, scope: { roots } };
  const started = performance.now();
  commitChanges(sealed, about, {
    scope,
    stores,
    cancel,
    content: (index) => contents[index] ?? new Uint8Array(),
    recover: () => undefined,
  });
  return performance.now() - started;
}

function writeBare(directory: string, text: string): number {
  const started = performance.now();
  for (let at = 0; at < files; at++) {
    const path = join(directory, `f${at}`);
    const fd = openSync(`${path}.new`, "wx");
    writeSync(fd, text);
    fsyncSync(fd);
    closeSync(fd);
    renameSync(`${path}.new`, path);
  }
  const fd = openSync(directory, "r");
  fsyncSync(fd);
  closeSync(fd);
  return performance.now() - started;
}
