/**
 * What a delete took away, kept for a while: one folder a transaction, with a note of what came from where. Bounded by
 * age and by number; the oldest go first.
 */
import { lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nowMs } from "../base/index.ts";

const MAX_AGE_MS: number = 7 * 24 * 60 * 60 * 1000;
const MAX_KEPT = 200;

export interface KeptObject {
  readonly absolute: string;
  /** Name inside the transaction's folder. */
  readonly name: string;
}

/** The folder for one transaction, made on first use. */
export function openUndoFolder(undo: string, transaction: string): string {
  const folder = join(undo, transaction);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

export function noteKept(folder: string, kept: readonly KeptObject[]): void {
  writeFileSync(join(folder, "kept.json"), JSON.stringify({ at: nowMs(), kept }), { mode: 0o600 });
}

/** Drops what is too old, and the oldest above the count. Never fails: a full disk must not stop a start. */
export function sweepUndo(undo: string): void {
  try {
    const kept = readdirSync(undo)
      .map((name) => ({ path: join(undo, name), ms: lstatSync(join(undo, name)).mtimeMs }))
      .sort((a, b) => b.ms - a.ms);
    kept.forEach(({ path, ms }, index) => {
      if (index >= MAX_KEPT || nowMs() - ms > MAX_AGE_MS) rmSync(path, { recursive: true, force: true });
    });
  } catch {
    // The next start tries again.
  }
}

/** The device of the store: a rename keeps only what lies on it. */
export function deviceOf(folder: string): bigint {
  return statSync(folder, { bigint: true }).dev;
}
