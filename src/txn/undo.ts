/**
 * The undo of a transaction: a change set like any other, made from its note in the history, with what the transaction
 * left as what must be there. So it is checked, written down, committed and undone like any other.
 */
import type { HideKeys } from "./prepare/context.ts";
import { readFileSync } from "node:fs";
import { Failure, limits, NEVER_CANCELLED, sha256 } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import type { HistoryStore } from "../state/index.ts";
import { readDirectory } from "../sys/index.ts";
import { isCovered } from "./commit/plan.ts";
import { areSameRoots, isMark, isUnchanged, markOf, rootIdentities, withoutChangeTime } from "./fingerprint.ts";
import { inspect } from "./inspect.ts";
import {
  type Before,
  inDirectory,
  isAtOrBelow,
  keyOf,
  locatedFrom,
  type PreparedChanges,
  type PreparedStep,
  type RootPath,
} from "./model.ts";
import { describeContent } from "./prepare/describe.ts";
import type { TransactionRecord } from "./records.ts";
import { statOf } from "./tree-copy/tree.ts";

type History = HistoryStore<TransactionRecord>;

export interface Inverse {
  readonly changes: PreparedChanges;
  readonly contents: readonly Uint8Array[];
}

/**
 * @throws Failure `conflict` for one that was undone, or whose displaced objects are no longer kept as they were, or when
 * another directory stands at the path of a root
 */
export function invertTransaction(record: TransactionRecord, history: History, scope: Scope): Inverse {
  refuseUndone(record);
  if (!areSameRoots(record.roots, rootIdentities(scope)))
    throw cannotUndo(
      record,
      "another directory stands at the path of a root that it was made in",
      "Put that directory back to its place first.",
    );
  const contents: Uint8Array[] = [];
  const keep = (index: number): number => contents.push(readFileSync(history.objectOf(record.transaction, index))) - 1;
  const steps: PreparedStep[] = [];
  for (const [index, step] of [...record.steps.entries()].reverse()) {
    refuseChanged(record, step, index, history);
    refuseOtherMode(record, step, index, scope);
    steps.push(...invertStep(record, step, index, keep), ...unmake(record, index));
  }
  return {
    contents,
    changes: {
      summary: `Undo: ${record.summary}`,
      files: record.files
        .map(({ hash: _hash, added, removed, ...file }) => ({ ...file, added: removed, removed: added }))
        .reverse(),
      steps: [...steps, ...unmake(record, undefined)],
      warnings: [],
      bytes: 0,
    },
  };
}

function cannotUndo({ transaction }: TransactionRecord, why: string, hint?: string): Failure {
  return new Failure("conflict", `Cannot undo ${transaction}: ${why}`, hint === undefined ? {} : { hint });
}

function refuseUndone(record: TransactionRecord): void {
  const { undoneBy, conflict } = record;
  if (undoneBy !== undefined)
    throw cannotUndo(record, `it was undone by ${undoneBy}`, `Undo ${undoneBy} to have it again.`);
  if (conflict) throw cannotUndo(record, "it was taken back after a crash, as far as it could be");
}

/**
 * What is kept is a second name of the old file, or the file itself, not a copy: through another name of it, or by a program
 * that had it open, somebody may have written into it since.
 */
