/**
 * How much a tree holds. `bytes` is the sum of the sizes of files and links as they are listed, `allocated` what they and the
 * directories take on disk, as `du` counts. The entries of a tree are added up by the children that are named, in parts, in
 * whatever order they come. A file with several hard links counts once, for the first of its paths: of those in the upper
 * levels, or else of all.
 */
import { limits } from "../base/index.ts";
import type { ToolArguments } from "../calls/index.ts";
import type { Located } from "../scope/index.ts";
import type { EntryType } from "../sys/index.ts";
import { clampLimit, type Cut, type SearchContext } from "./context.ts";
import { comparePaths } from "./walk/name-order.ts";
import { type LevelOptions, Skipped, type WalkTotals } from "./walk/read-level.ts";
import { type SentPlaces, type Visit, walkPart, walkWhole, type WholeTree } from "./walk/whole-tree.ts";
import { startAnywhere } from "./walk/walk.ts";

/** Children that are named without being asked for. */
const USUAL_CHILDREN = 20;

interface UsageChild {
  path: string;
  type: EntryType;
  bytes: number;
  files: number;
}

interface UsageAnswer extends Cut {
  bytes: number;
  allocated: number;
  files: number;
  directories: number;
  children: UsageChild[];
  unreadable: number;
  totals: WalkTotals & { children: number; at_least?: true };
}

/** @throws Failure `not_found`, `denied`, `outside_scope`, `invalid_input` */
export async function diskUsage(ctx: SearchContext, options: ToolArguments["disk_usage"]): Promise<UsageAnswer> {
  const start = startAnywhere(ctx, options.path, "measure");
  const depth = Math.max(1, options.depth ?? 1);
  const tally = new Tally(depth);
  const { size, blocks } = ctx.scope.lstat(start.at, "measure");
  tally.all.allocated = Number(blocks) * BLOCK_BYTES;
  if (start.isFile) [tally.all.bytes, tally.all.files] = [Number(size), 1];
  const alone: WholeTree = { skipped: new Skipped(), stoppedBy: undefined };
  const walk = start.isFile ? alone : await measureTree(ctx, start.at, tally);
  const limit = clampLimit(options.limit ?? USUAL_CHILDREN, limits.MAX_LIST_ENTRIES);
  const children = tally.children().sort((a, b) => b.bytes - a.bytes || comparePaths(a.rel, b.rel));
  const totals = walk.skipped.totals();
  return {
    bytes: tally.all.bytes,
    allocated: tally.all.allocated,
    files: tally.all.files,
    directories: totals.directories,
    children: children.slice(0, limit).map(({ rel, type, bytes, files }) => ({
      path: ctx.scope.show({ ...start.at, rel: start.at.rel === "" ? rel : `${start.at.rel}/${rel}` }),
      type,
      bytes,
      files,
    })),
    unreadable: totals.unreadable,
    truncated: children.length > limit || walk.stoppedBy !== undefined,
    totals: { children: children.length, ...totals, ...(walk.stoppedBy ? { at_least: true as const } : {}) },
    ...(walk.stoppedBy ? { stopped_by: walk.stoppedBy } : {}),
  };
}

const MEASURED: LevelOptions = { verb: "measure", hidden: true, useIgnore: false, wantsStat: () => () => true };

async function measureTree(ctx: SearchContext, start: Located, tally: Tally): Promise<WholeTree> {
  return await walkWhole<MeasuredPart>(ctx, start, MEASURED, {
    name: "part:usage",
    request: (places): PartRequest => ({ depth: tally.depth, places }),
    open: () => measuring(tally.depth),
    take: (part) => tally.take(part),
  });
}

interface PartRequest {
  readonly depth: number;
  readonly places: SentPlaces;
}

/** In the worker that was given the part. */
export function answerUsagePart(ctx: SearchContext, input: string): string {
  const { depth, places } = JSON.parse(input) as PartRequest;
  return JSON.stringify(walkPart(ctx, MEASURED, places, { open: () => measuring(depth) }));
}

interface Sum {
  bytes: number;
  allocated: number;
  files: number;
}

interface Child extends Sum {
  /** Below the start. */
  readonly rel: string;
  readonly type: EntryType;
}

