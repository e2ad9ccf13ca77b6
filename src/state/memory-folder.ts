/**
 * Where the memory lies in the state folder: the notes, which are files of their owner like any other, and the index over
 * them, which can be removed at any time and is made anew. Neither is made before a host offers the memory.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sweepVectorFiles } from "./vector-file.ts";

/** @param stateDir the state folder, opened before */
export function makeMemoryFolder(stateDir: string): string {
  return makeFolder(join(stateDir, "memory"));
}

/** The file of the index. @param stateDir the state folder, opened before */
export function memoryIndexFile(stateDir: string): string {
  return join(makeFolder(join(stateDir, "memory-index")), "index.sqlite");
}

/** An index that cannot be read any more goes, with what is kept beside it. */
export function removeMemoryIndex(file: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${file}${end}`, { force: true });
  sweepVectorFiles(file, () => false);
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
