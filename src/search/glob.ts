/**
 * Files by pattern. Newest first looks at every match; by name it stops at the limit. Directories and links are not
 * files and are not given.
 */
import { Failure, limits } from "../base/index.ts";
import type { Located } from "../scope/index.ts";
import { clampLimit, type Cut, type SearchContext } from "./context.ts";
import { hasMembers, nextCall, readCursor } from "./cursor.ts";
import { compileGlob, splitAbsolute, type GlobMatcher } from "./glob-pattern.ts";
import type { WalkTotals } from "./left-out.ts";
import { comparePaths } from "./name-order.ts";
import { startDirectory } from "./start-point.ts";
import { TopEntries } from "./top-entries.ts";
import { Walk } from "./walk.ts";

export interface GlobOptions {
  /** One pattern or several; see `glob-pattern.ts` for their syntax. */
  readonly pattern: string | readonly string[];
  readonly path?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly noIgnore?: boolean | undefined;
  /** Default `mtime`: newest first, equal times by path. */
  readonly sort?: "mtime" | "name" | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface GlobAnswer extends Cut {
  paths: string[];
  totals: WalkTotals & { paths: number; at_least?: true };
  /** When nothing was found and a small change of the pattern would find something. */
  hint?: string;
}

interface Found {
  readonly rel: string;
  readonly at: Located;
  readonly mtimeMs: number;
}

type Place = { readonly rel: string; readonly mtimeMs: number };

/** @throws Failure `invalid_input`, `outside_scope`, `not_found`, `denied` */
export function glob(ctx: SearchContext, options: GlobOptions): GlobAnswer {
  const { start, patterns } = startOf(ctx, options);
  const matcher = compileGlob(patterns, options.hidden === true);
  const limit = clampLimit(options.limit, limits.MAX_GLOB_PATHS);
  const place = readCursor(options, "glob", isPlace);
  const found =
    options.sort === "name"
      ? byName(ctx, options, start, matcher, limit, place)
      : newest(ctx, options, start, matcher, limit, place);
  const { walk, entries, more, seen } = found;
  const last = entries.at(-1);
  const answer: GlobAnswer = {
    paths: entries.map((entry) => ctx.scope.show(entry.at)),
    truncated: more || walk.stoppedBy !== undefined,
    totals: { paths: seen, ...walk.leftOut.totals() },
  };
  if (walk.stoppedBy || (more && options.sort === "name")) answer.totals.at_least = true;
  if (walk.stoppedBy) answer.stopped_by = walk.stoppedBy;
  if (answer.truncated && last) answer.next = nextCall(options, { rel: last.rel, mtimeMs: last.mtimeMs });
  const hint = entries.length === 0 && !place ? hintFor(ctx, options, start, patterns) : undefined;
  if (hint) answer.hint = hint;
  return answer;
}

function startOf(ctx: SearchContext, options: GlobOptions): { start: Located; patterns: readonly string[] } {
  const patterns = typeof options.pattern === "string" ? [options.pattern] : options.pattern;
  if (patterns.length === 0) throw new Failure("invalid_input", "Cannot glob: there is no pattern");
  const absolute = patterns.length === 1 ? splitAbsolute(patterns[0] ?? "") : undefined;
  if (!absolute) return { start: startDirectory(ctx, options.path, "glob"), patterns };
  return { start: startDirectory(ctx, absolute.directory, "glob"), patterns: [absolute.rest] };
}

interface Search {
  readonly walk: Walk;
  readonly entries: Found[];
  readonly more: boolean;
  readonly seen: number;
}

function byName(
  ctx: SearchContext,
  options: GlobOptions,
  start: Located,
  matcher: GlobMatcher,
  limit: number,
  place: Place | undefined,
): Search {
  const walk = new Walk(ctx, start, { ...walkOptions(options, matcher), after: place?.rel });
  const entries: Found[] = [];
  for (const entry of walk) {
    if (entry.type !== "file" || !matcher.matches(entry.rel, entry.name)) continue;
    if (entries.length === limit) return { walk, entries, more: true, seen: limit + 1 };
    entries.push({ rel: entry.rel, at: entry.at, mtimeMs: 0 });
  }
  return { walk, entries, more: false, seen: entries.length };
}

function newest(
  ctx: SearchContext,
  options: GlobOptions,
  start: Located,
  matcher: GlobMatcher,
  limit: number,
  place: Place | undefined,
): Search {
  const isWanted = (rel: string, type: string): boolean =>
    type === "file" && matcher.matches(rel, rel.slice(rel.lastIndexOf("/") + 1));
  const walk = new Walk(ctx, start, { ...walkOptions(options, matcher), wantsStat: isWanted });
  const top = new TopEntries<Found>(limit, newestFirst);
  let seen = 0;
  for (const entry of walk) {
    if (!entry.stat || entry.type !== "file") continue;
    seen++;
    const found = { rel: entry.rel, at: entry.at, mtimeMs: entry.stat.mtimeMs };
    if (!place || newestFirst(place, found) < 0) top.offer(found);
  }
  const entries = top.take();
  return { walk, entries, more: top.seen > entries.length, seen };
}

function newestFirst(a: Place, b: Place): number {
  return b.mtimeMs - a.mtimeMs || comparePaths(a.rel, b.rel);
}

function walkOptions(options: GlobOptions, matcher: GlobMatcher) {
  return {
    verb: "glob",
    depth: Infinity,
    hidden: options.hidden === true || matcher.namesHidden,
    useIgnore: options.noIgnore !== true,
    enters: matcher.enters,
    isNamed: matcher.isNamed,
  };
}

/** `*.ts` means the top level; people and models often mean any depth. One quick look says so. */
function hintFor(
  ctx: SearchContext,
  options: GlobOptions,
  start: Located,
  patterns: readonly string[],
): string | undefined {
  const only = patterns.length === 1 ? (patterns[0] ?? "") : "";
  if (only === "" || only.includes("/") || only.includes("**")) return undefined;
  const deeper = compileGlob([`**/${only}`], options.hidden === true);
  const { entries } = byName(
    ctx,
    { pattern: "", noIgnore: options.noIgnore, hidden: options.hidden },
    start,
    deeper,
    1,
    undefined,
  );
  const example = entries[0];
  return (
    example &&
    `"${only}" matches at the top level only; "**/${only}" would find files such as "${ctx.scope.show(example.at)}".`
  );
}

function isPlace(value: unknown): value is Place {
  return hasMembers(value, { rel: "string", mtimeMs: "number" });
}
