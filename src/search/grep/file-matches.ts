/**
 * The matches of one file as they are shown: each line, or each match in it, with its context, until the answer is full.
 */
import type { InTurns } from "../../base/index.ts";
import { isFull, type Room, sizeOf, takeOne } from "../context.ts";
import type { Matcher } from "../engine/matcher.ts";
import type { Hit, Hits } from "./file-hits.ts";
import type { GrepMatch } from "./grep-answer.ts";
import type { FileFound, FilePlace, GrepRun } from "./grep-file.ts";
import type { TextSource } from "./line-windows.ts";
import type { MultilineHit } from "./multiline-hits.ts";
import { linesAfter, linesBefore, showLine, showPart } from "./shown-lines.ts";

/** A hit that waits for the next one, because its context ends there. */
interface Waiting {
  readonly hit: Hit;
  readonly match: GrepMatch;
}

export function* collectMatches(
  run: GrepRun,
  hits: Hits,
  source: TextSource,
  path: string,
  room: Room,
  after: FilePlace | undefined,
): InTurns<FileFound> {
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
    if (hit instanceof Promise) {
      yield hit;
      continue;
    }
    if (++lines > most) break;
    settle(hit.line);
    waiting = undefined;
    for (const match of matchesOf(run, hit, source, path)) {
      if (after && isBefore(match, after)) continue;
      if (isFull(room)) return { end: "full", count: 0, matches };
      if (plan.before > 0) {
        const context = linesBefore(source, hit.start, hit.line, plan.before, shown + 1);
        if (context.length > 0) match.before = context;
      }
      if (!takeOne(room, sizeOf(match))) return { end: "full", count: 0, matches };
      shown = hit.endLine;
      waiting = { hit, match };
      matches.push(match);
    }
  }
  settle(Infinity);
  return { end: "done", count: 0, matches };
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

/** Lines; where matches span lines `multilineHits` has counted matches already. */
export function maxHits({ plan, matcher }: GrepRun): number {
  return matcher.spansLines && !plan.invert ? Infinity : plan.maxCount;
}

/** The matches in a hit, as offsets in its bytes. */
export function spansIn(matcher: Matcher, hit: Hit | MultilineHit, source: TextSource): readonly number[] {
  if ("spans" in hit) return hit.spans;
  const spans = matcher.spans(hit.bytes);
  // As ripgrep: at the end of a text that does not end its last line, an empty match is none.
  const isDropped = spans.at(-2) === hit.bytes.length && hit.end >= source.size;
  return isDropped ? spans.slice(0, -2) : spans;
}
