/**
 * Before and after a program whose declaration names files to be kept: their copies come into the history first, and what
 * it made of them is noted as a transaction that can be undone.
 */
import { limits } from "../../base/index.ts";
import type { JobContext } from "../../pool/index.ts";
import type { Located, Scope } from "../../scope/index.ts";
import { findFiles } from "../../search/index.ts";
import { keepFiles, noteKept, type KeptNote, type NotedChange } from "../../txn/index.ts";
import type { ChangeBench } from "./change-bench.ts";
import type { Ruling } from "../ruled-scopes.ts";

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
