/**
 * What a changing tool says: the summary, the diff of every file, warnings, and what happens next; and beside it what the host
 * keeps of the change and puts on record. The text ends with the proposal's id, because that is what the next step needs.
 */
import { type FileChange, labelOf, operationLine } from "../../approval/index.ts";
import { type AnswerBounds, limits } from "../../base/index.ts";
import type { PendingProposal } from "../../calls/index.ts";
import { resultMembers, type ToolResult } from "../../contract/index.ts";
import { ResultText } from "../../pool/index.ts";
import { boundDiff, count } from "../../text/index.ts";
import type { AnswerToKeep, PreparedChanges } from "../../txn/index.ts";
import type { AppliedChanges } from "../proposal/apply-changes.ts";
import type { ChangeFacts, Repeat, ToldOfChange } from "../proposal/proposal.ts";
import type { WorkerConfig } from "../worker-config.ts";
import type { ChangeBench } from "./change-bench.ts";

/** A model knows what it gave to a call; who approves it is shown all of it. */
const MAX_NOTE_CHARS = 4000;

/** @param answers how much text an answer usually has: diffs are cut to it, as all of them are in the proposal */
export function proposedAnswer(
  prepared: PreparedChanges,
  view: PendingProposal & { readonly digest: string },
  answers: AnswerBounds,
): ToolResult {
  const next = `Nothing is written yet. A person, or the program that runs this host, decides before ${view.expiresAt}; you need not call again. Proposal ${labelOf(view)}`;
  const warnings = prepared.warnings.map((one) =>
    one.length <= MAX_NOTE_CHARS ? one : `${one.slice(0, MAX_NOTE_CHARS)}...`,
  );
  const ids = { proposal: view.id, digest: view.digest, suggested_rules: view.suggested_rules };
  const words = { head: `Proposed: ${prepared.summary}.`, next, ids };
  return answer("proposed", words, { ...prepared, warnings }, answers);
}

/** To the call that proposed it, when a person approved it meanwhile. */
export function approvedAnswer(
  { summary, files, transaction, left_out = [] }: AppliedChanges,
  config: Pick<WorkerConfig, "durability" | "answers">,
  told?: ToldOfChange,
): ToolResult {
  const left = left_out.length === 0 ? [] : [`The person left out ${count(left_out.length, "part")} of it.`];
  const warnings = [...(told?.warnings ?? []), ...left];
  const head = `Applied: ${summary}. A person approved it.`;
  // How many places stand in a part of a file was not counted.
  const made: readonly FileChange[] = files;
  const isWhole = (file: FileChange): boolean => !left_out.some(({ path }) => path === file.path);
  const counted = made.map((file) => {
    const replacements = isWhole(file) ? told?.replacements[file.absolute] : undefined;
    return replacements === undefined ? file : { ...file, replacements };
  });
  return appliedAnswer(head, transaction, { summary, files: counted, warnings }, config);
}

/** Whoever is told that something is done may take it that a crash of the machine does not undo it. */
function appliedAnswer(
  head: string,
  transaction: string,
  shown: Shown,
  { durability, answers }: Pick<WorkerConfig, "durability" | "answers">,
): ToolResult {
  const isFast = durability === "fast";
  const next = `Transaction ${transaction}${isFast ? ", not flushed to the disk (--durability=fast)" : ""}`;
  return answer("applied", { head, next, ids: { transaction, ...(isFast ? { durability } : {}) } }, shown, answers);
}

/** The result of a change that is over: made at once, or as a repeat of the call is to be told. */
export function appliedResult(
  prepared: PreparedChanges,
  transaction: string,
  results: "text" | "structured",
  { config, redactor }: Pick<ChangeBench, "config" | "redactor">,
): ResultText<ChangeFacts> {
  const said = appliedAnswer(`Applied: ${prepared.summary}.`, transaction, prepared, config);
  return new ResultText(resultMembers(said, results, redactor), factsOf("applied", prepared, { transaction }));
}

/** What a repeat of the call is answered with. */
export function answerFor({ key, digest, results }: Repeat, bench: ChangeBench) {
  return (transaction: string, prepared: PreparedChanges): AnswerToKeep => {
    const { text, factsText } = appliedResult(prepared, transaction, results, bench);
    return { key, digest, payload: text, facts: factsText };
  };
}

/** The result of a change that is only looked at: a dry run, or one that would change nothing. */
export function plannedResult(
  status: "unchanged" | "tried",
  prepared: PreparedChanges,
  bench: ChangeBench,
  next = "Nothing is written.",
): ResultText<ChangeFacts> {
  const words =
    status === "unchanged"
      ? { head: "Nothing to change.", next: "", ids: {} }
      : { head: `Would be made: ${prepared.summary}.`, next, ids: {} };
  const said = answer(status, words, prepared, bench.config.answers);
  return changeResult(said, factsOf(status, prepared), bench);
}

