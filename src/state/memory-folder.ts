/**
 * Where the memory lies in the state folder: the notes, which are files of their owner like any other, and the index over
 * them, which can be removed at any time and is made anew. Neither is made before a host offers the memory.
 */
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure, monotonicMs, nowMs, sha256 } from "../base/index.ts";
import { tryLockFile } from "./small-file.ts";
import { sweepVectorFiles } from "./vector-file.ts";

/** @param stateDir the state folder, opened before */
export function makeMemoryFolder(stateDir: string): string {
  return makeFolder(join(stateDir, "memory"));
}

/**
 * The file of an index. Hosts of other projects may have the same state folder, and no index has texts of two of them.
 * @param stateDir the state folder, opened before @param about all that decides which documents the index has
 */
export function memoryIndexFile(stateDir: string, about: readonly unknown[]): string {
  const folder = join(stateDir, "memory-index", sha256(JSON.stringify(about)).slice(0, 32));
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
  const now = nowMs();
  if (isNew || now - statSync(folder).mtimeMs > DAY_MS) {
    utimesSync(folder, now / 1000, now / 1000);
    sweepIndexes(dirname(folder), now);
  }
  return join(folder, "index.sqlite");
}

const DAY_MS = 24 * 60 * 60 * 1000;
const UNUSED_DAYS = 30;

/** What no host has searched for long goes, and so does what is no folder: an index of all projects, as there once was. */
function sweepIndexes(folder: string, now: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const usedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (!entry.isDirectory() || now - usedMs > UNUSED_DAYS * DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Held by whoever makes an index or takes one away, so that nobody removes what another host, or another worker, is making.
 * @throws Failure `busy`
 */
export function holdMemoryIndex(file: string): Disposable {
  const deadline = monotonicMs() + WAIT_MS;
  for (;;) {
    const lock = tryLockFile(`${file}.lock`);
    if (lock) return lock;
    if (monotonicMs() > deadline)
      throw new Failure("busy", "Cannot search the memory: another host is making its index", {
        hint: "Try again.",
        retry: "later",
      });
    Bun.sleepSync(RETRY_MS);
  }
}

const WAIT_MS = 5000;
const RETRY_MS = 2;

/** An index that cannot be read any more goes, with what is kept beside it. Called with the index held. */
export function removeMemoryIndex(file: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${file}${end}`, { force: true });
  sweepVectorFiles(file, () => false);
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
