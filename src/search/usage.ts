/**
 * How much a tree holds. `bytes` is the sum of the sizes of files and links as they are listed, `allocated` what they and
 * the directories take on disk, as `du` counts. A file with several hard links counts once, where it is met first.
 */
import type { Stats } from "node:fs";
import { limits } from "../base/index.ts";
import type { EntryType, Located } from "../scope/index.ts";
import { clampLimit, type Cut, type SearchContext } from "./context.ts";
import type { WalkTotals } from "./left-out.ts";
import { comparePaths } from "./name-order.ts";
import type { LevelEntry } from "./read-level.ts";
import { startAnywhere } from "./start-point.ts";
import { Walk } from "./walk.ts";

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
export function diskUsage(ctx: SearchContext, options: UsageOptions): UsageAnswer {
  const start = startAnywhere(ctx, options.path, "measure");
  const walk = new Walk(ctx, start.at, {
    verb: "measure",
    depth: Infinity,
    hidden: true,
    useIgnore: false,
    wantsStat: () => true,
  });
  const own = Number(ctx.scope.lstat(start.at, "measure").blocks) * BLOCK_BYTES;
  const tally = createTally(Math.max(1, options.depth ?? 1));
  tally.all.allocated = own;
  if (start.isFile) addFile(ctx, start.at, tally.all);
  else for (const entry of walk) tally.add(entry);
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

/** What st_blocks counts in, on every system. */
const BLOCK_BYTES = 512;

function addFile(ctx: SearchContext, at: Located, all: Sum): void {
  all.bytes = Number(ctx.scope.lstat(at, "measure").size);
  all.files = 1;
}

function createTally(depth: number): { all: Sum; add: (entry: LevelEntry) => void; children: () => Child[] } {
  const all: Sum = { bytes: 0, allocated: 0, files: 0 };
  const children: Child[] = [];
  /** The children on the way to the current entry, one a level. */
  const open: Child[] = [];
  const linked = new Set<string>();
  const add = (entry: LevelEntry): void => {
    const level = entry.rel.split("/").length;
    open.length = Math.min(open.length, level - 1);
    const added = sizeOf(entry, linked);
    if (level <= depth) {
      const child = { rel: entry.rel, at: entry.at, type: entry.type, bytes: 0, allocated: 0, files: 0 };
      children.push(child);
      open.push(child);
    }
    for (const sum of [all, ...open]) {
      sum.bytes += added.bytes;
      sum.allocated += added.allocated;
      sum.files += added.files;
    }
  };
  return { all, add, children: () => children };
}

function sizeOf({ type, stat }: LevelEntry, linked: Set<string>): Sum {
  const nothing: Sum = { bytes: 0, allocated: 0, files: 0 };
  if (!stat) return nothing;
  const allocated = stat.blocks * BLOCK_BYTES;
  if (type === "directory") return { ...nothing, allocated };
  if (stat.nlink > 1 && !isFirstLink(stat, linked)) return nothing;
  return { bytes: stat.size, allocated, files: type === "file" ? 1 : 0 };
}

/** Only files with several links are remembered. */
function isFirstLink(stat: Stats, linked: Set<string>): boolean {
  const identity = `${stat.dev}:${stat.ino}`;
  if (linked.has(identity)) return false;
  linked.add(identity);
  return true;
}
