/**
 * One file of a grep: opened, searched to the end or to the limit, and put into the answer in the form that was asked
 * for. Whatever is odd about the file is counted; nothing about it fails the call.
 */
import { closeSync } from "node:fs";
import { Failure, type InTurns } from "../../base/index.ts";
import type { ListedFile, Located } from "../../scope/index.ts";
import { type Room, sizeOfPath, takeOne } from "../context.ts";
import { MatchStopped } from "../engine/backtracking-matcher.ts";
import { TextTooLong } from "../engine/capturer.ts";
import { wasMasked, spentFailure } from "../engine/matcher.ts";
import { BudgetSpent } from "../engine/pcre-engine.ts";
import { BINARY_HEAD_BYTES, countHits, type FileSearch } from "./file-hits.ts";
import { collectMatches, hitsOf, maxHits, spansIn } from "./file-matches.ts";
import type { FileFound, FilePlace, GrepRun } from "./grep-answer.ts";
import { openTextSource, type TextSource } from "./line-windows.ts";
import { MAX_MULTILINE_BYTES } from "./multiline-hits.ts";

/** A file of a walk, by its name in its directory. */
export interface FoundFile {
  readonly parent: Located;
  readonly name: string;
}

/**
 * Nearly every file of a tree holds no match, and is done with at once: a generator for each took a twelfth of a search.
 * @returns what the file gave, or the work that finds it: it has the file open and its text in the buffer that all files share, so
 *   it is to be done to its end, and before the next file is begun
 */
export function grepFile(run: GrepRun, file: FoundFile, room: Room, after?: FilePlace): FileFound | InTurns<FileFound> {
  const { ctx, files, plan } = run;
  const at = (): Located => ctx.scope.child(file.parent, file.name);
  const open = (): ListedFile =>
    plan.follow === true ? openNamed(run, at()) : files.open(file.parent, file.name, "search");
  return grepAny({ run, open, at, isNamed: false, room, after });
}

export function* grepNamedFile(run: GrepRun, named: Located, room: Room, after?: FilePlace): InTurns<FileFound> {
  const at = (): Located => named;
  const begun = grepAny({ run, open: () => openNamed(run, named), at, isNamed: true, room, after });
  return "next" in begun ? yield* begun : begun;
}

function openNamed({ ctx }: GrepRun, at: Located): ListedFile {
  const { fd, stat } = ctx.scope.openFile(at, "search");
  return { fd, size: Number(stat.size) };
}

interface AskedFile {
  readonly run: GrepRun;
  readonly open: () => ListedFile;
  readonly at: () => Located;
  readonly isNamed: boolean;
  readonly room: Room;
  readonly after: FilePlace | undefined;
}

function grepAny(asked: AskedFile): FileFound | InTurns<FileFound> {
  const { totals } = asked.run;
  let file: ListedFile;
  try {
    file = asked.open();
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    totals.unreadable++;
    return NOTHING;
  }
  let source: TextSource | undefined;
  try {
    source = toSearch(asked, file);
  } catch (thrown) {
    return countFailed(thrown, asked);
  } finally {
    if (!source) closeSync(file.fd);
  }
  return source ? grepSource(asked, source, file.fd) : NOTHING;
}

const NOTHING: FileFound = { end: "done", matches: [], count: 0 };

/** The text of a file that has to be searched. `undefined`: it is too large or holds no match, and is counted as such. */
function toSearch({ run, isNamed }: AskedFile, file: ListedFile): TextSource | undefined {
  const { ctx, plan, matcher, buffer, totals } = run;
  const source = openTextSource(file, buffer.bytes);
  const { maxFileBytes = Infinity } = ctx.bounds ?? {};
  if (
    source === "too_large" ||
    source.size > maxFileBytes ||
    (matcher.spansLines && source.size > MAX_MULTILINE_BYTES)
  ) {
    totals.too_large++;
    return undefined;
  }
  if (!source.isWhole || plan.invert) return source;
  const text = buffer.bytes.subarray(0, source.head);
  if (matcher.mayMatch(text)) return source;
  passOver(run, text, isNamed);
  return undefined;
}

