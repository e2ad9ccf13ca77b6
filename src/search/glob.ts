/**
 * Files by pattern. Newest first looks at every match; by name it stops at the limit. Directories and links are not
 * files and are not given.
 */
import { Failure, limits } from "../base/index.ts";
import type { EntryType, Located } from "../scope/index.ts";
import { clampLimit, type Cut, type SearchContext, type StoppedBy } from "./context.ts";
import { hasMembers, nextCall, readCursor } from "./cursor.ts";
import { compileGlob, splitAbsolute, type GlobMatcher } from "./glob-pattern.ts";
import { LeftOut, type WalkTotals } from "./left-out.ts";
import { readDirectories, walkAll, type Directories, type Walked } from "./lower-levels.ts";
import { comparePaths } from "./name-order.ts";
import type { LevelEntry } from "./read-level.ts";
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

type Place = { readonly rel: string; readonly mtimeMs: number };

interface Found extends Place {
  readonly at: Located;
}

/** As the walk gives it: its paths are put together only where times are equal, and for what is answered. */
class FoundEntry implements Found {
  readonly mtimeMs: number;
  readonly #entry: LevelEntry;

  constructor(entry: LevelEntry, mtimeMs: number) {
    this.#entry = entry;
    this.mtimeMs = mtimeMs;
  }

  get rel(): string {
    return this.#entry.rel;
  }

  get at(): Located {
    return this.#entry.at;
  }
}

/** @throws Failure `invalid_input`, `outside_scope`, `not_found`, `denied` */
export async function glob(ctx: SearchContext, options: GlobOptions): Promise<GlobAnswer> {
  const { start, patterns } = startOf(ctx, options);
  const matcher = compileGlob(patterns, options.hidden === true);
  const limit = clampLimit(options.limit, limits.MAX_GLOB_PATHS);
  const place = readCursor(options, "glob", isPlace);
  const found =
    options.sort === "name"
      ? byName(ctx, options, start, matcher, limit, place)
      : await newest(ctx, options, start, matcher, limit, place);
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
  let directory: string | undefined;
  let matches = matcher.matchesIn("");
  for (const entry of walk) {
    if (entry.type !== "file") continue;
    if (entry.directory !== directory) matches = matcher.matchesIn((directory = entry.directory));
    if (!matches(entry.name)) continue;
    if (entries.length === limit) return { walk, entries, more: true, seen: limit + 1 };
    entries.push(new FoundEntry(entry, 0));
  }
  return { walk, entries, more: false, seen: entries.length };
}

async function newest(
  ctx: SearchContext,
  options: GlobOptions,
  start: Located,
  matcher: GlobMatcher,
  limit: number,
  place: Place | undefined,
): Promise<Search> {
  const top = new TopEntries<Found>(limit, newestFirst);
  let [seen, offered] = [0, 0];
  const offer = newestInto(top, place);
  const walk = await walkAll<PartAnswer>(ctx, start, newestOptions(options, matcher), UPPER_LEVELS, {
    name: "part:glob",
    visit: (entry) => {
      if (offer(entry)) seen++;
    },
    request: (directories): PartRequest => ({
      options: { ...options, limit },
      directories,
      last: top.last && { rel: top.last.rel, mtimeMs: top.last.mtimeMs },
    }),
    here: (directories) => globPart(ctx, { options, matcher, limit, place, last: top.last }, directories),
    take: (answer) => {
      seen += answer.seen;
      offered += answer.offered - answer.found.length;
      for (const [rel, mtimeMs] of answer.found)
        top.offer({ rel, at: { ...start, rel: start.rel === "" ? rel : `${start.rel}/${rel}` }, mtimeMs });
    },
  });
  const entries = top.take();
  return { walk, entries, more: top.seen + offered > entries.length, seen };
}

/** Big enough directories stand two levels down. */
const UPPER_LEVELS = 2;

/** @returns whether the entry is a match, on this page or an earlier one */
function newestInto(
  top: { readonly offer: (found: FoundEntry) => void },
  place: Place | undefined,
): (entry: LevelEntry) => boolean {
  return (entry) => {
    if (!entry.stat || entry.type !== "file") return false;
    const found = new FoundEntry(entry, entry.stat.mtimeMs);
    if (!place || newestFirst(place, found) < 0) top.offer(found);
    return true;
  };
}

interface PartRequest {
  readonly options: GlobOptions;
  readonly directories: Directories;
  /** There are enough that come before it. */
  readonly last: Place | undefined;
}

interface PartAnswer extends Walked {
  /** The newest, as many as the whole answer can take. */
  readonly found: readonly (readonly [rel: string, mtimeMs: number])[];
  /** All matches, and those of them that come after the place to go on. */
  readonly seen: number;
  readonly offered: number;
}

interface PartSearch {
  readonly options: GlobOptions;
  readonly matcher: GlobMatcher;
  readonly limit: number;
  readonly place: Place | undefined;
  readonly last: Place | undefined;
}

function globPart(
  ctx: SearchContext,
  { options, matcher, limit, place, last }: PartSearch,
  directories: readonly { readonly at: Located; readonly rel: string }[],
): PartAnswer {
  const top = new TopEntries<Place>(limit, newestFirst, last);
  const offer = newestInto(top, place);
  const leftOut = new LeftOut();
  const same = { ...newestOptions(options, matcher), known: new Map() };
  let seen = 0;
  let stoppedBy: StoppedBy | undefined;
  for (const { at, rel } of directories) {
    const walk = new Walk(ctx, at, { ...same, depth: Infinity, base: rel });
    for (const entry of walk) if (offer(entry)) seen++;
    leftOut.add(walk.leftOut.counts());
    stoppedBy ??= walk.stoppedBy;
    if (stoppedBy) break;
  }
  const found = top.take().map(({ rel, mtimeMs }) => [rel, mtimeMs] as const);
  return { found, seen, offered: top.seen, leftOut: leftOut.counts(), stoppedBy };
}

/** In the worker that was given the part. */
export function answerGlobPart(ctx: SearchContext, input: string): string {
  const { options, directories, last } = JSON.parse(input) as PartRequest;
  const { patterns } = startOf(ctx, options);
  const matcher = compileGlob(patterns, options.hidden === true);
  const limit = clampLimit(options.limit, limits.MAX_GLOB_PATHS);
  const place = readCursor(options, "glob", isPlace);
  const { directories: wanted } = readDirectories(ctx, directories);
  return JSON.stringify(globPart(ctx, { options, matcher, limit, place, last }, wanted));
}

function newestOptions(options: GlobOptions, matcher: GlobMatcher) {
  const { depth: _depth, ...same } = walkOptions(options, matcher);
  const wantsStat = (directory: string): ((name: string, type: EntryType) => boolean) => {
    const matches = matcher.matchesIn(directory);
    return (name, type) => type === "file" && matches(name);
  };
  return { ...same, wantsStat };
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
