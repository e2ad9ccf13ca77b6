/**
 * The newest of many files that match a pattern, equal times by path, and a sum of the times of all of them. The tree is
 * walked in parts, some of them by another worker. Most files of a large tree are older than what was found before: nothing
 * is made of those, and where times are equal (an unpacked archive) most directories come after the last file that is wanted.
 */
import { Failure, limits } from "../base/index.ts";
import type { ToolArguments } from "../calls/index.ts";
import type { Located } from "../scope/index.ts";
import type { EntryType } from "../sys/index.ts";
import { clampLimit, type SearchContext, hasMembers, readCursor, TreeSum } from "./context.ts";
import { compileGlob, splitAbsolute, type GlobMatcher } from "./ignore/glob-pattern.ts";
import { createFileFilter } from "./walk/file-filter.ts";
import { comparePaths, TopEntries } from "./walk/name-order.ts";
import type { LevelEntry } from "./walk/read-level.ts";
import { type SentPlaces, walkPart, walkWhole, type TreeOptions, type WholeTree } from "./walk/whole-tree.ts";
import { startDirectory } from "./walk/walk.ts";

/** The arguments of the tool, as they come over the wire; `pattern` may be several. */
export type GlobOptions = Omit<ToolArguments["glob"], "pattern"> & {
  readonly pattern: string | readonly string[];
};

export interface GlobFound {
  readonly walk: WholeTree;
  readonly entries: readonly Found[];
  readonly more: boolean;
  readonly seen: number;
  /** A sum over all matches, where all were looked at. */
  readonly sum?: TreeSum;
}

export interface GlobQuestion {
  readonly options: GlobOptions;
  readonly matcher: GlobMatcher;
  readonly limit: number;
  /** Where to go on. */
  readonly place: NewestPlace | undefined;
}

/** A place as a cursor holds it: with a mark of what the tree was like. */
export type MarkedPlace = NewestPlace & { readonly mark: string };

export function startOf(ctx: SearchContext, options: GlobOptions): { start: Located; patterns: readonly string[] } {
  const patterns = typeof options.pattern === "string" ? [options.pattern] : options.pattern;
  if (patterns.length === 0) throw new Failure("invalid_input", "Cannot glob: there is no pattern");
  const absolute = patterns.length === 1 ? splitAbsolute(patterns[0] ?? "") : undefined;
  if (!absolute) return { start: startDirectory(ctx, options.path, "glob"), patterns };
  return { start: startDirectory(ctx, absolute.directory, "glob"), patterns: [absolute.rest] };
}

export async function newest(ctx: SearchContext, start: Located, asked: GlobQuestion): Promise<GlobFound> {
  const { options, limit, place } = asked;
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

/** In the worker that was given the part. */
export function answerGlobPart(ctx: SearchContext, input: string): string {
  const { options, places, last } = JSON.parse(input) as PartRequest;
  const { patterns } = startOf(ctx, options);
  const matcher = compileGlob(patterns, options.hidden === true);
  const limit = clampLimit(options.limit ?? limits.USUAL_PATHS, limits.MAX_PATHS);
  const top = new NewestFound(limit, readCursor(options, "glob", isPlace), last);
  const part = walkPart<FoundInPart>(ctx, newestOptions({ options, matcher }), places, {
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

function newestOptions({ options, matcher }: Pick<GlobQuestion, "options" | "matcher">): TreeOptions {
  const wantsStat = (directory: string): ((name: string, type: EntryType) => boolean) => {
    const matches = matcher.matchesIn(directory);
    return (name, type) => type === "file" && matches(name);
  };
  return { ...walkOptions(options, matcher), wantsStat };
}

export function walkOptions(options: GlobOptions, matcher: GlobMatcher): TreeOptions {
  return {
    verb: "glob",
    hidden: options.hidden === true || matcher.namesHidden,
    useIgnore: options.no_ignore !== true,
    enters: matcher.enters,
    isNamed: matcher.isNamed,
    override: createFileFilter({ exclude: options.exclude }).override,
  };
}

export function isPlace(value: unknown): value is MarkedPlace {
  return hasMembers(value, { rel: "string", mtimeMs: "number", mark: "string" });
}

export interface NewestPlace {
  readonly rel: string;
  readonly mtimeMs: number;
}

export interface Found extends NewestPlace {
  readonly at: Located;
}

/** An entry of the walk. Its paths are put together only where times are equal, and for what is answered. */
export class FoundEntry implements Found {
  readonly mtimeMs: number;
  readonly #entry: LevelEntry;
  #rel: string | undefined = undefined;

  constructor(entry: LevelEntry, mtimeMs: number) {
    this.#entry = entry;
    this.mtimeMs = mtimeMs;
  }

  /** Kept once it was asked for, because sorting asks for it again and again. */
  get rel(): string {
    return (this.#rel ??= this.#entry.rel);
  }

  get at(): Located {
    return this.#entry.at;
  }
}

export class NewestFound extends TopEntries<Found, NewestPlace> {
  /** A sum over all matches, those of earlier pages included. */
  readonly sum: TreeSum = new TreeSum();
  readonly #after: NewestPlace | undefined;

  /**
   * @param after the last of the page before
   * @param last of files elsewhere, when there are enough of them before it
   */
  constructor(limit: number, after: NewestPlace | undefined, last?: NewestPlace) {
    super(limit, newestFirst, last);
    this.#after = after;
  }

  /** Files that were looked at, in one directory. */
  visit(entries: readonly LevelEntry[], directory: string): void {
    let known = this.last;
    let isBehind = isAllBehind(directory, known);
    for (const entry of entries) {
      if (!entry.stat || entry.type !== "file") continue;
      const { mtimeMs } = entry.stat;
      this.sum.add(mtimeMs);
      const found = new FoundEntry(entry, mtimeMs);
      if (this.#after && newestFirst(this.#after, found) >= 0) continue;
      if (this.last !== known) isBehind = isAllBehind(directory, (known = this.last));
      if (known && (mtimeMs < known.mtimeMs || (isBehind && mtimeMs === known.mtimeMs))) this.seen++;
      else this.offer(found);
    }
  }
}

/** Whether every path in the directory comes after the last that is wanted. */
function isAllBehind(directory: string, last: NewestPlace | undefined): boolean {
  return last !== undefined && comparePaths(directory, last.rel) > 0;
}

function newestFirst(a: NewestPlace, b: NewestPlace): number {
  return b.mtimeMs - a.mtimeMs || comparePaths(a.rel, b.rel);
}
