/**
 * The entries of a directory, or of a tree to a depth. By name it stops at the limit and looks only at what it returns;
 * by size or time it has to look at everything. Links are given as themselves, never their targets.
 *
 * A plain list shows all there is, dot names too; a recursive one leaves out what searches leave out.
 */
import { Failure, isoTime, limits } from "../base/index.ts";
import type { ToolArguments } from "../calls/index.ts";
import type { Located } from "../scope/index.ts";
import { type EntryType, typeOf } from "../sys/index.ts";
import {
  clampLimit,
  type Cut,
  newRoom,
  type SearchContext,
  type StoppedBy,
  takeOne,
  hasMembers,
  markTree,
  endOfPage,
  readCursor,
  TreeSum,
} from "./context.ts";
import { listLevel } from "./list-level.ts";
import { createFileFilter } from "./walk/file-filter.ts";
import type { Skipped, WalkTotals } from "./walk/read-level.ts";
import { comparePaths, TopEntries } from "./walk/name-order.ts";
import { startDirectory, Walk, type WalkOptions } from "./walk/walk.ts";

type ListOptions = ToolArguments["list_directory"];

export interface ListEntry {
  path: string;
  type: EntryType;
  /** Bytes; of a link, the length of its target's name. */
  size: number;
  /** ISO 8601. */
  mtime: string;
  /** What a link leads to, where it stays inside the roots. */
  target_type?: EntryType;
  target_size?: number;
}

export interface ListAnswer extends Cut {
  entries: ListEntry[];
  totals: WalkTotals & { entries: number; at_least?: true };
}

interface Found {
  readonly rel: string;
  readonly at: Located;
  readonly type: EntryType;
  /** Size or time, larger first; 0 by name. */
  readonly key: number;
  readonly size: number;
  readonly mtimeMs: number;
}

type Place = Pick<Found, "rel" | "key">;

/** A place as a cursor holds it: with a mark of what the tree was like. */
type MarkedPlace = Place & { readonly mark: string };

/** @throws Failure `not_found`, `denied`, `outside_scope`, `invalid_input` */
export async function listDirectory(ctx: SearchContext, options: ListOptions): Promise<ListAnswer> {
  const start = startDirectory(ctx, options.path, "list");
  const limit = clampLimit(options.limit, limits.MAX_LIST_ENTRIES);
  const place = readCursor(options, "list", isPlace);
  const bySize = options.sort === "size" || options.sort === "mtime";
  const asked: Asked = { options, start, limit, place };
  const listing = bySize
    ? await sorted(ctx, asked)
    : options.recursive || options.exclude
      ? await byName(ctx, asked)
      : plain(ctx, asked);
  const { stoppedBy, skipped, seen } = listing;
  const entries = entriesThatFit(ctx, listing.entries, options.limit);
  const more = listing.more || entries.length < listing.entries.length;
  const mark = ({ rel }: Place): string => markTree(ctx, start, rel) + (listing.sum?.mark() ?? "");
  const last = entries.at(-1)?.found;
  const truncated = more || stoppedBy !== undefined;
  // Sorted, what comes first of all is not known when it was stopped.
  const canGoOn = truncated && last && !(stoppedBy && listing.sum);
  const isPartial = stoppedBy !== undefined || (more && options.recursive === true && !bySize);
  return {
    entries: entries.map(({ entry }) => entry),
    truncated,
    totals: { entries: seen, ...skipped.totals(), ...(isPartial ? { at_least: true as const } : {}) },
    ...endOfPage(options, stoppedBy, place, canGoOn ? { rel: last.rel, key: last.key } : undefined, mark),
  };
}

/** The type, the size and the time of an entry take so much of its line. */
const FACTS_BYTES = 45;

function entriesThatFit(ctx: SearchContext, listed: readonly Found[], asked: number | undefined) {
  const room = newRoom(ctx, asked, listed.length);
  const entries: { found: Found; entry: ListEntry }[] = [];
  for (const found of listed) {
    const { at, type, size, mtimeMs } = found;
    const path = ctx.scope.show(at);
    if (!takeOne(room, Buffer.byteLength(path) + FACTS_BYTES)) break;
    const target = type === "symlink" ? targetOf(ctx, at) : {};
    entries.push({ found, entry: { path, type, size, mtime: isoTime(Math.trunc(mtimeMs)), ...target } });
  }
  return entries;
}

