/**
 * Undo for what somebody else changes: files are copied into the history before a program runs, and what it made of them
 * is noted afterwards, as a transaction like any other. What it left alone is dropped again.
 *
 * Not guaranteed: when the host dies while the program runs there is no note, and the copies go with their age. What
 * another program changes meanwhile counts as this one's.
 */
import { readFileSync, renameSync, rmSync } from "node:fs";
import { type FileChange, summarise } from "../approval/index.ts";
import { type Cancel, Failure, limits, newId, nowMs, sha256 } from "../base/index.ts";
import type { Located, Scope } from "../scope/index.ts";
import type { HistoryStore } from "../state/index.ts";
import { isUnchanged, rootIdentities } from "./fingerprint.ts";
import { inspect } from "./inspect.ts";
import { type Before, keyOf, locatedFrom, type PreparedStep, type RootPath, rootPathOf } from "./model.ts";
import { describeContent } from "./prepare/describe.ts";
import type { TransactionNote, TransactionRecord } from "./records.ts";
import { copyObject } from "./tree-copy/copy-tree.ts";
import { failedWith } from "./tree-copy/tree.ts";

interface KeptFile {
  readonly at: RootPath;
  readonly before: Before;
}

export interface KeptNote {
  readonly transaction: string;
  /** Each copy is named by its index here. */
  readonly kept: readonly KeptFile[];
  /** Files that are too large, beyond the quota, or not readable. */
  readonly unkept: readonly RootPath[];
}

/** One file that an undo covers. */
export interface NotedChange {
  readonly path: string;
  readonly operation: "create" | "overwrite" | "delete";
  readonly added: number;
  readonly removed: number;
}

interface NoteContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  readonly history: HistoryStore<TransactionRecord>;
}

interface KeepContext extends NoteContext {
  /** The quota of all copies together. */
  readonly maxBytes: number;
}

/** @throws Failure when a file that could be kept cannot be, as on a full disk: nothing of it is left then */
export function keepFiles(files: readonly Located[], ctx: KeepContext): KeptNote {
  const { history, scope } = ctx;
  const transaction = newId("t");
  const kept: KeptFile[] = [];
  const unkept: RootPath[] = [];
  let room = ctx.maxBytes;
  try {
    for (const file of files) {
      const before = keepOne(file, history.objectOf(transaction, kept.length), room, ctx);
      const at = rootPathOf(scope.innermost(file));
      if (before) kept.push({ at, before });
      else unkept.push(at);
      room -= before?.size ?? 0;
    }
  } catch (thrown) {
    history.drop(transaction);
    throw thrown;
  }
  return { transaction, kept, unkept };
}

/** @returns what the copy is; `undefined` for what is not kept */
function keepOne(at: Located, copy: string, room: number, ctx: KeepContext) {
  const { scope, cancel } = ctx;
  try {
    const { before } = inspect(scope, at, "keep", { cancel, told: "mark" });
    if (before.kind !== "file" || before.size > Math.min(room, limits.MAX_SNAPSHOT_FILE_BYTES)) return undefined;
    using place = scope.place(at, "keep");
    copyObject(scope, place, copy, { cancel, faithful: true });
    // The hash is that of the copy: the file itself may have changed between two looks.
    return { ...before, hash: sha256(readFileSync(copy)) };
  } catch (thrown) {
    // A file that is gone or cannot be read is not kept, like one that is too large.
    const isGone = thrown instanceof Failure && ["not_found", "stale", "denied"].includes(thrown.code);
    if (!isGone && !failedWith(thrown, "ENOENT", "EACCES", "EPERM")) throw thrown;
    rmSync(copy, { force: true });
    return undefined;
  }
}

