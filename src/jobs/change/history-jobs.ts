/**
 * What the change worker does about the past: list transactions, undo one, recover what dead hosts have left. And what
 * it does for a program whose declaration names files to be kept: their copies come into the history before it runs,
 * and what it made of them is noted as a transaction that can be undone.
 */
import type { FileChange, Operation } from "../../approval/index.ts";
import { Failure, isoTime, limits, monotonicMs } from "../../base/index.ts";
import type { Transaction, Undone } from "../../calls/index.ts";
import type { JobContext } from "../../pool/index.ts";
import { errnoOf, type Located, type Scope } from "../../scope/index.ts";
import { findFiles } from "../../search/index.ts";
import {
  checkSteps,
  commitChanges,
  invertTransaction,
  keepFiles,
  type KeptNote,
  type NotedChange,
  noteKept,
  refuseFilled,
  type TransactionRecord,
  undoDiff,
} from "../../txn/index.ts";
import type { Ruling } from "../ruled-scopes.ts";
import type { ScopeConfig } from "../worker-config.ts";
import type { ChangeBench } from "./change-bench.ts";

export interface HistoryInput {
  /** Also whether each can be undone, which looks at its files. */
  readonly check?: boolean | undefined;
}

/** For looking at the files of old transactions; what is left then is listed without. */
const CHECK_MS = 3000;

export function listHistory({ check }: HistoryInput, bench: ChangeBench, job: JobContext): Transaction[] {
  const until = monotonicMs() + CHECK_MS;
  return bench.books.history.list().map((record) => {
    const isChecked = check === true && record.undoneBy === undefined && monotonicMs() < until;
    const failure = isChecked ? whyNot(record, bench, job) : undefined;
    return {
      transaction: record.transaction,
      at: isoTime(record.at),
      tool: record.tool,
      summary: record.summary,
      paths: record.files.map(({ absolute }) => absolute),
      bytes: record.bytes,
      ...(record.proposal === undefined ? {} : { proposal: record.proposal }),
      ...(record.undoes === undefined ? {} : { undoes: record.undoes }),
      ...(record.undoneBy === undefined ? {} : { undone_by: record.undoneBy }),
      ...(record.conflict ? { conflict: true as const } : {}),
      ...(record.left ? { left: record.left } : {}),
      ...(failure ? { cannot_undo: failure.message } : {}),
    };
  });
}

function whyNot(record: TransactionRecord, bench: ChangeBench, job: JobContext): Failure | undefined {
  try {
    prepareUndo(record, bench, job);
    return undefined;
  } catch (thrown) {
    return reasonOf(thrown);
  }
}

export interface UndoInput {
  /** Default: the last one that can be undone, was not and is no undo itself. */
  readonly transaction?: string | undefined;
  readonly dry_run?: boolean | undefined;
}

/** @throws Failure `stale` with `details.diff` when files have changed since; `not_found`; `conflict` */
export function undo(input: UndoInput, bench: ChangeBench, job: JobContext): Undone {
  const { history } = bench.books;
  if (input.transaction !== undefined) return undoOne(history.get(input.transaction), input, bench, job);
  const candidates = history.list().filter(({ undoneBy, undoes, conflict }) => !undoneBy && !undoes && !conflict);
  const skipped: NonNullable<Undone["skipped"]>[number][] = [];
  for (const record of candidates) {
    const { transaction, summary } = record;
    try {
      const answer = undoOne(record, { ...input, transaction }, bench, job);
      if (answer.canUndo) return skipped.length === 0 ? answer : { ...answer, skipped };
      skipped.push({ transaction, summary, error: answer.error ?? "" });
    } catch (thrown) {
      skipped.push({ transaction, summary, error: reasonOf(thrown).message });
    }
  }
  const [newest] = candidates;
  // It fails again, and tells all about it.
  if (newest) return undoOne(newest, input, bench, job);
  throw new Failure("not_found", "Cannot undo: there is nothing that can be undone", {
    hint: "Transactions are kept for a week, the newest within a gigabyte, unless the host was told otherwise.",
  });
}

function undoOne(record: TransactionRecord, input: UndoInput, bench: ChangeBench, job: JobContext): Undone {
  const about = {
    transaction: record.transaction,
    summary: record.summary,
    files: undoneFiles(record.files),
    insertions: record.files.reduce((sum, { removed }) => sum + removed, 0),
    deletions: record.files.reduce((sum, { added }) => sum + added, 0),
  };
  try {
    const ready = prepareUndo(record, bench, job);
    if (!input.dry_run) return { ...about, canUndo: true, undo: commitUndo(record, ready, bench, job) };
    return { ...about, canUndo: true, ...diffOf(record, bench) };
  } catch (thrown) {
    const failure = reasonOf(thrown);
    const shown = failure.code === "stale" ? diffOf(record, bench) : {};
    if (input.dry_run) return { ...about, canUndo: false, error: failure.message, ...shown };
    throw new Failure(failure.code, failure.message, {
      ...failure.data,
      details: { ...failure.data.details, ...shown },
    });
  }
}

function diffOf(record: TransactionRecord, bench: ChangeBench): { readonly diff?: string } {
  const diff = undoDiff(record, scopeFor(record, bench), bench.books.history, bench.hideKeys);
  return diff === "" ? {} : { diff };
}

