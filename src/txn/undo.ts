/**
 * The undo of a transaction: a change set like any other, made from its note in the history, with what the transaction
 * left as what must be there. So it is checked, written down, committed and undone like any other.
 */
import { readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { Failure, limits, NEVER_CANCELLED } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import type { HistoryStore } from "../state/index.ts";
import { decodeText, unifiedDiff } from "../text/index.ts";
import type { TransactionRecord } from "./history.ts";
import { isCovered } from "./covered.ts";
import { inspect } from "./inspect.ts";
import { type Before, type Sealed, type SealedFile, type SealedPath, type SealedStep } from "./sealed.ts";
import { locatedFrom } from "./target.ts";

export interface Inverse {
  readonly sealed: Sealed;
  readonly contents: readonly Uint8Array[];
}

const ABSENT: Before = { kind: "absent" };

/** @throws Failure `conflict` for one that was undone, or whose displaced objects are no longer kept */
export function invertTransaction(
  record: TransactionRecord,
  history: HistoryStore<TransactionRecord>,
): Inverse {
  refuseUndone(record);
  const contents: Uint8Array[] = [];
  const keep = (index: number): number =>
    contents.push(readFileSync(join(history.folderOf(record.transaction), String(index)))) - 1;
  const steps = record.steps
    .map((_, index) => index)
    .reverse()
    .flatMap((index) => invertStep(record, index, keep));
  const files = record.files.map(invertFile).reverse();
  return {
    contents,
    sealed: { summary: `Undo: ${record.summary}`, files, steps, warnings: [], bytes: 0 },
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

function invertFile(file: SealedFile): SealedFile {
  const { hash: _hash, added, removed, ...rest } = file;
  return { ...rest, added: removed, removed: added };
}

/** What an undo would change now, for a person who sees that files have changed since. Bounded. */
export function undoDiff(
  record: TransactionRecord,
  scope: Scope,
  history: HistoryStore<TransactionRecord>,
): string {
  const diffs = record.steps.map((step, index) => {
    try {
      const at = locatedFrom(scope, step.at);
      const now = inspect(scope, at, "read", {
        cancel: NEVER_CANCELLED,
        maxBytes: limits.MAX_EDIT_FILE_BYTES,
      });
      const kept = record.kept[index]
        ? readFileSync(join(history.folderOf(record.transaction), String(index)))
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

/** Directories that the transaction made for its files go with it, when nothing else has come into them. */
export function removeMadeParents(scope: Scope, { parents }: TransactionRecord): void {
  for (const path of [...parents].reverse()) {
    try {
      using place = scope.place(locatedFrom(scope, path), "undo");
      rmdirSync(place.entry);
    } catch {
      return;
    }
  }
}
