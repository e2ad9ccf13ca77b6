/**
 * Files by pattern. Newest first looks at every match; by name it stops at the limit. Directories and links are not
 * files and are given only on request.
 */
import { Failure, limits } from "../base/index.ts";
import type { ToolArguments } from "../calls/index.ts";
import type { EntryType, Located } from "../scope/index.ts";
import {
  clampLimit,
  type Cut,
  mostResults,
  newRoom,
  type SearchContext,
  sizeOfPath,
  takeOne,
} from "./context.ts";
import { hasMembers, markTree, nextCall, readCursor, type TreeSum } from "./cursor.ts";
import { compileGlob, type GlobMatcher, matchInOrder, splitAbsolute } from "./ignore/glob-pattern.ts";
import { type Found, FoundEntry, NewestFound, type NewestPlace } from "./newest-found.ts";
import { createFileFilter } from "./walk/file-filter.ts";
import type { WalkTotals } from "./walk/left-out.ts";
import type { SentPlaces } from "./walk/sent-places.ts";
import { startDirectory, Walk } from "./walk/walk.ts";
import { type TreeOptions, walkPart, walkWhole, type WholeTree } from "./walk/whole-tree.ts";

/** The arguments of the tool, as they come over the wire; `pattern` may be several. */
export type GlobOptions = Omit<ToolArguments["glob"], "pattern"> & {
  readonly pattern: string | readonly string[];
};

export interface GlobAnswer extends Cut {
  paths: string[];
  totals: WalkTotals & { paths: number; at_least?: true };
  /** When nothing was found and a small change of the pattern would find something, or this cannot be gone on with. */
  hint?: string;
}

/** As it stands in a cursor: with what the tree was like. */
type MarkedPlace = NewestPlace & { readonly mark: string };

/** @throws Failure `invalid_input`, `outside_scope`, `not_found`, `denied` */
export async function glob(ctx: SearchContext, options: GlobOptions): Promise<GlobAnswer> {
  const { start, patterns } = startOf(ctx, options);
  const matcher = compileGlob(patterns, options.hidden === true);
  const limit = mostResults(ctx, clampLimit(options.limit ?? limits.USUAL_PATHS, limits.MAX_PATHS));
  const place = readCursor(options, "glob", isPlace);
  const asked: Asked = { options, matcher, limit, place };
  const found =
    options.sort === "name" || options.directories
      ? await byName(ctx, start, asked)
      : await newest(ctx, start, asked);
  const { walk, entries, seen } = found;
  const paths = pathsThatFit(ctx, entries, options.limit);
  const more = found.more || paths.length < entries.length;
  const mark = (rel: string): string => markTree(ctx, start, rel) + (found.sum?.mark() ?? "");
  const last = entries[paths.length - 1];
  const answer: GlobAnswer = {
    paths,
    truncated: more || walk.stoppedBy !== undefined,
    totals: { paths: seen, ...walk.leftOut.totals() },
  };
  if (walk.stoppedBy || (more && (options.sort === "name" || options.directories)))
    answer.totals.at_least = true;
  if (walk.stoppedBy) answer.stopped_by = walk.stoppedBy;
  if (place && !walk.stoppedBy && place.mark !== mark(place.rel)) answer.tree_changed = true;
  // What comes first of all is not known then: going on after the last would pass over what was not looked at.
  const canGoOn = !walk.stoppedBy || !found.sum;
  if (answer.truncated && last && canGoOn) {
    const next: MarkedPlace = { rel: last.rel, mtimeMs: last.mtimeMs, mark: mark(last.rel) };
    answer.next = nextCall(options, next);
  }
  const isEmpty = entries.length === 0 && !place;
  const hint = !canGoOn ? STOPPED : isEmpty ? await hintFor(ctx, options, start, patterns) : undefined;
  if (hint) answer.hint = hint;
  return answer;
}

