/**
 * The undo of a transaction: a change set like any other, made from its note in the history, with what the transaction
 * left as what must be there. So it is checked, written down, committed and undone like any other.
 */
import { readFileSync } from "node:fs";
import { Failure, limits, NEVER_CANCELLED, sha256 } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import type { HistoryStore } from "../state/index.ts";
import { decodeText, unifiedDiff } from "../text/index.ts";
import type { FileChange } from "../approval/index.ts";
import { isCovered } from "./commit/run.ts";
import { statOf } from "./file-calls.ts";
import type { TransactionRecord } from "./records.ts";
import { inspect } from "./inspect.ts";
import {
  areSameRoots,
  isMark,
  isUnchanged,
  markOf,
  rootIdentities,
  withoutChangeTime,
} from "./fingerprint.ts";
import { type Before, locatedFrom, type Sealed, type SealedPath, type SealedStep } from "./model.ts";

export interface Inverse {
  readonly sealed: Sealed;
  readonly contents: readonly Uint8Array[];
}

const ABSENT: Before = { kind: "absent" };

/**
 * @throws Failure `conflict` for one that was undone, or whose displaced objects are no longer kept as they were, or when
 * another directory stands at the path of a root
 */
export function invertTransaction(
  record: TransactionRecord,
  history: HistoryStore<TransactionRecord>,
  scope: Scope,
): Inverse {
  refuseUndone(record);
  refuseOtherRoots(record, scope);
  const contents: Uint8Array[] = [];
  const keep = (index: number): number =>
    contents.push(readFileSync(history.objectOf(record.transaction, index))) - 1;
  const steps = record.steps
    .map((_, index) => index)
    .reverse()
    .flatMap((index) => {
      refuseChanged(record, index, history);
      return [...invertStep(record, index, keep), ...unmake(record, index)];
    });
  const files = record.files.map(invertFile).reverse();
  return {
    contents,
    sealed: {
      summary: `Undo: ${record.summary}`,
      files,
      steps: [...steps, ...unmake(record, undefined)],
      warnings: [],
      bytes: 0,
    },
  };
}

function refuseUndone({ transaction, undoneBy, conflict }: TransactionRecord): void {
  if (undoneBy !== undefined)
    throw new Failure("conflict", `Cannot undo ${transaction}: it was undone by ${undoneBy}`, {
      hint: `Undo ${undoneBy} to have it again.`,
    });
  if (conflict)
    throw new Failure(
      "conflict",
      `Cannot undo ${transaction}: it was taken back after a crash, as far as it could be`,
    );
}

function refuseOtherRoots({ transaction, roots }: TransactionRecord, scope: Scope): void {
  if (areSameRoots(roots, rootIdentities(scope))) return;
  throw new Failure(
    "conflict",
    `Cannot undo ${transaction}: another directory stands at the path of a root that it was made in`,
    { hint: "Put that directory back to its place first." },
  );
}

/**
 * What is kept is a second name of the old file, or the file itself, not a copy: through another name of it, or by a program
 * that had it open, somebody may have written into it since.
 */
function refuseChanged(
  record: TransactionRecord,
  index: number,
  history: HistoryStore<TransactionRecord>,
): void {
  const before = record.steps[index]?.before;
  if (!record.kept[index] || !before) return;
  const kept = history.objectOf(record.transaction, index);
  if (isStillKept(kept, before)) return;
  throw new Failure(
    "conflict",
    `Cannot undo ${record.transaction}: what it displaced at "${record.steps[index]?.at.rel}" has changed since: it was written into by another name of it, or by a program that had it open`,
    { hint: `It is kept as it is now, in the state folder as undo/${record.transaction}.${index}.` },
  );
}

function isStillKept(kept: string, before: Before): boolean {
  const stat = statOf(kept);
  if (before.kind === "symlink") return stat?.isSymbolicLink() ?? false;
  if (before.kind !== "file" || before.hash === "") return stat !== undefined;
  if (!stat?.isFile()) return false;
  if (isMark(before.hash)) return isUnchanged(withoutChangeTime(before), { ...before, hash: markOf(stat) });
  return sha256(readFileSync(kept)) === before.hash;
}

