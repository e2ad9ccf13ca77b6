/**
 * One file of a grep: opened, searched to the end or to the limit, and put into the answer in the form that was asked
 * for. Whatever is odd about the file is counted; nothing about it fails the call.
 */
import { Failure, limits } from "../base/index.ts";
import type { Located, OpenFile } from "../scope/index.ts";
import type { SearchContext } from "./context.ts";
import { fileHits, type FileNotes, type FileSearch, type Hit } from "./file-hits.ts";
import type { GrepCount, GrepMatch } from "./grep-answer.ts";
import type { GrepPlan } from "./grep-options.ts";
import { linesAfter, linesBefore } from "./line-context.ts";
import type { WindowBuffer } from "./line-windows.ts";
import { showLine } from "./match-text.ts";
import type { Matcher } from "./matcher.ts";
import { MAX_MULTILINE_BYTES, multilineHits } from "./multiline-hits.ts";
import { openTextSource, type TextSource } from "./text-source.ts";

/** Everything that the files of one grep have in common. */
export interface GrepRun {
  readonly ctx: SearchContext;
  readonly plan: GrepPlan;
  readonly matcher: Matcher;
  readonly buffer: WindowBuffer;
  readonly count: GrepCount;
  readonly follow: boolean;
  readonly onBytes: (count: number) => void;
  readonly matches: GrepMatch[];
  readonly counts: { path: string; count: number }[];
  /** Text in `matches`, bytes. */
  textBytes: number;
}

/** Where in a file an answer ended. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/** What became of the file: searched to its end; cut because the answer is full; or stopped from outside. */
export type FileEnd = "done" | "full" | "stopped";

export function grepFile(run: GrepRun, at: Located, isNamed: boolean, after: FilePlace | undefined): FileEnd {
  let file: OpenFile;
  try {
    file = run.ctx.scope.openFile(at, "search", isNamed || run.follow ? "follow" : "refuse");
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    run.count.unreadable++;
    return "done";
  }
  using _closed = file;
  try {
    return grepOpen(run, file, at, isNamed, after);
  } catch (thrown) {
    // Reading failed in the middle: a disk error, a file system that went away.
    if (!(thrown instanceof Error && "syscall" in thrown)) throw thrown;
    run.count.unreadable++;
    return "done";
  }
}

function grepOpen(
  run: GrepRun,
  file: OpenFile,
  at: Located,
  isNamed: boolean,
  after: FilePlace | undefined,
): FileEnd {
  const source = openTextSource(file);
  if (source === "too_large" || (run.plan.multiline && source.size > MAX_MULTILINE_BYTES)) {
    run.count.tooLarge++;
    return "done";
  }
  const { ctx, plan, matcher, buffer, onBytes } = run;
  const search: FileSearch = {
    source,
    matcher,
    buffer,
    cancel: ctx.cancel,
    invert: plan.invert,
    isNamed,
    onBytes,
  };
  const notes: FileNotes = { isBinary: false, longLines: 0, isStopped: false };
  const hits = plan.multiline ? multilineHits(search, notes) : fileHits(search, notes);
  const path = ctx.scope.show(at);
  run.count.filesSearched++;
  const end =
    plan.output === "content" ? collect(run, hits, source, path, after) : tally(run, hits, path, notes);
  buffer.shrink();
  if (notes.isBinary) run.count.binary++;
  run.count.longLines += notes.longLines;
  return notes.isStopped ? "stopped" : end;
}

/** For `files` the first hit is enough. */
function tally(run: GrepRun, hits: Iterable<Hit>, path: string, notes: FileNotes): FileEnd {
  const { plan, counts, count } = run;
  let lines = 0;
  let found = 0;
  for (const hit of hits) {
    lines++;
    found += matchesIn(run, hit);
    if (plan.output === "files" || lines >= plan.maxCount) break;
  }
  if (found === 0 || notes.isStopped) return "done";
  // As ripgrep: what stands before a NUL does not count for the file.
  if (notes.isBinary && plan.output === "count" && lines < plan.maxCount) return "done";
  if (counts.length === plan.limit) return "full";
  count.filesMatched++;
  count.matches += found;
  counts.push({ path, count: found });
  return "done";
}

/** As ripgrep: lines are counted, but matches with `onlyMatching` and where matches can span lines. */
function matchesIn({ plan, matcher }: GrepRun, hit: Hit): number {
  if (plan.onlyMatching) return matcher.spans(hit.bytes).length / 2;
  return plan.multiline && "matches" in hit ? Number(hit.matches) : 1;
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
  after: FilePlace | undefined,
): FileEnd {
  const { plan, count, matches } = run;
  let waiting: Waiting | undefined;
  let shown = 0;
  let lines = 0;
  let isMatched = false;
  const settle = (next: number): void => {
    if (!waiting || plan.after === 0) return;
    const context = linesAfter(source, waiting.hit.end, waiting.hit.endLine, plan.after, next);
    if (context.length === 0) return;
    waiting.match.after = context;
    shown = context.at(-1)?.line ?? shown;
  };
  for (const hit of hits) {
    if (++lines > plan.maxCount) break;
    settle(hit.line);
    waiting = undefined;
    for (const match of matchesOf(run, hit, path)) {
      if (after && isBefore(match, after)) continue;
      if (isFull(run)) return "full";
      if (plan.before > 0) {
        const context = linesBefore(source, hit.start, hit.line, plan.before, shown + 1);
        if (context.length > 0) match.before = context;
      }
      shown = hit.endLine;
      waiting = { hit, match };
      matches.push(match);
      count.matches++;
      if (!isMatched) count.filesMatched++;
      isMatched = true;
      run.textBytes += sizeOf(match);
    }
  }
  settle(Infinity);
  return "done";
}

function matchesOf(run: GrepRun, hit: Hit, path: string): GrepMatch[] {
  if (run.plan.onlyMatching) return partsOf(run.matcher, hit, path);
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

/** Each match by itself; empty ones are left out, as ripgrep does. */
function partsOf(matcher: Matcher, hit: Hit, path: string): GrepMatch[] {
  const spans = matcher.spans(hit.bytes);
  const parts: GrepMatch[] = [];
  let line = hit.line;
  let lineStart = 0;
  for (let at = 0; at < spans.length; at += 2) {
    const from = spans[at] ?? 0;
    const to = spans[at + 1] ?? from;
    if (from === to) continue;
    for (
      let feed = hit.bytes.indexOf(10, lineStart);
      feed >= 0 && feed < from;
      feed = hit.bytes.indexOf(10, lineStart)
    ) {
      line++;
      lineStart = feed + 1;
    }
    const { text, isCut } = showLine(hit.bytes.subarray(from, to), 0);
    const column = hit.bytesAt - hit.start + from - lineStart + 1;
    parts.push({ path, line, column, text, ...(isCut ? { cut: true as const } : {}) });
  }
  return parts;
}

function isBefore(match: GrepMatch, place: FilePlace): boolean {
  return match.line < place.line || (match.line === place.line && match.column <= place.column);
}

/** One match is always taken, so that every page makes progress. */
function isFull(run: GrepRun): boolean {
  return (
    run.matches.length >= run.plan.limit || (run.matches.length > 0 && run.textBytes >= limits.MAX_READ_BYTES)
  );
}

function sizeOf(match: GrepMatch): number {
  let size = match.text.length;
  for (const line of match.before ?? []) size += line.text.length;
  return size;
}
