/**
 * One file of a grep: opened, searched to the end or to the limit, and put into the answer in the form that was asked
 * for. Whatever is odd about the file is counted; nothing about it fails the call.
 */
import { closeSync } from "node:fs";
import { Failure, type InTurns } from "../../base/index.ts";
import type { ListedFile, ListedFiles, Located } from "../../scope/index.ts";
import { type Room, type SearchContext, sizeOfPath, takeOne } from "../context.ts";
import { MatchStopped } from "../engine/backtracking-matcher.ts";
import { wasMasked, type Matcher } from "../engine/matcher.ts";
import { spentFailure } from "../engine/pattern-failure.ts";
import { BudgetSpent, TextTooLong } from "../engine/pcre-engine.ts";
import {
  BINARY_HEAD_BYTES,
  countHits,
  fileHits,
  type FileNotes,
  type FileSearch,
  type Hit,
  type Hits,
} from "./file-hits.ts";
import { collectMatches, maxHits, spansIn } from "./file-matches.ts";
import type { FileFound, FilePlace, FileTotals, GrepPlan } from "./grep-answer.ts";
import { openTextSource, type TextSource, type WindowBuffer } from "./line-windows.ts";
import { MAX_MULTILINE_BYTES, multilineHits } from "./multiline-hits.ts";

/** Everything that the files of one grep have in common. */
export interface GrepRun {
  readonly ctx: SearchContext;
  readonly plan: GrepPlan;
  readonly matcher: Matcher;
  readonly buffer: WindowBuffer;
  readonly files: ListedFiles;
  readonly totals: FileTotals;
  readonly follow: boolean;
  readonly onBytes: (count: number) => void;
}

/** A file of a walk, by its name in its directory. */
export interface FoundFile {
  readonly parent: Located;
  readonly name: string;
}

/** A file that the walk gave. */
export function grepFile(run: GrepRun, file: FoundFile, room: Room, after?: FilePlace): InTurns<FileFound> {
  const { ctx, files, follow } = run;
  const at = (): Located => ctx.scope.child(file.parent, file.name);
  const open = (): ListedFile => (follow ? openLooked(run, at()) : files.open(file.parent, file.name, "search"));
  return grepAny(run, open, at, false, room, after);
}

/** The file that the caller named. */
export function grepNamedFile(run: GrepRun, at: Located, room: Room, after?: FilePlace): InTurns<FileFound> {
  return grepAny(
    run,
    () => openLooked(run, at),
    () => at,
    true,
    room,
    after,
  );
}

function openLooked({ ctx }: GrepRun, at: Located): ListedFile {
  const { fd, stat } = ctx.scope.openFile(at, "search");
  return { fd, size: Number(stat.size) };
}

function* grepAny(
  run: GrepRun,
  open: () => ListedFile,
  at: () => Located,
  isNamed: boolean,
  room: Room,
  after: FilePlace | undefined,
): InTurns<FileFound> {
  let file: ListedFile;
  try {
    file = open();
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    run.totals.unreadable++;
    return NOTHING;
  }
  try {
    return yield* grepOpen(run, file, at, isNamed, room, after);
  } catch (thrown) {
    if (thrown instanceof MatchStopped) return { ...NOTHING, end: "stopped" };
    if (thrown instanceof BudgetSpent) throw spentFailure(run.plan.pattern, run.ctx.scope.show(at()));
    if (thrown instanceof TextTooLong) {
      run.totals.tooLarge++;
      return NOTHING;
    }
    // Reading failed in the middle: a disk error, a file system that went away.
    if (!(thrown instanceof Error && "syscall" in thrown)) throw thrown;
    run.totals.unreadable++;
    return NOTHING;
  } finally {
    closeSync(file.fd);
  }
}

const NOTHING: FileFound = { end: "done", matches: [], count: 0 };

