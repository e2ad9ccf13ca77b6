/**
 * How much a tree holds. `bytes` is the sum of the sizes of files and links as they are listed, `allocated` what they and
 * the directories take on disk, as `du` counts. A file with several hard links counts once, for the first of its paths.
 */
import { limits } from "../base/index.ts";
import type { Located } from "../scope/index.ts";
import type { EntryType } from "../sys/index.ts";
import { clampLimit, type Cut, type SearchContext } from "./context.ts";
import { LeftOut, type WalkTotals } from "./walk/left-out.ts";
import { BLOCK_BYTES, measuring, Tally, type MeasuredPart } from "./measured-sums.ts";
import { comparePaths } from "./walk/name-order.ts";
import type { SentPlaces } from "./walk/sent-places.ts";
import { startAnywhere } from "./walk/start-point.ts";
import { walkPart, walkWhole, type TreeOptions, type WholeTree } from "./walk/whole-tree.ts";

/** Children that are named without being asked for. */
const USUAL_CHILDREN = 20;

export interface UsageOptions {
  readonly path?: string | undefined;
  /** Levels of `children`; default 1. */
  readonly depth?: number | undefined;
  /** Of `children`; default 20. */
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

/** @throws Failure `not_found`, `denied`, `outside_scope`, `invalid_input` */
export async function diskUsage(ctx: SearchContext, options: UsageOptions): Promise<UsageAnswer> {
  const start = startAnywhere(ctx, options.path, "measure");
  const depth = Math.max(1, options.depth ?? 1);
  const tally = new Tally(depth);
  tally.all.allocated = Number(ctx.scope.lstat(start.at, "measure").blocks) * BLOCK_BYTES;
  const walk = start.isFile ? measureFile(ctx, start.at, tally) : await measureTree(ctx, start.at, tally);
  const limit = clampLimit(options.limit ?? USUAL_CHILDREN, limits.MAX_LIST_ENTRIES);
  const children = tally.children().sort((a, b) => b.bytes - a.bytes || comparePaths(a.rel, b.rel));
  const totals = walk.leftOut.totals();
  return {
    bytes: tally.all.bytes,
    allocated: tally.all.allocated,
    files: tally.all.files,
    directories: totals.directories,
    children: children.slice(0, limit).map(({ rel, type, bytes, files }) => ({
      path: ctx.scope.show(below(start.at, rel)),
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

const MEASURED: TreeOptions = {
  verb: "measure",
  hidden: true,
  useIgnore: false,
  wantsStat: () => () => true,
};

function measureFile(ctx: SearchContext, at: Located, { all }: Tally): WholeTree {
  all.bytes = Number(ctx.scope.lstat(at, "measure").size);
  all.files = 1;
  return { leftOut: new LeftOut(), stoppedBy: undefined };
}

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

function below(start: Located, rel: string): Located {
  return { ...start, rel: start.rel === "" ? rel : `${start.rel}/${rel}` };
}