function targetOf({ scope }: SearchContext, at: Located): Pick<ListEntry, "target_type" | "target_size"> {
  try {
    const stat = scope.lstat(scope.resolve(at, "list"), "list");
    return { target_type: typeOf(stat), target_size: Number(stat.size) };
  } catch (thrown) {
    if (thrown instanceof Failure) return {};
    throw thrown;
  }
}

interface Asked {
  readonly options: ListOptions;
  readonly start: Located;
  readonly limit: number;
  /** Where to go on. */
  readonly place: MarkedPlace | undefined;
}

interface Listing {
  readonly skipped: Skipped;
  readonly stoppedBy: StoppedBy | undefined;
  readonly entries: Found[];
  readonly more: boolean;
  readonly seen: number;
  /** A sum over all entries, where all were looked at. */
  readonly sum?: TreeSum;
}

async function byName(ctx: SearchContext, { options, start, limit, place }: Asked): Promise<Listing> {
  const walk = new Walk(ctx, start, { ...walkOptions(options), after: place?.rel });
  const entries: Found[] = [];
  let seen = 0;
  for (const next of walk.inTurns()) {
    if (next instanceof Promise) await next;
    else {
      seen++;
      if (entries.length === limit) break;
      const { rel, at, type } = next;
      entries.push(lookAt(ctx, { rel, at, type, key: 0 }));
    }
  }
  const { skipped, stoppedBy } = walk;
  return { skipped, stoppedBy, entries, more: seen > entries.length, seen };
}

function plain(ctx: SearchContext, { options, start, limit, place }: Asked): Listing {
  const hidden = options.hidden ?? true;
  const { skipped, page, stats, seen } = listLevel(ctx, start, { hidden, limit, after: place?.rel });
  const entries = page.map(({ name, type }, index): Found => ({
    rel: name,
    at: ctx.scope.child(start, name),
    type,
    key: 0,
    size: stats[index]?.size ?? 0,
    mtimeMs: stats[index]?.mtimeMs ?? 0,
  }));
  return { skipped, stoppedBy: undefined, entries, more: seen > entries.length, seen };
}

async function sorted(ctx: SearchContext, { options, start, limit, place }: Asked): Promise<Listing> {
  const walk = new Walk(ctx, start, { ...walkOptions(options), wantsStat: () => () => true });
  const top = new TopEntries<Found>(limit, largestFirst);
  const sum = new TreeSum();
  for (const next of walk.inTurns()) {
    if (next instanceof Promise) await next;
    if (next instanceof Promise || !next.stat) continue;
    const { rel, at, type, stat } = next;
    const { size, mtimeMs } = stat;
    sum.add(mtimeMs + size);
    const found = { rel, at, type, key: options.sort === "size" ? size : mtimeMs, size, mtimeMs };
    if (!place || largestFirst(place, found) < 0) top.offer(found);
  }
  const entries = top.take();
  const { skipped, stoppedBy } = walk;
  return { skipped, stoppedBy, entries, more: top.seen > entries.length, seen: sum.count, sum };
}

function walkOptions(options: ListOptions): WalkOptions {
  const recursive = options.recursive === true;
  return {
    verb: "list",
    depth: recursive ? (options.depth ?? Infinity) : 1,
    hidden: options.hidden ?? !recursive,
    useIgnore: recursive && options.no_ignore !== true,
    override: createFileFilter({ exclude: options.exclude }).override,
  };
}

/** An entry that vanished since it was listed keeps its name, with zeros. */
function lookAt(ctx: SearchContext, found: Omit<Found, "size" | "mtimeMs">): Found {
  try {
    const stat = ctx.scope.lstat(found.at, "list");
    return { ...found, size: Number(stat.size), mtimeMs: Number(stat.mtimeMs) };
  } catch {
    return { ...found, size: 0, mtimeMs: 0 };
  }
}

function largestFirst(a: Place, b: Place): number {
  return b.key - a.key || comparePaths(a.rel, b.rel);
}

function isPlace(value: unknown): value is MarkedPlace {
  return hasMembers(value, { rel: "string", key: "number", mark: "string" });
}