/** @param found what the patterns name now. @returns nothing when nothing of it was changed */
export function noteKept(
  { transaction, kept, unkept }: KeptNote,
  found: readonly Located[],
  { what, ...about }: Pick<TransactionNote, "tool" | "scope"> & { readonly what: string },
  ctx: NoteContext,
): readonly NotedChange[] {
  const { history, scope } = ctx;
  const noted: Noted[] = [];
  const known = new Set([...kept.map(({ at }) => at), ...unkept].map(keyOf));
  for (const [index, one] of kept.entries()) {
    const copy = history.objectOf(transaction, index);
    const change = noteOne(one, copy, ctx);
    // A copy takes the index of its step, which is never higher than its own.
    if (change) renameSync(copy, history.objectOf(transaction, noted.length));
    else rmSync(copy, { force: true });
    if (change) noted.push(change);
  }
  for (const file of found) {
    const at = rootPathOf(scope.innermost(file));
    if (known.has(keyOf(at))) continue;
    const change = noteOne({ at, before: { kind: "absent" } }, undefined, ctx);
    if (change) noted.push(change);
  }
  if (noted.length === 0) return [];
  const [files, steps] = [noted.map(({ file }) => file), noted.map(({ step }) => step)];
  history.add({
    ...about,
    summary: `${what}: ${summarise(files)}`,
    transaction,
    at: nowMs(),
    bytes: steps.reduce((sum, { before }) => sum + (before.kind === "file" ? before.size : 0), 0),
    files,
    steps,
    after: noted.map(({ after }) => after),
    made: [],
    roots: rootIdentities(scope),
    kept: steps.map(({ before }) => before.kind !== "absent"),
  });
  return files.map(({ path, operation, added, removed }) => ({ path, operation, added, removed }));
}

type Noted = NonNullable<ReturnType<typeof noteOne>>;

/** @returns nothing for an unchanged file, and for what is no longer a file: an undo would have to remove that */
function noteOne({ at, before }: KeptFile, copy: string | undefined, ctx: NoteContext) {
  const { scope, cancel } = ctx;
  const located = locatedFrom(scope, at);
  const { before: after } = inspect(scope, located, "keep", { cancel, told: "cheap" });
  if (isUnchanged(before, after) || (after.kind !== "file" && after.kind !== "absent")) return undefined;
  const operation: NotedChange["operation"] =
    after.kind === "absent" ? "delete" : before.kind === "absent" ? "create" : "overwrite";
  return {
    after,
    step: stepOf(at, before, after),
    file: {
      operation,
      path: scope.show(located),
      absolute: scope.absolute(located),
      ...countLines(located, copy, after, ctx),
      ...(after.kind === "file" ? { hash: after.hash, size_after: after.size } : {}),
      ...(before.kind === "absent" ? {} : { size_before: before.size }),
    },
  };
}

function stepOf(at: RootPath, before: Before, after: Before): PreparedStep {
  if (after.kind === "absent") return { op: "remove", at, before };
  // A file with other names gets its old content back in place, so that they stay its names.
  const inPlace = after.links > 1 && before.kind !== "absent";
  return { op: "put", at, before, content: 0, inPlace };
}

/** Longer texts are not compared, because the answer waits for it. */
const MAX_COMPARED_BYTES: number = 1024 * 1024;

function countLines(
  at: Located,
  copy: string | undefined,
  after: Before,
  { scope, cancel }: NoteContext,
): Pick<FileChange, "added" | "removed"> {
  const options = { cancel, maxBytes: MAX_COMPARED_BYTES };
  try {
    const old = copy === undefined ? new Uint8Array() : readFileSync(copy);
    const now = after.kind === "file" ? inspect(scope, at, "keep", options).bytes : undefined;
    if (old.length > MAX_COMPARED_BYTES) return { added: 0, removed: 0 };
    const lines = describeContent({ path: at.rel }, old, now ?? new Uint8Array(), { maxBytes: 1 });
    return { added: lines.added, removed: lines.removed };
  } catch (thrown) {
    if (thrown instanceof Failure && ["too_large", "stale"].includes(thrown.code)) return { added: 0, removed: 0 };
    throw thrown;
  }
}