/** An answer with what the host keeps of the change and puts on record. */
function changeResult(
  said: ToolResult,
  facts: string,
  { config, redactor }: Pick<ChangeBench, "config" | "redactor">,
): ResultText<ChangeFacts> {
  return new ResultText(resultMembers(said, config.facts.results, redactor), facts);
}

export function factsOf(status: ChangeFacts["status"], { files }: Pick<Shown, "files">, more: object = {}): string {
  const changed = files.map(({ absolute, operation, hash, added, removed, source_absolute: source }) => {
    const known = hash === undefined ? {} : { hash };
    return { path: absolute, operation, added, removed, ...known, ...(source === undefined ? {} : { source }) };
  });
  const operations = files.map((file) => operationLine(file, "full"));
  return JSON.stringify({ status, files: changed, operations, ...more });
}

type Shown = Pick<PreparedChanges, "summary" | "files" | "warnings" | "data">;

interface Words {
  readonly head: string;
  /** At the end: what happens next. */
  readonly next: string;
  readonly ids: object;
}

function answer(status: string, { head, next, ids }: Words, shown: Shown, { usualBytes }: AnswerBounds): ToolResult {
  const { summary, warnings } = shown;
  const isShared = shown.files.filter(({ shared }) => shared);
  const notes = fitLines("Note: ", usualBytes / 8, [
    ...warnings,
    ...isShared.map(({ path }) => `What "${path}" held is not shown here, because the file has other names.`),
  ]);
  const operations = operationsOf(shown, usualBytes / 2);
  const open = withoutSharedDiffs(shown.files).map(asTold);
  const files = fitDiffs(open, usualBytes - bytesOf(operations));
  const diffs = files.flatMap(({ diff = "" }) => (diff === "" ? [] : [diff.trimEnd()]));
  const left = files.filter((file, index) => file.diff === undefined && open[index]?.diff !== undefined).length;
  if (left > 0) notes.push(`Note: The diffs of ${left} more files are left out here; the proposal has them.`);
  const parts = [head, ...notes, ...operations, ...diffs, next];
  const text = parts.filter((part) => part !== "").join("\n");
  return { text, structured: { status, ...ids, summary, warnings, ...shown.data, files: withoutObjects(files) } };
}

function asTold({ told_diff, ...file }: FileChange): FileChange {
  return told_diff === undefined ? file : { ...file, diff: told_diff };
}

/** For people, and for whoever shows them the diff. */
export function withoutTold({ told_diff, ...file }: FileChange): FileChange {
  return told_diff === undefined ? file : { ...file, tells_secrets: true };
}

/** Who overwrites a file need not learn what it held: its other names may lie where nothing can be read. */
export function withoutSharedDiffs(files: readonly FileChange[]): FileChange[] {
  return files.map((file) => {
    const { diff: _diff, ...rest } = file;
    return file.shared ? rest : file;
  });
}

/** What the lines say of it. A link's target is for people. */
export function withoutObjects(files: readonly FileChange[]): (FileChange & { readonly replaces?: boolean })[] {
  return files.map(
    ({ before, after: _after, source_absolute: _source, replaced_diff: _diff, told_diff: _told, ...file }) => {
      const isPut = file.operation === "move" || file.operation === "copy";
      return isPut && before !== undefined ? { ...file, replaces: true } : file;
    },
  );
}

const MAX_LINES = 100;

/** Every one of several changes in a line, before any diff. */
function operationsOf({ files }: Shown, bytes: number): string[] {
  if (files.length < 2) return [];
  return fitLines(
    "",
    bytes,
    files.map((file) => `${operationLine(file, "short")}.`),
  );
}

/** The first of the lines, at least one, and how many there are besides. */
function fitLines(before: string, bytes: number, all: readonly string[]): string[] {
  const lines = all.map((line) => before + line);
  let left = bytes;
  const shown = lines.slice(0, MAX_LINES).filter((line, index) => {
    left -= bytesOf([line]);
    return left >= 0 || index === 0;
  });
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `${before}And ${more} more.`] : lines;
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** As an answer and the history hold them; those that are shown to a person are whole. */
export function cutDiffs(files: readonly FileChange[]): FileChange[] {
  return files.map((file) => {
    const { replaced_diff: _diff, ...rest } = file;
    if (file.diff === undefined) return rest;
    const { text, truncated } = boundDiff(file.diff, limits.MAX_DIFF_BYTES);
    return truncated ? { ...file, diff: text, diff_truncated: true } : file;
  });
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
