/**
 * The state folder: proposals, kept old versions, the record. Only its owner may enter it (0700), it is checked at
 * start, and no tool can see it even when it lies inside a root.
 */
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/index.ts";

export interface StateFolder {
  readonly path: string;
  readonly proposals: string;
  readonly undo: string;
  readonly audit: string;
  readonly journal: string;
  readonly answers: string;
  readonly grants: string;
  readonly keys: string;
  /** Signed heads of the record, apart from it. */
  readonly checkpoints: string;
}

/** @throws Failure `denied` when it cannot be made, is not ours, or is open to others and cannot be closed */
export function openStateFolder(path: string): StateFolder {
  const folder = {
    path,
    proposals: join(path, "proposals"),
    undo: join(path, "undo"),
    audit: join(path, "audit"),
    journal: join(path, "journal"),
    answers: join(path, "answers"),
    grants: join(path, "grants"),
    keys: join(path, "keys"),
    checkpoints: join(path, "checkpoints"),
  };
  try {
    const found = foldersIn(path);
    for (const part of Object.values(folder))
      if (!found.has(part)) mkdirSync(part, { recursive: true, mode: 0o700 });
    if (process.platform !== "win32") closeToOthers(path);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw refused(path, thrown instanceof Error ? thrown.message : String(thrown));
  }
  return folder;
}

/** Nearly always all of them: one look instead of one for each. */
function foldersIn(path: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name)));
  } catch {
    // What stands in the way is said when it is made.
    return new Set();
  }
}

function closeToOthers(path: string): void {
  const stat = statSync(path);
  const me = process.getuid?.();
  if (me !== undefined && stat.uid !== me) throw refused(path, "it belongs to another user");
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

function refused(path: string, why: string): Failure {
  return new Failure("denied", `Cannot use the state folder "${path}": ${why}`, {
    hint: "Give another one with --state-dir DIR.",
  });
}
