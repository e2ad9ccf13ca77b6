/**
 * What a changing tool says: the summary, the diff of every file, warnings, and what happens next. The text ends with
 * the proposal's id, because that is what the next step needs.
 */
import { labelOf, operationLine, type FileChange } from "../../approval/index.ts";
import type { PendingProposal } from "../../calls/index.ts";
import { limits, type AnswerBounds } from "../../base/index.ts";
import type { ToolResult } from "../../contract/index.ts";
import { boundDiff } from "../../text/index.ts";
import type { PreparedChanges } from "../../txn/index.ts";
import type { AppliedChanges } from "../proposal/apply-changes.ts";
import type { WorkerConfig } from "../worker-config.ts";

/** A model knows what it gave to a call; who approves it is shown all of it. */
const MAX_NOTE_CHARS = 4000;

/** @param answers how much text an answer usually has: diffs are cut to it, as all of them are in the proposal */
export function proposedAnswer(
  sealed: PreparedChanges,
  view: PendingProposal & { readonly digest: string },
  answers: AnswerBounds,
): ToolResult {
  const next = `Nothing is written yet. A person, or the program that runs this host, decides before ${view.expiresAt}; you need not call again. Proposal ${labelOf(view)}`;
  const warnings = sealed.warnings.map((one) =>
    one.length <= MAX_NOTE_CHARS ? one : `${one.slice(0, MAX_NOTE_CHARS)}...`,
  );
  const said = { ...sealed, warnings };
  const ids = { proposal: view.id, digest: view.digest, suggested_rules: view.suggested_rules };
  return answer("proposed", { head: `Proposed: ${sealed.summary}.`, next, ids }, said, answers);
}

/** The answer of a dry run. */
export function triedAnswer(sealed: PreparedChanges, answers: AnswerBounds): ToolResult {
  const words = { head: `Would be made: ${sealed.summary}.`, next: "Nothing is written.", ids: {} };
  return answer("tried", words, sealed, answers);
}

export function appliedAnswer(
  sealed: PreparedChanges,
  transaction: string,
  { durability, answers }: Pick<WorkerConfig, "durability" | "answers">,
): ToolResult {
  const head = `Applied: ${sealed.summary}.`;
  return answer("applied", { head, ...transactionPart(transaction, durability) }, sealed, answers);
}

/** Whoever is told that something is done may take it that a crash of the machine does not undo it. */
function transactionPart(transaction: string, durability: "full" | "fast"): { next: string; ids: object } {
  const isFast = durability === "fast";
  const next = `Transaction ${transaction}${isFast ? ", not flushed to the disk (--durability=fast)" : ""}`;
  return { next, ids: { transaction, ...(isFast ? { durability } : {}) } };
}

/** To the call that proposed it, when a person approved it meanwhile. */
export function approvedAnswer(
  { summary, files, transaction, left_out }: AppliedChanges,
  { durability, answers }: Pick<WorkerConfig, "durability" | "answers">,
): ToolResult {
  const left = left_out?.length ?? 0;
  const warnings = left === 0 ? [] : [`The person left out ${left} parts of it.`];
  const head = `Applied: ${summary}. A person approved it.`;
  const words = { head, ...transactionPart(transaction, durability) };
  return answer("applied", words, { summary, files, warnings }, answers);
}

export function unchangedAnswer(sealed: PreparedChanges, answers: AnswerBounds): ToolResult {
  return answer("unchanged", { head: "Nothing to change.", next: "", ids: {} }, sealed, answers);
}

type Shown = Pick<PreparedChanges, "summary" | "files" | "warnings">;

interface Words {
  readonly head: string;
  /** At the end: what happens next. */
  readonly next: string;
  readonly ids: object;
}

function answer(status: string, { head, next, ids }: Words, sealed: Shown, { usualBytes }: AnswerBounds): ToolResult {
  const open = withoutSharedDiffs(sealed.files);
  const files = fitDiffs(open, usualBytes);
  const diffs = files.map((file) => file.diff ?? "").filter((diff) => diff !== "");
  const left = files.filter((file, index) => file.diff === undefined && open[index]?.diff !== undefined).length;
  const warnings = sealed.warnings.map((warning) => `Note: ${warning}`);
  for (const { path } of sealed.files.filter(({ shared }) => shared))
    warnings.push(`Note: What "${path}" held is not shown here, because the file has other names.`);
  if (left > 0) warnings.push(`Note: The diffs of ${left} more files are left out here; the proposal has them.`);
  const text = [head, ...warnings, ...operationsOf(sealed), ...diffs.map((diff) => diff.trimEnd()), next]
    .filter((part) => part !== "")
    .join("\n");
  const structured = {
    status,
    ...ids,
    summary: sealed.summary,
    warnings: sealed.warnings,
    files: withoutObjects(files),
  };
  return { text, structured };
}

/** Who overwrites a file need not learn what it held: its other names may lie where nothing can be read. */
export function withoutSharedDiffs(files: readonly FileChange[]): FileChange[] {
  return files.map((file) => {
    const { diff: _diff, ...rest } = file;
    return file.shared ? rest : file;
  });
}

const MAX_LINES = 100;

/** What the lines say of it. A link's target is for people. */
export function withoutObjects(files: readonly FileChange[]): FileChange[] {
  return files.map(
    ({ before: _before, after: _after, source_absolute: _source, replaced_diff: _diff, ...file }) => file,
  );
}

/** Every one of several changes in a line, before any diff. */
function operationsOf({ files }: Shown): string[] {
  if (files.length < 2) return [];
  const lines = files.map((file) => `${operationLine(file, "short")}.`);
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `And ${more} more.`] : lines;
}

/** As an answer and the history hold them; those that are shown to a person are whole. */
export function cutDiffs(files: readonly FileChange[]): FileChange[] {
  return files.map((file) => {
    if (file.diff === undefined) return without(file);
    const { text, truncated } = boundDiff(file.diff, limits.MAX_DIFF_BYTES);
    return truncated ? { ...file, diff: text, diff_truncated: true } : file;
  });
}

function without({ replaced_diff: _diff, ...file }: FileChange): FileChange {
  return file;
}

/** What there is room for, from the first file on; the diff that does not fit is cut. */
function fitDiffs(files: readonly FileChange[], bytes: number): FileChange[] {
  let left = bytes;
  return files.map((file) => {
    if (file.diff === undefined) return file;
    const { text, truncated } = boundDiff(file.diff, Math.max(left, 0));
    const isShown = left > 0;
    left -= Buffer.byteLength(file.diff);
    if (!truncated) return file;
    const { diff: _diff, ...rest } = file;
    return { ...rest, ...(isShown ? { diff: text } : {}), diff_truncated: true };
  });
}

/** The size of all diffs of one view of a proposal; each diff has a bound of its own. */
const MAX_VIEW_DIFF_BYTES: number = 4 * limits.MAX_DIFF_BYTES;

export function boundDiffs(files: readonly FileChange[]): FileChange[] {
  let left = MAX_VIEW_DIFF_BYTES;
  return files.map((file) => {
    left -= Buffer.byteLength(file.diff ?? "");
    if (file.diff === undefined || left >= 0) return file;
    const { diff: _diff, ...rest } = file;
    return { ...rest, diff_truncated: true };
  });
}
