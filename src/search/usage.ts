/**
 * How much a tree holds. `bytes` is the sum of the sizes of files and links as they are listed, `allocated` what they and
 * the directories take on disk, as `du` counts. A file with several hard links counts once, where it is met first.
 */
import { limits } from "../base/index.ts";
import type { EntryType, Located } from "../scope/index.ts";
import { clampLimit, type Cut, type SearchContext, type StoppedBy } from "./context.ts";
import { LeftOut, type WalkTotals } from "./left-out.ts";
import { readDirectories, walkAll, type Directories, type Walked } from "./lower-levels.ts";
import { comparePaths } from "./name-order.ts";
import type { LevelEntry } from "./read-level.ts";
import { startAnywhere } from "./start-point.ts";
import { Walk, type WalkOptions } from "./walk.ts";

export interface UsageOptions {
  readonly path?: string | undefined;
  /** Levels of `children`; default 1. */
  readonly depth?: number | undefined;
  readonly limit?: number | undefined;
}

export interface UsageChild {
  path: string;
  type: EntryType;
  bytes: number;
  files: number;
}

export interface UsageAnswer extends Cut {
  bytes: number;
  allocated: number;
  files: number;
  directories: number;
  /** Largest first. */
  children: UsageChild[];
  unreadable: number;
  totals: WalkTotals & { children: number; at_least?: true };
}

interface Sum {
  bytes: number;
  allocated: number;
  files: number;
}

interface Child extends Sum {
  readonly rel: string;
  readonly at: Located;
  readonly type: EntryType;
}

/** @throws Failure `not_found`, `denied`, `outside_scope`, `invalid_input` */
export async function diskUsage(ctx: SearchContext, options: UsageOptions): Promise<UsageAnswer> {
  const start = startAnywhere(ctx, options.path, "measure");
  const depth = Math.max(1, options.depth ?? 1);
  const tally = new Tally(depth);
  tally.all.allocated = Number(ctx.scope.lstat(start.at, "measure").blocks) * BLOCK_BYTES;
  const walk = start.isFile
    ? measureFile(ctx, start.at, tally)
    : await measureTree(ctx, start.at, tally, Math.max(UPPER_LEVELS, depth));
  const limit = clampLimit(options.limit, limits.MAX_LIST_ENTRIES);
  const children = tally.children().sort((a, b) => b.bytes - a.bytes || comparePaths(a.rel, b.rel));
  const totals = walk.leftOut.totals();
  return {
    bytes: tally.all.bytes,
    allocated: tally.all.allocated,
    files: tally.all.files,
    directories: totals.directories,
    children: children
      .slice(0, limit)
      .map(({ at, type, bytes, files }) => ({ path: ctx.scope.show(at), type, bytes, files })),
    unreadable: totals.unreadable,
    truncated: children.length > limit || walk.stoppedBy !== undefined,
    totals: { children: children.length, ...totals, ...(walk.stoppedBy ? { at_least: true as const } : {}) },
    ...(walk.stoppedBy ? { stopped_by: walk.stoppedBy } : {}),
  };
}

/** Big enough directories stand two levels down. */
const UPPER_LEVELS = 2;
/** What st_blocks counts in, on every system. */
const BLOCK_BYTES = 512;

const MEASURED: Omit<WalkOptions, "depth"> = {
  verb: "measure",
  hidden: true,
  useIgnore: false,
  wantsStat: () => () => true,
};

function measureFile(ctx: SearchContext, at: Located, { all }: Tally): Pick<Walk, "leftOut" | "stoppedBy"> {
  all.bytes = Number(ctx.scope.lstat(at, "measure").size);
  all.files = 1;
  return { leftOut: new LeftOut(), stoppedBy: undefined };
}

