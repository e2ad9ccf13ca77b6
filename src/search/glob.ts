/**
 * Files by pattern. Newest first looks at every match; by name it stops at the limit. Directories and links are not
 * files and are given only on request.
 */
import { Failure, limits } from "../base/index.ts";
import type { EntryType, Located } from "../scope/index.ts";
import { clampLimit, type Cut, type SearchContext, type StoppedBy } from "./context.ts";
import { hasMembers, nextCall, readCursor } from "./cursor.ts";
import { createFileFilter } from "./file-filter.ts";
import { compileGlob, matchInOrder, splitAbsolute, type GlobMatcher } from "./glob-pattern.ts";
import { LeftOut, type WalkTotals } from "./left-out.ts";
import { readDirectories, walkAll, type Directories, type Walked } from "./lower-levels.ts";
import { comparePaths } from "./name-order.ts";
import type { LevelEntry } from "./read-level.ts";
import { startDirectory } from "./start-point.ts";
import { TopEntries } from "./top-entries.ts";
import { markTree, TreeSum } from "./tree-mark.ts";
import { Walk } from "./walk.ts";

export interface GlobOptions {
  /** One pattern or several; see `glob-pattern.ts` for their syntax. */
  readonly pattern: string | readonly string[];
  readonly path?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly noIgnore?: boolean | undefined;
  /** Globs of what is left out, and with it what is below. */
  readonly exclude?: readonly string[] | undefined;
  /** Everything that matches, not only files; always by name. */
  readonly directories?: boolean | undefined;
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

/** As it stands in a cursor: with what the tree was like. */
type MarkedPlace = Place & { readonly mark: string };

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
  const asked: Asked = { options, matcher, limit, place };
  const found =
    options.sort === "name" || options.directories
      ? byName(ctx, start, asked)
      : await newest(ctx, start, asked);
  const { walk, entries, more, seen } = found;
  const mark = (rel: string): string => markTree(ctx, start, rel) + (found.sum?.mark() ?? "");
  const last = entries.at(-1);
  const answer: GlobAnswer = {
    paths: entries.map((entry) => ctx.scope.show(entry.at)),
    truncated: more || walk.stoppedBy !== undefined,
    totals: { paths: seen, ...walk.leftOut.totals() },
  };
  if (walk.stoppedBy || (more && (options.sort === "name" || options.directories)))
    answer.totals.at_least = true;
  if (walk.stoppedBy) answer.stopped_by = walk.stoppedBy;
  if (place && !walk.stoppedBy && place.mark !== mark(place.rel)) answer.tree_changed = true;
  if (answer.truncated && last) {
    const next: MarkedPlace = { rel: last.rel, mtimeMs: last.mtimeMs, mark: mark(last.rel) };
    answer.next = nextCall(options, next);
  }
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
  /** Of all matches, where all were looked at. */
  readonly sum?: TreeSum;
}

interface Asked {
  readonly options: GlobOptions;
  readonly matcher: GlobMatcher;
  readonly limit: number;
  /** Where to go on. */
  readonly place: Place | undefined;
}

function byName(ctx: SearchContext, start: Located, { options, matcher, limit, place }: Asked): Search {
  const walk = new Walk(ctx, start, { ...walkOptions(options, matcher), after: place?.rel });
  const entries: Found[] = [];
  const matches = matchInOrder(matcher);
  for (const entry of walk) {
    if ((entry.type !== "file" && !options.directories) || !matches(entry)) continue;
    if (entries.length === limit) return { walk, entries, more: true, seen: limit + 1 };
    entries.push(new FoundEntry(entry, 0));
  }
  return { walk, entries, more: false, seen: entries.length };
}

async function newest(ctx: SearchContext, start: Located, asked: Asked): Promise<Search> {
  const { options, matcher, limit, place } = asked;
  const top = new TopEntries<Found>(limit, newestFirst);
  const sum = new TreeSum();
  let offered = 0;
  const visit = newestInto(top, sum, place);
  const walk = await walkAll<PartAnswer>(ctx, start, newestOptions(options, matcher), UPPER_LEVELS, {
    name: "part:glob",
    visit,
    request: (directories): PartRequest => ({
      options: { ...options, limit },
      directories,
      last: top.last && { rel: top.last.rel, mtimeMs: top.last.mtimeMs },
    }),
    here: (directories) => globPart(ctx, { ...asked, last: top.last }, directories),
    take: (answer) => {
      sum.addAll(answer.seen);
      offered += answer.offered - answer.found.length;
      for (const [rel, mtimeMs] of answer.found)
        top.offer({ rel, at: { ...start, rel: start.rel === "" ? rel : `${start.rel}/${rel}` }, mtimeMs });
    },
  });
  const entries = top.take();
  return { walk, entries, more: top.seen + offered > entries.length, seen: sum.count, sum };
}

/** Big enough directories stand two levels down. */
const UPPER_LEVELS = 2;

/** @param sum of all matches, on this page or an earlier one too */
function newestInto(
  top: { readonly offer: (found: FoundEntry) => void },
  sum: TreeSum,
  place: Place | undefined,
): (entry: LevelEntry) => void {
  return (entry) => {
    if (!entry.stat || entry.type !== "file") return;
    const { mtimeMs } = entry.stat;
    sum.add(mtimeMs);
    const found = new FoundEntry(entry, mtimeMs);
    if (!place || newestFirst(place, found) < 0) top.offer(found);
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
  /** All matches, and how many of them come after the place to go on. */
  readonly seen: { readonly count: number; readonly sum: number };
  readonly offered: number;
}

interface PartSearch extends Asked {
  readonly last: Place | undefined;
}

function globPart(
  ctx: SearchContext,
  { options, matcher, limit, place, last }: PartSearch,
  directories: readonly { readonly at: Located; readonly rel: string }[],
): PartAnswer {
  const top = new TopEntries<Place>(limit, newestFirst, last);
  const sum = new TreeSum();
  const visit = newestInto(top, sum, place);
  const leftOut = new LeftOut();
  const same = { ...newestOptions(options, matcher), known: new Map() };
  let stoppedBy: StoppedBy | undefined;
  for (const { at, rel } of directories) {
    const walk = new Walk(ctx, at, { ...same, depth: Infinity, base: rel });
    for (const entry of walk) visit(entry);
    leftOut.add(walk.leftOut.counts());
    stoppedBy ??= walk.stoppedBy;
    if (stoppedBy) break;
  }
  const found = top.take().map(({ rel, mtimeMs }) => [rel, mtimeMs] as const);
  const seen = { count: sum.count, sum: sum.sum };
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
    override: createFileFilter({ exclude: options.exclude }).override,
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
  const { noIgnore, hidden } = options;
  const asked: Asked = {
    options: { pattern: "", noIgnore, hidden },
    matcher: deeper,
    limit: 1,
    place: undefined,
  };
  const { entries } = byName(ctx, start, asked);
  const example = entries[0];
  return (
    example &&
    `"${only}" matches at the top level only; "**/${only}" would find files such as "${ctx.scope.show(example.at)}".`
  );
}

function isPlace(value: unknown): value is MarkedPlace {
  return hasMembers(value, { rel: "string", mtimeMs: "number", mark: "string" });
}
