/**
 * A temporary folder of one command's own, below the state folder: made when it starts and gone with everything in it
 * when it has ended. What a launcher left that was killed is swept by the next one.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { newId, nowMs } from "../base/index.ts";

export interface RunFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** Nothing runs longer than a day. */
const ABANDONED_MS = 2 * 24 * 60 * 60 * 1000;

/** @param stateDir the state folder, opened before */
export function createRunFolder(stateDir: string): RunFolder {
  const path = join(stateDir, "run", newId("run"));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return { path, remove: () => remove(path) };
}

/** @param stateDir the state folder, opened before */
export function sweepRunFolders(stateDir: string): void {
  const folder = join(stateDir, "run");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stat && nowMs() - stat.mtimeMs > ABANDONED_MS) remove(join(folder, name));
  }
}

/** A program may have taken its rights away from a folder; what then stays is swept later. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // Of no use to anybody, and in nobody's way.
  }
}
