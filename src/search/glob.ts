/**
 * Files by pattern. By name the search stops at the limit. Newest first looks at every match: the tree is walked in
 * parts, some of them by another worker, and equal times are ordered by path. Most files of a large tree are older than
 * what was found before, so nothing is made of those. Directories and links are not files and are given only on
 * request.
 */
import { limits } from "../base/index.ts";
import type { ToolArguments } from "../calls/index.ts";
import type { Located } from "../scope/index.ts";
import type { EntryType } from "../sys/index.ts";
import {
  clampLimit,
  type Cut,
  endOfPage,
  hasMembers,
  markTree,
  mostResults,
  newRoom,
  readCursor,
  type SearchContext,
  sizeOfPath,
  takeOne,
  TreeSum,
} from "./context.ts";
import { compileGlob, type GlobMatcher, matchInOrder, splitAbsolute } from "./ignore/glob-pattern.ts";
import { createFileFilter } from "./walk/file-filter.ts";
import { comparePaths, TopEntries } from "./walk/name-order.ts";
import type { LevelEntry, LevelOptions, WalkTotals } from "./walk/read-level.ts";
import { startDirectory, Walk } from "./walk/walk.ts";
import { type SentPlaces, walkPart, walkWhole, type WholeTree } from "./walk/whole-tree.ts";

type GlobOptions = ToolArguments["glob"];

interface GlobAnswer extends Cut {
  paths: string[];
  totals: WalkTotals & { paths: number; at_least?: true };
  /** When nothing was found and a small change of the pattern would find something, or this cannot be gone on with. */
  hint?: string;
}

interface Question {
  readonly options: GlobOptions;
  readonly start: Located;
  /** Below the start. */
  readonly pattern: string;
  readonly matcher: GlobMatcher;
  readonly limit: number;
  readonly place: MarkedPlace | undefined;
}

/** The place of a file in the order of the answer. */
export interface NewestPlace {
  readonly rel: string;
  /** 0 by name. */
  readonly mtimeMs: number;
}

type MarkedPlace = NewestPlace & { readonly mark: string };

interface Found extends NewestPlace {
  readonly at: Located;
}

interface GlobFound {
  readonly walk: WholeTree;
  readonly entries: readonly Found[];
  readonly more: boolean;
  readonly seen: number;
  /** A sum over all matches, where all were looked at. */
  readonly sum?: TreeSum;
}

/** @throws Failure `invalid_input`, `outside_scope`, `not_found`, `denied` */
export async function glob(ctx: SearchContext, options: GlobOptions): Promise<GlobAnswer> {
  const asked = readQuestion(ctx, options);
  const { start, place } = asked;
  const isByName = options.sort === "name" || options.directories === true;
  const { walk, entries, seen, sum, ...found } = isByName ? await byName(ctx, asked) : await newest(ctx, asked);
  const { stoppedBy } = walk;
  const paths = pathsThatFit(ctx, entries, options.limit);
  const more = found.more || paths.length < entries.length;
  const truncated = more || stoppedBy !== undefined;
  // What comes first of all is not known then: going on after the last would pass over what was not looked at.
  const canGoOn = !stoppedBy || !sum;
  const { rel, mtimeMs } = entries[paths.length - 1] ?? {};
  const next = truncated && canGoOn && rel !== undefined && mtimeMs !== undefined ? { rel, mtimeMs } : undefined;
  const isEmpty = entries.length === 0 && !place;
  const hint = !canGoOn ? STOPPED : isEmpty ? await hintFor(ctx, asked) : undefined;
  return {
    paths,
    truncated,
    totals: {
      paths: seen,
      ...walk.skipped.totals(),
      ...(stoppedBy || (more && isByName) ? { at_least: true as const } : {}),
    },
    ...endOfPage(options, stoppedBy, place, next, (one) => markTree(ctx, start, one.rel) + (sum?.mark() ?? "")),
    ...(hint === undefined ? {} : { hint }),
  };
}

const STOPPED = 'This cannot be gone on with: narrow it by path or pattern, or pass sort: "name".';