async function measureTree(ctx: SearchContext, start: Located, tally: Tally, levels: number): Promise<Walk> {
  return await walkAll<PartAnswer>(ctx, start, MEASURED, levels, {
    name: "part:usage",
    visit: (entry) => {
      tally.addChild(entry);
      tally.add(entry.rel, measured(entry));
    },
    request: (directories) => directories,
    here: (directories) => usagePart(ctx, directories),
    take: (answer) => answer.sums.forEach(([rel, sum]) => tally.add(rel, sum)),
  });
}

/** What one entry takes, or a whole directory. */
interface Measured extends Sum {
  /** Files with several names, which count once in a whole tree. */
  readonly linked: readonly (readonly [identity: string, sum: Sum])[];
}

function measured({ type, stat }: LevelEntry): Measured {
  if (!stat) return { bytes: 0, allocated: 0, files: 0, linked: [] };
  const allocated = stat.blocks * BLOCK_BYTES;
  if (type === "directory") return { bytes: 0, allocated, files: 0, linked: [] };
  const sum = { bytes: stat.size, allocated, files: type === "file" ? 1 : 0 };
  if (stat.nlink === 1) return { ...sum, linked: [] };
  return { bytes: 0, allocated: 0, files: 0, linked: [[stat.identity, sum]] };
}

interface PartAnswer extends Walked {
  readonly sums: readonly (readonly [rel: string, sum: Measured])[];
}

function usagePart(
  ctx: SearchContext,
  directories: readonly { readonly at: Located; readonly rel: string }[],
): PartAnswer {
  const leftOut = new LeftOut();
  let stoppedBy: StoppedBy | undefined;
  const sums: [string, Measured][] = [];
  for (const { at, rel } of directories) {
    const walk = new Walk(ctx, at, { ...MEASURED, depth: Infinity, base: rel });
    const whole: Sum & { linked: Measured["linked"][number][] } = {
      bytes: 0,
      allocated: 0,
      files: 0,
      linked: [],
    };
    for (const entry of walk) {
      const sum = measured(entry);
      addTo(whole, sum);
      whole.linked.push(...sum.linked);
    }
    sums.push([rel, whole]);
    leftOut.add(walk.leftOut.counts());
    stoppedBy ??= walk.stoppedBy;
    if (stoppedBy) break;
  }
  return { sums, leftOut: leftOut.counts(), stoppedBy };
}

/** In the worker that was given the part. */
export function answerUsagePart(ctx: SearchContext, input: string): string {
  return JSON.stringify(usagePart(ctx, readDirectories(ctx, JSON.parse(input) as Directories).directories));
}

function addTo(sum: Sum, more: Sum): void {
  sum.bytes += more.bytes;
  sum.allocated += more.allocated;
  sum.files += more.files;
}

/** The sums of a tree, and of everything in its first levels. */
class Tally {
  readonly all: Sum = { bytes: 0, allocated: 0, files: 0 };
  readonly #depth: number;
  readonly #children = new Map<string, Child>();
  readonly #linked = new Set<string>();

  constructor(depth: number) {
    this.#depth = depth;
  }

  addChild({ rel, at, type }: LevelEntry): void {
    if (rel.split("/").length <= this.#depth)
      this.#children.set(rel, { rel, at, type, bytes: 0, allocated: 0, files: 0 });
  }

  /** To what stands at `rel`, and to everything above it. */
  add(rel: string, sum: Measured): void {
    for (const one of [
      sum,
      ...sum.linked.filter(([identity]) => this.#isFirst(identity)).map(([, link]) => link),
    ]) {
      addTo(this.all, one);
      for (let end = rel.indexOf("/"); ; end = rel.indexOf("/", end + 1)) {
        const child = this.#children.get(end < 0 ? rel : rel.slice(0, end));
        if (child) addTo(child, one);
        if (end < 0 || !child) break;
      }
    }
  }

  children(): Child[] {
    return [...this.#children.values()];
  }

  #isFirst(identity: string): boolean {
    const isFirst = !this.#linked.has(identity);
    this.#linked.add(identity);
    return isFirst;
  }
}