function refuseChanged(record: TransactionRecord, step: PreparedStep, index: number, history: History): void {
  const { transaction } = record;
  if (!record.kept[index] || isStillKept(history.objectOf(transaction, index), step.before)) return;
  throw cannotUndo(
    record,
    `what it displaced at "${step.at.rel}" has changed since: it was written into by another name of it, or by a program that had it open`,
    `It is kept as it is now, in the state folder as undo/${transaction}.${index}.`,
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

/** The old file comes back with its own permissions, so those that somebody has set since would be lost. */
function refuseOtherMode(
  { transaction, steps }: TransactionRecord,
  step: PreparedStep,
  index: number,
  scope: Scope,
): void {
  if (step.op !== "put" || step.inPlace || step.before.kind !== "file" || isCovered(steps, index)) return;
  const at = locatedFrom(scope, step.at);
  const { before: now } = inspect(scope, at, "undo", { cancel: NEVER_CANCELLED, told: "mark" });
  const expected = (step.mode ?? step.before.mode) & 0o777;
  if (now.kind !== "file" || (now.mode & 0o777) === expected) return;
  const [is, was] = [now.mode & 0o777, expected].map((mode) => mode.toString(8).padStart(4, "0"));
  throw new Failure(
    "stale",
    `Cannot undo ${transaction}: the permissions of "${scope.show(at)}" were changed since, from ${was} to ${is}`,
    { hint: `Set them to ${was} again first, or leave the change as it is.` },
  );
}

/** Directories that the transaction made for its files go with it, when nothing else has come into them. */
function unmake({ made }: TransactionRecord, act: number | undefined): PreparedStep[] {
  const own = made.filter((one) => one.act === act);
  return own.reverse().map(({ at, ino, born }) => ({
    op: "remove_directory",
    at,
    follows: true,
    before: { kind: "directory", hash: "", size: 0, mode: 0o755, links: 0 },
    made: { ino, born },
  }));
}

const ABSENT: Before = { kind: "absent" };

function invertStep(
  record: TransactionRecord,
  step: PreparedStep,
  index: number,
  keep: (index: number) => number,
): PreparedStep[] {
  const before = record.after[index];
  if (!before) return [];
  // What a later step changed is there again only when that step is undone, and then exactly; but a file that is written
  // in place gets another time, and its directory another fingerprint.
  const exact = record.steps.some((one) => one.op === "put" && one.inPlace) ? {} : { exact: true as const };
  const order = isCovered(record.steps, index) ? { follows: true as const, ...exact } : {};
  const { at } = step;
  switch (step.op) {
    case "make_directory":
      return [{ ...order, op: "remove_directory", at, before }];
    case "remove_directory":
      // The directory stayed.
      if (before.kind !== "absent") return [];
      return [{ ...order, op: "make_directory", at, before: ABSENT }];
    case "move": {
      const back: PreparedStep = {
        ...order,
        op: "move",
        from: at,
        at: step.from,
        source: before,
        before: ABSENT,
      };
      if (step.before.kind === "absent") return [back];
      return [back, restore(record, index, at, ABSENT, { follows: true })];
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
  at: RootPath,
  before: Before,
  order: { readonly follows?: true },
): PreparedStep {
  const { kept, transaction } = record;
  if (kept[index]) return { ...order, op: "restore", at, before, transaction, name: String(index) };
  throw cannotUndo(record, `what was at "${at.rel}" is not kept in the state folder`);
}

/**
 * What an undo would change now, for a person who sees that files have changed since. Bounded.
 * @param hideKeys as the context of a preparing has it
 */
export function undoDiff(
  record: TransactionRecord,
  scope: Scope,
  history: History,
  hideKeys: HideKeys | undefined,
): string {
  const seen = new Set<string>();
  const diffs = record.steps.map((step, index) => {
    // What was moved stays what it is; and of several changes of one file the first displaced what comes back.
    if (step.op === "move" || seen.has(keyOf(step.at))) return "";
    seen.add(keyOf(step.at));
    try {
      const at = locatedFrom(scope, step.at);
      const options = { cancel: NEVER_CANCELLED, maxBytes: limits.MAX_EDIT_FILE_BYTES };
      const now = inspect(scope, at, "read", options).bytes ?? new Uint8Array();
      const kept = record.kept[index] ? bytesOfKept(history.objectOf(record.transaction, index)) : new Uint8Array();
      const told = describeContent({ path: scope.show(at) }, now, kept, { hideKeys });
      return told.told_diff ?? told.diff ?? "";
    } catch {
      return "";
    }
  });
  return diffs
    .filter((diff) => diff !== "")
    .join("\n")
    .slice(0, limits.MAX_DIFF_BYTES);
}

/** Only a file has content: to open a FIFO would wait for a writer. */
function bytesOfKept(path: string): Uint8Array {
  return statOf(path)?.isFile() ? readFileSync(path) : new Uint8Array();
}

/**
 * Directories that an undo takes away must be empty by then: what a transaction made goes, what came into it stays. Known
 * before anything is done, so that a dry run says the same as the undo itself.
 * @param steps of the undo. @throws Failure `conflict` for a directory that would not be empty
 */
export function refuseFilled(record: TransactionRecord, steps: readonly PreparedStep[], scope: Scope): void {
  const removed = steps.filter((step) => step.op === "remove_directory");
  const asked = removed.filter((step) => !("made" in step));
  // Directories that were only made for a file stay when something else is in them, but not in one that has to go.
  const inside = removed.filter((step) => "made" in step && asked.some(({ at }) => isAtOrBelow(step.at, at)));
  const taken = steps.flatMap((step) => {
    if (step.op === "move") return [step.from];
    return step.op === "remove" || step.op === "remove_directory" ? [step.at] : [];
  });
  const gone = new Set(taken.map(keyOf));
  for (const { at } of [...asked, ...inside]) {
    // A directory that is elsewhere now is looked at when its turn comes.
    using directory = scope.tryDirectory(locatedFrom(scope, at));
    const entries = directory ? [...readDirectory(directory)] : [];
    const left = entries.find(({ name }) => !gone.has(keyOf(inDirectory(at, name))));
    if (left === undefined) continue;
    const shown = scope.show(locatedFrom(scope, at));
    throw cannotUndo(
      record,
      `"${left.name}" has come into the directory "${shown}", which would go`,
      "Move it to another place first, or leave the change as it is.",
    );
  }
}