function readQuestion(ctx: SearchContext, options: GlobOptions): Question {
  const { directory, rest } = splitAbsolute(options.pattern) ?? { directory: options.path, rest: options.pattern };
  const start = startDirectory(ctx, directory, "glob");
  const matcher = compileGlob([rest], options.hidden === true);
  const limit = mostResults(ctx, clampLimit(options.limit ?? limits.USUAL_PATHS, limits.MAX_PATHS));
  return { options, start, pattern: rest, matcher, limit, place: readCursor(options, "glob", isPlace) };
}

function isPlace(value: unknown): value is MarkedPlace {
  return hasMembers(value, { rel: "string", mtimeMs: "number", mark: "string" });
}

/** As many as one message may hold, and at least one. */
function pathsThatFit(ctx: SearchContext, entries: readonly Found[], asked: number | undefined): string[] {
  const room = newRoom(ctx, asked, entries.length);
  const paths: string[] = [];
  for (const entry of entries) {
    const path = ctx.scope.show(entry.at);
    if (!takeOne(room, sizeOfPath(path))) break;
    paths.push(path);
  }
  return paths;
}

function walkOptions({ options, matcher }: Pick<Question, "options" | "matcher">): LevelOptions {
  return {
    verb: "glob",
    hidden: options.hidden === true || matcher.namesHidden,
    useIgnore: options.no_ignore !== true,
    enters: matcher.enters,
    isNamed: matcher.isNamed,
    override: createFileFilter({ exclude: options.exclude }).override,
  };
}

async function byName(ctx: SearchContext, asked: Question): Promise<GlobFound> {
  const { options, start, matcher, limit, place } = asked;
  const walk = new Walk(ctx, start, { ...walkOptions(asked), depth: Infinity, after: place?.rel });
  const entries: Found[] = [];
  const matches = matchInOrder(matcher);
  for (const entry of walk.inTurns()) {
    if (entry instanceof Promise) await entry;
    else if ((entry.type === "file" || options.directories) && matches(entry)) {
      if (entries.length === limit) return { walk, entries, more: true, seen: limit + 1 };
      entries.push(entry);
    }
  }
  return { walk, entries, more: false, seen: entries.length };
}

/** `*.ts` means the top level; people and models often mean any depth. One quick look says so. */
async function hintFor(ctx: SearchContext, asked: Question): Promise<string | undefined> {
  const { pattern } = asked;
  if (pattern.includes("/") || pattern.includes("**")) return undefined;
  const { no_ignore, hidden } = asked.options;
  const matcher = compileGlob([`**/${pattern}`], hidden === true);
  const deeper = { ...asked, options: { pattern, no_ignore, hidden }, matcher, limit: 1 };
  const [example] = (await byName(ctx, deeper)).entries;
  return (
    example &&
    `"${pattern}" matches at the top level only; "**/${pattern}" would find files such as "${ctx.scope.show(example.at)}".`
  );
}

async function newest(ctx: SearchContext, asked: Question): Promise<GlobFound> {
  const { options, start, limit, place } = asked;
  const top = new NewestFound(limit, place);
  let offered = 0;
  const walk = await walkWhole<FoundInPart>(ctx, start, newestOptions(asked), {
    name: "part:glob",
    request: (places): PartRequest => ({
      options: { ...options, limit },
      places,
      last: top.last && { rel: top.last.rel, mtimeMs: top.last.mtimeMs },
    }),
    open: () => ({ visit: (entries, directory) => top.visit(entries, directory), close: () => NOTHING }),
    take: (part) => {
      top.sum.addAll(part.seen);
      offered += part.offered - part.found.length;
      for (const [rel, mtimeMs] of part.found)
        top.offer({ rel, at: { ...start, rel: start.rel === "" ? rel : `${start.rel}/${rel}` }, mtimeMs });
    },
  });
  const entries = top.take();
  return { walk, entries, more: top.seen + offered > entries.length, seen: top.sum.count, sum: top.sum };
}

interface PartRequest {
  readonly options: GlobOptions;
  readonly places: SentPlaces;
  /** Enough files are known that come before this one. */
  readonly last: NewestPlace | undefined;
}

