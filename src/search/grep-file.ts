/**
 * One file of a grep: opened, searched to the end or to the limit, and put into the answer in the form that was asked
 * for. Whatever is odd about the file is counted; nothing about it fails the call.
 */
import { Failure } from "../base/index.ts";
import { MatchStopped } from "./backtracking-matcher.ts";
import type { Located, OpenFile } from "../scope/index.ts";
import { isFull, sizeOf, takeOne, type Room } from "./answer-room.ts";
import type { SearchContext } from "./context.ts";
import {
  BINARY_HEAD_BYTES,
  countHits,
  fileHits,
  type FileNotes,
  type FileSearch,
  type Hit,
} from "./file-hits.ts";
import type { FileTotals, GrepMatch } from "./grep-answer.ts";
import type { GrepPlan } from "./grep-options.ts";
import { linesAfter, linesBefore } from "./line-context.ts";
import type { WindowBuffer } from "./line-windows.ts";
import { showLine, showPart } from "./match-text.ts";
import { wasMasked } from "./mask-utf8.ts";
import type { Matcher } from "./matcher.ts";
import { MAX_MULTILINE_BYTES, multilineHits, type MultilineHit } from "./multiline-hits.ts";
import { spentFailure } from "./pattern-failure.ts";
import { BudgetSpent, TextTooLong } from "./pcre-engine.ts";
import { openTextSource, type TextSource } from "./text-source.ts";

/** Everything that the files of one grep have in common. */
export interface GrepRun {
  readonly ctx: SearchContext;
  readonly plan: GrepPlan;
  readonly matcher: Matcher;
  readonly buffer: WindowBuffer;
  readonly totals: FileTotals;
  readonly follow: boolean;
  readonly onBytes: (count: number) => void;
}

/** What one file gave. */
export interface FileFound {
  readonly end: FileEnd;
  /** Of output `content`. */
  readonly matches: GrepMatch[];
  /** Of the other outputs: matching lines, or matches. 0: the file is not listed. */
  readonly count: number;
}

/** Where in a file an answer ended. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/** What became of the file: searched to its end; cut because the answer is full; or stopped from outside. */
export type FileEnd = "done" | "full" | "stopped";

export function grepFile(
  run: GrepRun,
  at: Located,
  isNamed: boolean,
  room: Room,
  after: FilePlace | undefined,
): FileFound {
  let file: OpenFile;
  try {
    file = run.ctx.scope.openFile(at, "search", isNamed || run.follow ? "follow" : "refuse");
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    run.totals.unreadable++;
    return NOTHING;
  }
  using _closed = file;
  try {
    return grepOpen(run, file, at, isNamed, room, after);
  } catch (thrown) {
    if (thrown instanceof MatchStopped) return { ...NOTHING, end: "stopped" };
    if (thrown instanceof BudgetSpent) throw spentFailure(run.plan.pattern, run.ctx.scope.show(at));
    if (thrown instanceof TextTooLong) {
      run.totals.tooLarge++;
      return NOTHING;
    }
    // Reading failed in the middle: a disk error, a file system that went away.
    if (!(thrown instanceof Error && "syscall" in thrown)) throw thrown;
    run.totals.unreadable++;
    return NOTHING;
  }
}

const NOTHING: FileFound = { end: "done", matches: [], count: 0 };

function grepOpen(
  run: GrepRun,
  file: OpenFile,
  at: Located,
  isNamed: boolean,
  room: Room,
  after: FilePlace | undefined,
): FileFound {
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
    invert: plan.invert,
    maxMatches: plan.maxCount,
    isNamed,
    isText: plan.isText,
    onBytes,
  };
  const notes: FileNotes = { isBinary: false, longLines: 0, isStopped: false };
  const path = ctx.scope.show(at);
  run.totals.searched++;
  wasMasked();
  const found =
    plan.output === "content"
      ? collect(run, hitsOf(run, search, notes), source, path, room, after)
      : tally(run, search, path, room, notes);
  buffer.shrink();
  if (notes.isBinary) run.totals.binary++;
  if (wasMasked()) run.totals.invalidUtf8++;
  run.totals.longLines += notes.longLines;
  return notes.isStopped ? { ...found, end: "stopped" } : found;
}

/** A text that surely has no match. */
function passOver(run: GrepRun, text: Buffer, isNamed: boolean): FileFound {
  run.onBytes(text.length);
  run.totals.searched++;
  const isHead = isNamed || run.matcher.spansLines;
  if (!run.plan.isText && (isHead ? text.subarray(0, BINARY_HEAD_BYTES) : text).includes(0))
    run.totals.binary++;
  return NOTHING;
}

function hitsOf(run: GrepRun, search: FileSearch, notes: FileNotes): Iterable<Hit> {
  return run.matcher.spansLines ? multilineHits(search, notes) : fileHits(search, notes);
}

