/**
 * The search of file contents: which files (walk), which lines (matcher), in path order, until there is enough. The
 * answer says what was not searched, and how to go on; running out of time gives what was found so far.
 */
import type { Located } from "../scope/index.ts";
import type { SearchContext } from "./context.ts";
import { createMatcher } from "./create-matcher.ts";
import { hasMembers, nextCall, readCursor } from "./cursor.ts";
import { createFileFilter, type FileFilter } from "./file-filter.ts";
import { GrepCount, type GrepAnswer } from "./grep-answer.ts";
import { grepFile, type FileEnd, type FilePlace, type GrepRun } from "./grep-file.ts";
import { resolveGrep, type GrepOptions } from "./grep-options.ts";
import { WindowBuffer } from "./line-windows.ts";
import { startAnywhere } from "./start-point.ts";
import { Walk } from "./walk.ts";

/** After this file; with a line, after that match in it. */
interface Place {
  readonly rel: string;
  readonly at?: FilePlace;
}

/** @throws Failure `invalid_input`, `unsupported`, `not_found`, `outside_scope`, `denied` */
export async function grep(ctx: SearchContext, options: GrepOptions): Promise<GrepAnswer> {
  const plan = resolveGrep(options);
  const place = readCursor(options, "grep", isPlace);
  const start = startAnywhere(ctx, options.path, "search");
  using matcher = await createMatcher(plan);
  const filter = createFileFilter(options);
  const walk = walkOf(ctx, options, start.at, filter, place);
  const run: GrepRun = {
    ctx,
    plan,
    matcher,
    buffer: new WindowBuffer(),
    count: new GrepCount(),
    follow: options.follow === true,
    onBytes: progressOf(ctx),
    matches: [],
    counts: [],
    textBytes: 0,
  };
  const end = start.isFile
    ? endOf(run, "", 0, grepFile(run, start.at, true, place?.at), place)
    : grepTree(run, walk, filter, place);
  return answerOf(run, options, walk, end);
}

function walkOf(
  ctx: SearchContext,
  options: GrepOptions,
  start: Located,
  filter: FileFilter,
  place: Place | undefined,
): Walk {
  return new Walk(ctx, start, {
    verb: "search",
    depth: Infinity,
    hidden: options.hidden === true,
    useIgnore: options.noIgnore !== true,
    follow: options.follow === true,
    override: filter.override,
    after: place?.rel,
    isAfterIncluded: place?.at !== undefined,
  });
}

/** How the search ended, and where the next one goes on. */
interface SearchEnd {
  readonly end: FileEnd;
  readonly next: Place;
}

function grepTree(run: GrepRun, walk: Walk, filter: FileFilter, place: Place | undefined): SearchEnd {
  let next: Place = place ?? { rel: "" };
  for (const entry of walk) {
    if (entry.type !== "file" || !filter.accepts(entry.name)) continue;
    const matchesBefore = run.matches.length;
    const end = grepFile(run, entry.at, false, entry.rel === place?.rel ? place.at : undefined);
    // Of files and counts only whole ones are given: this one is taken again.
    if (end !== "done" && run.plan.output !== "content") return { end, next };
    if (end !== "done") return endOf(run, entry.rel, matchesBefore, end, place);
    next = { rel: entry.rel };
  }
  return { end: "done", next };
}

/** A file that was not finished is gone into again, after the last match of it that was given. */
function endOf(
  run: GrepRun,
  rel: string,
  matchesBefore: number,
  end: FileEnd,
  place: Place | undefined,
): SearchEnd {
  const match = run.matches.length > matchesBefore ? run.matches.at(-1) : undefined;
  if (match) return { end, next: { rel, at: { line: match.line, column: match.column } } };
  return { end, next: { rel, at: place?.rel === rel && place.at ? place.at : { line: 0, column: 0 } } };
}

function answerOf(run: GrepRun, options: GrepOptions, walk: Walk, { end, next }: SearchEnd): GrepAnswer {
  const state = run.ctx.cancel.state();
  const stoppedBy = walk.stoppedBy ?? (end === "stopped" && state !== "none" ? state : undefined);
  const truncated = end !== "done" || stoppedBy !== undefined;
  const answer: GrepAnswer = {
    ...resultsOf(run),
    truncated,
    totals: run.count.totals(walk.leftOut, truncated),
    engine: run.matcher.engine,
  };
  if (stoppedBy) answer.stopped_by = stoppedBy;
  if (truncated) answer.next = nextCall(options, next);
  return answer;
}

function resultsOf({ plan, matches, counts }: GrepRun): Pick<GrepAnswer, "matches" | "paths" | "counts"> {
  if (plan.output === "content") return { matches };
  return plan.output === "count" ? { counts } : { paths: counts.map(({ path }) => path) };
}

/** Large files count by their megabytes. */
const PROGRESS_BYTES: number = 16 * 1024 * 1024;

function progressOf(ctx: SearchContext): (count: number) => void {
  let total = 0;
  let said = 0;
  return (count) => {
    total += count;
    if (total - said < PROGRESS_BYTES) return;
    said = total;
    ctx.progress(total, undefined, "bytes searched");
  };
}

function isPlace(value: unknown): value is Place {
  if (!hasMembers(value, { rel: "string" })) return false;
  const at: unknown = typeof value === "object" && value !== null && "at" in value ? value.at : undefined;
  return at === undefined || hasMembers(at, { line: "number", column: "number" });
}