/** Directories that the transaction made for its files go with it, when nothing else has come into them. */
function unmake({ made }: TransactionRecord, act: number | undefined): SealedStep[] {
  const own = made.filter((one) => one.act === act);
  return own.reverse().map(({ at, ino, born }) => ({
    op: "remove_directory",
    at,
    follows: true,
    before: { kind: "directory", hash: "", size: 0, mode: 0o755, links: 0 },
    made: { ino, born },
  }));
}

function invertStep(record: TransactionRecord, index: number, keep: (index: number) => number): SealedStep[] {
  const step = record.steps[index];
  const before = record.after[index];
  if (!step || !before) return [];
  // What a later step works on is only there again when that one is undone.
  // A file that is written in place again gets another time, and its directory another fingerprint.
  const exact = record.steps.some((one) => one.op === "put" && one.inPlace) ? {} : { exact: true as const };
  const order = isCovered(record.steps, index) ? { follows: true as const, ...exact } : {};
  const { at } = step;
  switch (step.op) {
    case "make_directory":
      return [{ ...order, op: "remove_directory", at, before }];
    case "remove_directory":
      // It was not taken away.
      if (before.kind !== "absent") return [];
      return [{ ...order, op: "make_directory", at, before: ABSENT }];
    case "move": {
      const back: SealedStep = {
        ...order,
        op: "move",
        from: at,
        at: step.from,
        source: before,
        before: ABSENT,
      };
      return step.before.kind === "absent"
        ? [back]
        : [back, restore(record, index, at, ABSENT, { follows: true })];
    }
    case "remove":
      return [restore(record, index, at, ABSENT, order)];
    case "put":
    case "copy":
    case "restore":
      if (step.before.kind === "absent") return [{ ...order, op: "remove", at, before }];
      if (step.op === "put" && step.inPlace && record.kept[index])
        return [{ ...order, op: "put", at, before, content: keep(index), inPlace: true }];
      return [restore(record, index, at, before, order)];
  }
}

function restore(
  record: TransactionRecord,
  index: number,
  at: SealedPath,
  before: Before,
  order: { readonly follows?: true },
): SealedStep {
  if (record.kept[index])
    return { ...order, op: "restore", at, before, transaction: record.transaction, name: String(index) };
  throw new Failure(
    "conflict",
    `Cannot undo ${record.transaction}: what was at "${at.rel}" is not kept, because it lay on another device`,
  );
}

function invertFile(file: FileChange): FileChange {
  const { hash: _hash, added, removed, ...rest } = file;
  return { ...rest, added: removed, removed: added };
}

/** What an undo would change now, for a person who sees that files have changed since. Bounded. */
export function undoDiff(
  record: TransactionRecord,
  scope: Scope,
  history: HistoryStore<TransactionRecord>,
): string {
  const seen = new Set<string>();
  const diffs = record.steps.map((step, index) => {
    const place = `${step.at.root}\0${step.at.rel}`;
    // What was moved stays what it is; and of several changes of one file the first displaced what comes back.
    if (step.op === "move" || seen.has(place)) return "";
    seen.add(place);
    try {
      const at = locatedFrom(scope, step.at);
      const now = inspect(scope, at, "read", {
        cancel: NEVER_CANCELLED,
        maxBytes: limits.MAX_EDIT_FILE_BYTES,
      });
      const kept = record.kept[index]
        ? readFileSync(history.objectOf(record.transaction, index))
        : new Uint8Array();
      const [oldText, newText] = [decodeText(now.bytes ?? new Uint8Array()), decodeText(kept)];
      if (oldText.kind !== "text" || newText.kind !== "text") return "";
      return unifiedDiff(oldText.text, newText.text, {
        path: scope.show(at),
        maxBytes: limits.MAX_DIFF_BYTES,
      }).text;
    } catch {
      return "";
    }
  });
  return diffs
    .filter((diff) => diff !== "")
    .join("\n")
    .slice(0, limits.MAX_DIFF_BYTES);
}