/** For `files` the first hit is enough. */
function tally(run: GrepRun, search: FileSearch, path: string, room: Room, notes: FileNotes): FileFound {
  const { plan } = run;
  const most = maxHits(run);
  let lines = 0;
  let count = 0;
  if (plan.output === "count" && !countsMatches(run)) lines = count = countHits(search, notes, most);
  else
    for (const hit of hitsOf(run, search, notes)) {
      lines++;
      count += plan.output === "files" ? 1 : matchesIn(run, hit, search.source);
      if (plan.output === "files" || lines >= most) break;
    }
  if (count === 0 || notes.isStopped) return NOTHING;
  // As ripgrep: what stands before a NUL does not count for the file.
  if (notes.isBinary && plan.output === "count" && lines < most) return NOTHING;
  if (isFull(room)) return { ...NOTHING, end: "full" };
  takeOne(room, path.length);
  return { ...NOTHING, count };
}

/** Lines; where matches span lines `multilineHits` has counted matches already. */
function maxHits({ plan, matcher }: GrepRun): number {
  return matcher.spansLines && !plan.invert ? Infinity : plan.maxCount;
}

/** As ripgrep: lines are counted, but matches with `onlyMatching` and where matches can span lines; at least one. */
function matchesIn(run: GrepRun, hit: Hit, source: TextSource): number {
  return countsMatches(run) ? Math.max(1, spansIn(run.matcher, hit, source).length / 2) : 1;
}

function countsMatches({ plan, matcher }: GrepRun): boolean {
  return plan.onlyMatching || (matcher.spansLines && !plan.invert);
}

/** The matches in a hit, as offsets in its bytes. */
function spansIn(matcher: Matcher, hit: Hit | MultilineHit, source: TextSource): readonly number[] {
  if ("spans" in hit) return hit.spans;
  const spans = matcher.spans(hit.bytes);
  // As ripgrep: at the end of a text that does not end its last line, an empty match is none.
  const isDropped = spans.at(-2) === hit.bytes.length && hit.end >= source.size;
  return isDropped ? spans.slice(0, -2) : spans;
}

/** A hit that waits for the next one, because its context ends there. */
interface Waiting {
  readonly hit: Hit;
  readonly match: GrepMatch;
}

function collect(
  run: GrepRun,
  hits: Iterable<Hit>,
  source: TextSource,
  path: string,
  room: Room,
  after: FilePlace | undefined,
): FileFound {
  const { plan } = run;
  const most = maxHits(run);
  const matches: GrepMatch[] = [];
  let waiting: Waiting | undefined;
  let shown = 0;
  let lines = 0;
  const settle = (next: number): void => {
    if (!waiting || plan.after === 0) return;
    const context = linesAfter(source, waiting.hit.end, waiting.hit.endLine, plan.after, next);
    if (context.length === 0) return;
    waiting.match.after = context;
    shown = context.at(-1)?.line ?? shown;
  };
  for (const hit of hits) {
    if (++lines > most) break;
    settle(hit.line);
    waiting = undefined;
    for (const match of matchesOf(run, hit, source, path)) {
      if (after && isBefore(match, after)) continue;
      if (isFull(room)) return { ...NOTHING, end: "full", matches };
      if (plan.before > 0) {
        const context = linesBefore(source, hit.start, hit.line, plan.before, shown + 1);
        if (context.length > 0) match.before = context;
      }
      shown = hit.endLine;
      waiting = { hit, match };
      matches.push(match);
      takeOne(room, sizeOf(match));
    }
  }
  settle(Infinity);
  return { ...NOTHING, matches };
}

function matchesOf(run: GrepRun, hit: Hit, source: TextSource, path: string): GrepMatch[] {
  if (run.plan.onlyMatching) return partsOf(hit, spansIn(run.matcher, hit, source), path);
  const isWhole = hit.bytesAt === hit.start && hit.bytes.length === hit.end - hit.start;
  const { text, isCut } = showLine(hit.bytes, hit.matchStart - hit.bytesAt, isWhole);
  return [
    {
      path,
      line: hit.line,
      column: hit.matchStart - hit.start + 1,
      text,
      ...(hit.endLine > hit.line ? { end_line: hit.endLine } : {}),
      ...(isCut ? { cut: true as const } : {}),
    },
  ];
}

/** Each match by itself, empty ones too. */
function partsOf(hit: Hit, spans: readonly number[], path: string): GrepMatch[] {
  const parts: GrepMatch[] = [];
  let line = hit.line;
  let lineStart = 0;
  for (let at = 0; at < spans.length; at += 2) {
    const from = spans[at] ?? 0;
    const to = spans[at + 1] ?? from;
    for (
      let feed = hit.bytes.indexOf(10, lineStart);
      feed >= 0 && feed < from;
      feed = hit.bytes.indexOf(10, lineStart)
    ) {
      line++;
      lineStart = feed + 1;
    }
    const { text, isCut } = (to > hit.bytes.length ? showLine : showPart)(hit.bytes.subarray(from, to), 0);
    const column = hit.bytesAt - hit.start + from - lineStart + 1;
    parts.push({ path, line, column, text, ...(isCut ? { cut: true as const } : {}) });
  }
  return parts;
}

function isBefore(match: GrepMatch, place: FilePlace): boolean {
  return match.line < place.line || (match.line === place.line && match.column <= place.column);
}