function* grepSource(asked: AskedFile, source: TextSource, fd: number): InTurns<FileFound> {
  const { run, at, isNamed, room, after } = asked;
  const { ctx, plan, buffer, totals } = run;
  const notes = { isBinary: false, longLines: 0, isMasked: false, isStopped: false };
  try {
    const search: FileSearch = { ...run, source, isNamed, path: ctx.scope.show(at()), notes };
    totals.files_searched++;
    wasMasked();
    const found =
      plan.output === "content" ? yield* collectMatches(search, room, after) : yield* countOrName(search, room);
    buffer.shrink();
    if (notes.isBinary) totals.binary++;
    if (wasMasked() || notes.isMasked) totals.invalid_utf8++;
    totals.long_lines += notes.longLines;
    return notes.isStopped ? { ...found, end: "stopped" } : found;
  } catch (thrown) {
    return countFailed(thrown, asked);
  } finally {
    closeSync(fd);
  }
}

/**
 * What a file gave whose search did not come to its end; why is counted.
 * @throws Failure for a pattern that has spent its budget, and whatever was not foreseen
 */
function countFailed(thrown: unknown, { run, at }: AskedFile): FileFound {
  const { plan, totals, ctx } = run;
  if (thrown instanceof MatchStopped) return { ...NOTHING, end: "stopped" };
  if (thrown instanceof BudgetSpent) throw spentFailure(plan.pattern, ctx.scope.show(at()));
  if (thrown instanceof TextTooLong) totals.too_large++;
  // Reading failed in the middle: a disk error, a file system that went away.
  else if (thrown instanceof Error && "syscall" in thrown) totals.unreadable++;
  else throw thrown;
  return NOTHING;
}

function passOver({ plan, matcher, totals, onBytes }: GrepRun, text: Buffer, isNamed: boolean): void {
  onBytes(text.length);
  totals.files_searched++;
  const isHead = isNamed || matcher.spansLines;
  if (plan.binary !== "search" && (isHead ? text.subarray(0, BINARY_HEAD_BYTES) : text).includes(0)) totals.binary++;
}

/** For `files` the first hit is enough. */
function* countOrName(search: FileSearch, room: Room): InTurns<FileFound> {
  const { plan, notes, path } = search;
  const most = maxHits(search);
  const isCount = plan.output === "count";
  const { lines, count } = !isCount
    ? yield* findOne(search)
    : countsMatches(search)
      ? yield* countMatches(search, most)
      : yield* countLines(search, most);
  if (count === 0 || notes.isStopped) return NOTHING;
  // As ripgrep: what stands before a NUL does not count for the file.
  if (notes.isBinary && isCount && lines < most) return NOTHING;
  return takeOne(room, sizeOfPath(path)) ? { ...NOTHING, count } : { ...NOTHING, end: "full" };
}

/** Not lines: with `only_matching`, and where matches can span lines. */
function countsMatches({ plan, matcher }: GrepRun): boolean {
  return plan.only_matching === true || (matcher.spansLines && !plan.invert);
}

interface HitCount {
  readonly lines: number;
  readonly count: number;
}

function* countLines(search: FileSearch, most: number): InTurns<HitCount> {
  const lines = yield* countHits(search, most);
  return { lines, count: lines };
}

function* findOne(search: FileSearch): InTurns<HitCount> {
  if (!search.matcher.spansLines) return yield* countLines(search, 1);
  for (const hit of hitsOf(search)) {
    if (!(hit instanceof Promise)) return { lines: 1, count: 1 };
    yield hit;
  }
  return { lines: 0, count: 0 };
}

/**
 * As ripgrep counts matches: a line counts one at least, also when its only match is empty and stands behind it. Where
 * matches can span lines, lines that follow each other count one at least together.
 */
function* countMatches(search: FileSearch, most: number): InTurns<HitCount> {
  const { matcher } = search;
  let [lines, before, endLine] = [0, 0, 0];
  /** In the last line, or in the last ones that follow each other. */
  let matches = 0;
  const count = (): number => before + (endLine === 0 ? 0 : Math.max(1, matches));
  for (const hit of hitsOf(search)) {
    if (hit instanceof Promise) {
      yield hit;
      continue;
    }
    lines++;
    if (!matcher.spansLines || hit.line !== endLine + 1) [before, matches] = [count(), 0];
    matches += spansIn(search, hit).length / 2;
    endLine = hit.endLine;
    if (lines >= most) break;
  }
  return { lines, count: count() };
}