interface MeasuredPart {
  readonly children: readonly (readonly [rel: string, type: EntryType])[];
  /** By child: of itself, and of what is below the lowest level of children. */
  readonly sums: readonly (readonly [child: string, sum: Sum])[];
  /** Files with several names. */
  readonly linked: readonly (readonly [identity: string, link: Link])[];
}

interface Link {
  readonly rel: string;
  readonly sum: Sum;
}

/** What st_blocks counts in, on every system. */
const BLOCK_BYTES = 512;
/** At least: those of the children. */
const UPPER_LEVELS = 2;

/** @param depth levels of children */
function measuring(depth: number): { readonly visit: Visit; readonly close: () => MeasuredPart } {
  const children: [string, EntryType][] = [];
  const sums = new Map<string, Sum>();
  const links = new Links(depth);
  return {
    visit(entries, directory) {
      const isOfChildren = levelsOf(directory) < depth;
      const child = isOfChildren ? "" : directory.split("/").slice(0, depth).join("/");
      const whole = isOfChildren ? undefined : (sums.get(child) ?? newSum());
      if (whole) sums.set(child, whole);
      for (const entry of entries) {
        if (isOfChildren) children.push([entry.rel, entry.type]);
        const { stat, type } = entry;
        if (!stat) continue;
        const bytes = type === "directory" ? 0 : stat.size;
        const sum = { bytes, allocated: stat.blocks * BLOCK_BYTES, files: type === "file" ? 1 : 0 };
        if (type !== "directory" && stat.nlink > 1) links.offer(stat.identity, { rel: entry.rel, sum });
        else if (whole) addTo(whole, sum);
        else sums.set(entry.rel, sum);
      }
    },
    close: () => ({ children, sums: [...sums], linked: [...links.first] }),
  };
}

/** The sums of a tree, and of everything in its first levels. */
class Tally {
  readonly all: Sum = newSum();
  readonly depth: number;
  readonly #children = new Map<string, Child>();
  readonly #links: Links;

  constructor(depth: number) {
    this.depth = depth;
    this.#links = new Links(depth);
  }

  /** The part with a directory must come before the parts with what is in it. */
  take({ children, sums, linked }: MeasuredPart): void {
    for (const [rel, type] of children) this.#children.set(rel, { rel, type, ...newSum() });
    for (const [rel, sum] of sums) this.#add(rel, sum);
    for (const [identity, link] of linked) this.#links.offer(identity, link);
  }

  /** To be called once, when all parts are there, because only then the first name of each file is known. */
  children(): Child[] {
    for (const { rel, sum } of this.#links.first.values()) this.#add(rel, sum);
    return [...this.#children.values()];
  }

  /** To what stands at `rel`, as far as it is named, and to everything above it. */
  #add(rel: string, sum: Sum): void {
    addTo(this.all, sum);
    for (let end = rel.indexOf("/"); ; end = rel.indexOf("/", end + 1)) {
      const child = this.#children.get(end < 0 ? rel : rel.slice(0, end));
      if (child) addTo(child, sum);
      if (end < 0 || !child) return;
    }
  }
}

/** The first name of each file that has several. */
class Links {
  readonly #upper: number;
  readonly first = new Map<string, Link>();

  constructor(depth: number) {
    this.#upper = Math.max(UPPER_LEVELS, depth);
  }

  offer(identity: string, link: Link): void {
    const known = this.first.get(identity);
    if (!known || this.#isBefore(link.rel, known.rel)) this.first.set(identity, link);
  }

  #isBefore(a: string, b: string): boolean {
    const [isUpper, isOtherUpper] = [levelsOf(a) <= this.#upper, levelsOf(b) <= this.#upper];
    return isUpper === isOtherUpper ? comparePaths(a, b) < 0 : isUpper;
  }
}

function newSum(): Sum {
  return { bytes: 0, allocated: 0, files: 0 };
}

function addTo(sum: Sum, more: Sum): void {
  sum.bytes += more.bytes;
  sum.allocated += more.allocated;
  sum.files += more.files;
}

/** Names in a path: 0 of the start. */
function levelsOf(rel: string): number {
  return rel === "" ? 0 : rel.split("/").length;
}