const STOPPED = 'This cannot be gone on with: narrow it by path or pattern, or pass sort: "name".';

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

function startOf(ctx: SearchContext, options: GlobOptions): { start: Located; patterns: readonly string[] } {
  const patterns = typeof options.pattern === "string" ? [options.pattern] : options.pattern;
  if (patterns.length === 0) throw new Failure("invalid_input", "Cannot glob: there is no pattern");
  const absolute = patterns.length === 1 ? splitAbsolute(patterns[0] ?? "") : undefined;
  if (!absolute) return { start: startDirectory(ctx, options.path, "glob"), patterns };
  return { start: startDirectory(ctx, absolute.directory, "glob"), patterns: [absolute.rest] };
}

interface Search {
  readonly walk: WholeTree;
  readonly entries: readonly Found[];
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
  readonly place: NewestPlace | undefined;
}

async function byName(
  ctx: SearchContext,
  start: Located,
  { options, matcher, limit, place }: Asked,
): Promise<Search> {
  const after = place?.rel;
  const walk = new Walk(ctx, start, { ...walkOptions(options, matcher), depth: Infinity, after });
  const entries: Found[] = [];
  const matches = matchInOrder(matcher);
  for (const entry of walk.inTurns()) {
    if (entry instanceof Promise) {
      await entry;
      continue;
    }
    if ((entry.type !== "file" && !options.directories) || !matches(entry)) continue;
    if (entries.length === limit) return { walk, entries, more: true, seen: limit + 1 };
    entries.push(new FoundEntry(entry, 0));
  }
  return { walk, entries, more: false, seen: entries.length };
}

async function newest(ctx: SearchContext, start: Located, asked: Asked): Promise<Search> {
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
  /** There are enough that come before it. */
  readonly last: NewestPlace | undefined;
}

interface FoundInPart {
  /** The newest, as many as the whole answer can take. */
  readonly found: readonly (readonly [rel: string, mtimeMs: number])[];
  /** All matches, and how many of them come after the place to go on. */
  readonly seen: { readonly count: number; readonly sum: number };
  readonly offered: number;
}

/** What is found here is put together at once. */
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

function newestOptions({ options, matcher }: Pick<Asked, "options" | "matcher">): TreeOptions {
  const wantsStat = (directory: string): ((name: string, type: EntryType) => boolean) => {
    const matches = matcher.matchesIn(directory);
    return (name, type) => type === "file" && matches(name);
  };
  return { ...walkOptions(options, matcher), wantsStat };
}

function walkOptions(options: GlobOptions, matcher: GlobMatcher) {
  return {
    verb: "glob",
    hidden: options.hidden === true || matcher.namesHidden,
    useIgnore: options.no_ignore !== true,
    enters: matcher.enters,
    isNamed: matcher.isNamed,
    override: createFileFilter({ exclude: options.exclude }).override,
  };
}

/** `*.ts` means the top level; people and models often mean any depth. One quick look says so. */
async function hintFor(
  ctx: SearchContext,
  options: GlobOptions,
  start: Located,
  patterns: readonly string[],
): Promise<string | undefined> {
  const only = patterns.length === 1 ? (patterns[0] ?? "") : "";
  if (only === "" || only.includes("/") || only.includes("**")) return undefined;
  const deeper = compileGlob([`**/${only}`], options.hidden === true);
  const { no_ignore, hidden } = options;
  const asked: Asked = {
    options: { pattern: "", no_ignore, hidden },
    matcher: deeper,
    limit: 1,
    place: undefined,
  };
  const { entries } = await byName(ctx, start, asked);
  const example = entries[0];
  return (
    example &&
    `"${only}" matches at the top level only; "**/${only}" would find files such as "${ctx.scope.show(example.at)}".`
  );
}

function isPlace(value: unknown): value is MarkedPlace {
  return hasMembers(value, { rel: "string", mtimeMs: "number", mark: "string" });
}