/** Everything that can be known before it is done. @throws Failure */
function prepareUndo(record: TransactionRecord, bench: ChangeBench, job: JobContext) {
  const scope = scopeFor(record, bench);
  const inverse = invertTransaction(record, bench.books.history, scope);
  checkSteps(inverse.changes.steps, { scope, cancel: job.cancel, undoes: true });
  refuseFilled(record, inverse.changes.steps, scope);
  return { inverse, scope };
}

function scopeFor({ transaction, scope }: TransactionRecord, bench: ChangeBench): Scope {
  return bench.scopeOf({
    scope: scope as unknown as ScopeConfig,
    verb: `undo the transaction "${transaction}"`,
    command: ["undo", transaction],
  });
}

/**
 * Why one transaction cannot be undone. What says nothing about that is thrown on: a lock that was not had, the end of
 * the call, a bug.
 */
function reasonOf(thrown: unknown): Failure {
  const errno = thrown instanceof Failure ? undefined : errnoOf(thrown);
  if (errno !== undefined)
    return new Failure("conflict", `Cannot undo: the operating system answered ${errno}`, {
      hint: "What is needed for it is gone, or cannot be reached now.",
    });
  const passes = ["busy", "cancelled", "timed_out", "internal"];
  if (thrown instanceof Failure && !passes.includes(thrown.code)) return thrown;
  throw thrown;
}

function commitUndo(
  record: TransactionRecord,
  { inverse, scope }: ReturnType<typeof prepareUndo>,
  bench: ChangeBench,
  job: JobContext,
): string {
  const { changes, contents } = inverse;
  const about = {
    tool: "undo",
    summary: changes.summary,
    files: changes.files.map(undoneFile),
    scope: record.scope,
    undoes: record.transaction,
  };
  const content = (index: number): Uint8Array => contents[index] ?? new Uint8Array();
  const ctx = { scope, ...job, content, stores: bench.books, recover: () => void bench.recover() };
  return commitChanges(changes, about, ctx).transaction;
}

const INVERSE: Readonly<Record<Operation, Operation>> = {
  create: "delete",
  create_directory: "delete",
  copy: "delete",
  delete: "create",
  overwrite: "overwrite",
  edit: "edit",
  append: "edit",
  move: "move",
  none: "none",
};

/** The file as the note of the undo has it. */
function undoneFile(file: FileChange): FileChange {
  const { operation, path, source, size_before: before } = file;
  if (operation === "move" && source !== undefined) return { ...file, path: source, source: path };
  // A copy over something else brings that back.
  const isOver = operation === "copy" && before !== undefined;
  return { ...file, operation: isOver ? "overwrite" : INVERSE[operation] };
}

/** Last first, as it is done. */
function undoneFiles(files: readonly FileChange[]): Undone["files"][number][] {
  return files
    .map(undoneFile)
    .reverse()
    .map(({ operation, path, absolute, source }) =>
      source === undefined || operation !== "move" ? { path: absolute, operation } : { path, operation, source },
    );
}

export interface KeepInput {
  readonly globs: readonly string[];
  readonly ruling: Ruling;
}

export interface KeptBefore {
  readonly note: KeptNote;
  /** There are more files than are kept: which ones are new cannot be told afterwards. */
  readonly cut: boolean;
}

export interface NoteInput extends KeepInput, KeptBefore {
  readonly tool: string;
  /** For people: what ran. */
  readonly what: string;
}

export interface NotedAfter {
  /** Absent when nothing of what was kept was changed. */
  readonly transaction?: string;
  readonly files: readonly NotedChange[];
}

export function keepBefore({ globs, ruling }: KeepInput, bench: ChangeBench, job: JobContext): KeptBefore {
  const scope = bench.ruledScope(ruling);
  const { files, cut } = filesOf(globs, scope, bench, job);
  const { config, books } = bench;
  const maxBytes = Math.min(limits.MAX_SNAPSHOT_BYTES, config.undo.maxBytes);
  return { note: keepFiles(files, { scope, cancel: job.cancel, history: books.history, maxBytes }), cut };
}

export function noteAfter(
  { globs, ruling, note, cut, tool, what }: NoteInput,
  bench: ChangeBench,
  job: JobContext,
): NotedAfter {
  const scope = bench.ruledScope(ruling);
  const found = cut ? [] : filesOf(globs, scope, bench, job).files;
  const ctx = { scope, cancel: job.cancel, history: bench.books.history };
  const files = noteKept(note, found, { tool, what, scope: { ...bench.config.scope } }, ctx);
  return files.length === 0 ? { files } : { transaction: note.transaction, files };
}

/** Relative to each root that can be written. */
function filesOf(
  globs: readonly string[],
  scope: Scope,
  { config }: ChangeBench,
  job: JobContext,
): { files: readonly Located[]; cut: boolean } {
  const files: Located[] = [];
  let cut = false;
  for (const root of scope.roots) {
    if (root.readOnly) continue;
    const start = { root, rel: "", mustBeDirectory: true, asked: "." };
    const room = limits.MAX_SNAPSHOT_FILES - files.length;
    const found = findFiles({ scope, ...job, skip: config.skip }, start, globs, room);
    // A root inside another one is walked twice; its files are kept once.
    const known = new Set(files.map((at) => scope.absolute(at)));
    files.push(...found.files.filter((at) => !known.has(scope.absolute(at))));
    cut ||= found.cut;
  }
  return { files, cut };
}