interface FoundInPart {
  /** The newest, as many as the whole answer can take. */
  readonly found: readonly (readonly [rel: string, mtimeMs: number])[];
  /** All matches, and how many of them come after the place to go on. */
  readonly seen: { readonly count: number; readonly sum: number };
  readonly offered: number;
}

/** The answer of a part that was done here: what it found is put together at once. */
const NOTHING: FoundInPart = { found: [], seen: { count: 0, sum: 0 }, offered: 0 };

export function answerGlobPart(ctx: SearchContext, input: string): string {
  const { options, places, last } = JSON.parse(input) as PartRequest;
  const asked = readQuestion(ctx, options);
  const top = new NewestFound(asked.limit, asked.place, last);
  const part = walkPart<FoundInPart>(ctx, newestOptions(asked), places, {
    open: () => ({
      visit: (entries, directory) => top.visit(entries, directory),
      close: () => ({
        found: top.take().map(({ rel, mtimeMs }) => [rel, mtimeMs] as const),
        seen: { count: top.sum.count, sum: top.sum.sum },
        offered: top.seen,
      }),
    }),
  });
  return JSON.stringify(part);
}

function newestOptions(asked: Question): LevelOptions {
  const wantsStat = (directory: string): ((name: string, type: EntryType) => boolean) => {
    const matches = asked.matcher.matchesIn(directory);
    return (name, type) => type === "file" && matches(name);
  };
  return { ...walkOptions(asked), wantsStat };
}

export class NewestFound extends TopEntries<Found, NewestPlace> {
  /** A sum over all matches, those of earlier pages included. */
  readonly sum: TreeSum = new TreeSum();
  readonly #after: NewestPlace | undefined;

  /** @param after the last of the page before @param last of files elsewhere, when there are enough of them before it */
  constructor(limit: number, after: NewestPlace | undefined, last?: NewestPlace) {
    super(limit, newestFirst, last);
    this.#after = after;
  }

  /**
   * Files that were looked at, in one directory. Where times are equal most directories come after the last file that
   * is wanted.
   */
  visit(entries: readonly LevelEntry[], directory: string): void {
    let known = this.last;
    let isBehind = isAllBehind(directory, known);
    for (const entry of entries) {
      if (!entry.stat || entry.type !== "file") continue;
      const { mtimeMs } = entry.stat;
      this.sum.add(mtimeMs);
      if (this.#after && newestFirst(this.#after, entry) >= 0) continue;
      if (this.last !== known) isBehind = isAllBehind(directory, (known = this.last));
      if (known && (mtimeMs < known.mtimeMs || (isBehind && mtimeMs === known.mtimeMs))) this.seen++;
      else this.offer(entry);
    }
  }
}

function isAllBehind(directory: string, last: NewestPlace | undefined): boolean {
  return last !== undefined && comparePaths(directory, last.rel) > 0;
}

function newestFirst(a: NewestPlace, b: NewestPlace): number {
  return b.mtimeMs - a.mtimeMs || comparePaths(a.rel, b.rel);
}

/**
 * The files of a tree that an operator's patterns name, whatever git ignores: for keeping them before a program may
 * change them. What recursive tools skip is entered only where a pattern spells it. `cut`: there are more than `limit`,
 * or the time was over.
 *
 * @throws Failure `invalid_input` for a pattern that is none
 */
export function findFiles(
  ctx: SearchContext,
  start: Located,
  patterns: readonly string[],
  limit: number,
): { readonly files: readonly Located[]; readonly cut: boolean } {
  const matcher = compileGlob(patterns, true);
  const isSkipped = (rel: string): boolean =>
    ctx.skip.includes(rel.slice(rel.lastIndexOf("/") + 1)) && !matcher.isNamed(rel);
  const enters = (rel: string): boolean => matcher.enters(rel) && !isSkipped(rel);
  const walk = new Walk(ctx, start, { verb: "keep", depth: Infinity, hidden: true, useIgnore: false, enters });
  const files: Located[] = [];
  const matches = matchInOrder(matcher);
  for (const entry of walk) {
    if (entry.type !== "file" || !matches(entry)) continue;
    if (files.length === limit) return { files, cut: true };
    files.push(entry.at);
  }
  return { files, cut: walk.stoppedBy !== undefined };
}
