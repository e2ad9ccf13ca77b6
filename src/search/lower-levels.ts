/**
 * A whole tree for searches that look at everything: its upper levels here, and what lies below in parts, some of which
 * another worker does. The order is of no matter to them; they sort or add up.
 */
import type { Located } from "../scope/index.ts";
import type { SearchContext } from "./context.ts";
import type { LeftOutCounts } from "./left-out.ts";
import type { LevelEntry } from "./read-level.ts";
import { inParts } from "./shared-parts.ts";
import type { StoppedBy } from "./context.ts";
import { Walk, type WalkOptions } from "./walk.ts";

/** Directories of a part: some milliseconds of walking. */
const PART_DIRECTORIES = 16;
const BETWEEN = "//";

/** What the walks of a part have seen, besides what was looked for. */
export interface Walked {
  readonly leftOut: LeftOutCounts;
  readonly stoppedBy?: StoppedBy | undefined;
}

/** Directories as they travel to another worker. */
export interface Directories {
  readonly root: number;
  /** Below the root, of the start of the search and of the directories, joined by what no path holds. */
  readonly start: string;
  readonly rels: string;
}

/** @param depth levels that are walked here */
export async function walkAll<Answer extends Walked>(
  ctx: SearchContext,
  start: Located,
  options: Omit<WalkOptions, "depth">,
  depth: number,
  work: {
    readonly name: string;
    readonly visit: (entry: LevelEntry) => void;
    readonly request: (directories: Directories) => object;
    readonly here: (directories: readonly LevelEntry[]) => Answer;
    readonly take: (answer: Answer) => void;
  },
): Promise<Walk> {
  const walk = new Walk(ctx, start, { ...options, depth });
  const below: LevelEntry[] = [];
  for (const entry of walk) {
    work.visit(entry);
    const isLast = entry.type === "directory" && entry.rel.split("/").length === depth;
    if (isLast && options.enters?.(entry.rel) !== false) below.push(entry);
  }
  await inParts<readonly LevelEntry[], Answer>(ctx, chunksOf(below), {
    name: work.name,
    request: (part) =>
      JSON.stringify(
        work.request({
          root: start.root.index,
          start: start.rel,
          rels: part.map(({ at }) => at.rel).join(BETWEEN),
        }),
      ),
    here: work.here,
    take(_part, answer) {
      work.take(answer);
      walk.leftOut.add(answer.leftOut);
      walk.stoppedBy ??= answer.stoppedBy;
      return walk.stoppedBy !== undefined;
    },
  });
  return walk;
}

/** In the worker that was given the part. */
export function readDirectories(
  ctx: SearchContext,
  { root: index, start, rels }: Directories,
): { readonly start: Located; readonly directories: { readonly at: Located; readonly rel: string }[] } {
  const root = ctx.scope.roots[index];
  if (!root) throw new Error(`no root ${index}`);
  const located = (rel: string): Located => ({ root, rel, mustBeDirectory: true, asked: rel });
  const cut = start === "" ? 0 : start.length + 1;
  return {
    start: located(start),
    directories: rels.split(BETWEEN).map((rel) => ({ at: located(rel), rel: rel.slice(cut) })),
  };
}

function* chunksOf(entries: readonly LevelEntry[]): Generator<readonly LevelEntry[], void, undefined> {
  for (let at = 0; at < entries.length; at += PART_DIRECTORIES)
    yield entries.slice(at, at + PART_DIRECTORIES);
}