function* grepOpen(
  run: GrepRun,
  file: ListedFile,
  at: () => Located,
  isNamed: boolean,
  room: Room,
  after: FilePlace | undefined,
): InTurns<FileFound> {
  const { ctx, plan, matcher, buffer, onBytes } = run;
  const source = openTextSource(file, buffer.bytes);
  if (source === "too_large" || (matcher.spansLines && source.size > MAX_MULTILINE_BYTES)) {
    run.totals.tooLarge++;
    return NOTHING;
  }
  if (source.isWhole && !plan.invert) {
    // Nearly every file of a tree ends here.
    const text = buffer.bytes.subarray(0, source.head);
    if (!matcher.mayMatch(text)) return passOver(run, text, isNamed);
  }
  const search: FileSearch = {
    source,
    matcher,
    buffer,
    cancel: ctx.cancel,
    turn: ctx.turn,
    invert: plan.invert,
    maxMatches: plan.maxCount,
    isNamed,
    isText: plan.isText,
    onBytes,
  };
  const notes: FileNotes = { isBinary: false, longLines: 0, isMasked: false, isStopped: false };
  const path = ctx.scope.show(at());
  run.totals.searched++;
  wasMasked();
  const found =
    plan.output === "content"
      ? yield* collectMatches(run, hitsOf(run, search, notes), source, path, room, after)
      : yield* tally(run, search, path, room, notes);
  buffer.shrink();
  if (notes.isBinary) run.totals.binary++;
  if (wasMasked() || notes.isMasked) run.totals.invalidUtf8++;
  run.totals.longLines += notes.longLines;
  return notes.isStopped ? { ...found, end: "stopped" } : found;
}

/** A text that surely has no match. */
function passOver(run: GrepRun, text: Buffer, isNamed: boolean): FileFound {
  run.onBytes(text.length);
  run.totals.searched++;
  const isHead = isNamed || run.matcher.spansLines;
  if (!run.plan.isText && (isHead ? text.subarray(0, BINARY_HEAD_BYTES) : text).includes(0)) run.totals.binary++;
  return NOTHING;
}

function hitsOf(run: GrepRun, search: FileSearch, notes: FileNotes): Hits {
  return run.matcher.spansLines ? multilineHits(search, notes) : fileHits(search, notes);
}

/** For `files` the first hit is enough. */
function* tally(run: GrepRun, search: FileSearch, path: string, room: Room, notes: FileNotes): InTurns<FileFound> {
  const { plan } = run;
  const most = maxHits(run);
  let lines = 0;
  let count = 0;
  if (plan.output === "count" && !countsMatches(run)) lines = count = yield* countHits(search, notes, most);
  else {
    const counter = new MatchCounter(run.matcher);
    for (const hit of hitsOf(run, search, notes)) {
      if (hit instanceof Promise) {
        yield hit;
        continue;
      }
      lines++;
      if (plan.output === "count") counter.add(hit, search.source);
      if (plan.output === "files" || lines >= most) break;
    }
    count = plan.output === "files" ? lines : counter.count;
  }
  if (count === 0 || notes.isStopped) return NOTHING;
  // As ripgrep: what stands before a NUL does not count for the file.
  if (notes.isBinary && plan.output === "count" && lines < most) return NOTHING;
  if (!takeOne(room, sizeOfPath(path))) return { ...NOTHING, end: "full" };
  return { ...NOTHING, count };
}

/**
 * As ripgrep counts matches: a line counts one at least, also when its only match is empty and stands behind it. Where
 * matches can span lines, lines that follow each other count one at least together.
 */
class MatchCounter {
  readonly #matcher: Matcher;
  #before = 0;
  /** In the last line, or in the last ones that follow each other. */
  #matches = 0;
  #endLine = 0;

  constructor(matcher: Matcher) {
    this.#matcher = matcher;
  }

  get count(): number {
    return this.#before + (this.#endLine === 0 ? 0 : Math.max(1, this.#matches));
  }

  add(hit: Hit, source: TextSource): void {
    const goesOn = this.#matcher.spansLines && hit.line === this.#endLine + 1;
    if (!goesOn) [this.#before, this.#matches] = [this.count, 0];
    this.#matches += spansIn(this.#matcher, hit, source).length / 2;
    this.#endLine = hit.endLine;
  }
}

/** Not lines: with `onlyMatching`, and where matches can span lines. */
function countsMatches({ plan, matcher }: GrepRun): boolean {
  return plan.onlyMatching || (matcher.spansLines && !plan.invert);
}
