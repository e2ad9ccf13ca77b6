/**
 * One directory by name, without a walk: the usual list. Of a hundred thousand names only those of the page become
 * entries, so a page costs one reading of the directory and little else.
 */
import { readDirectory, type DirectoryEntry, type EntryType, type Located } from "../scope/index.ts";
import type { SearchContext } from "./context.ts";
import { LeftOut } from "./left-out.ts";
import { compareNames } from "./name-order.ts";
import { TopEntries } from "./top-entries.ts";

export interface LevelPage {
  readonly leftOut: LeftOut;
  /** The first names after the place to go on, in order. */
  readonly page: { readonly at: Located; readonly name: string; readonly type: EntryType }[];
  /** Names from that place on. */
  readonly seen: number;
}

export interface LevelPageOptions {
  readonly hidden: boolean;
  readonly limit: number;
  /** The last name of the page before. */
  readonly after: string | undefined;
}

/** @throws Failure when the directory cannot be opened */
export function listLevel(ctx: SearchContext, start: Located, options: LevelPageOptions): LevelPage {
  using directory = ctx.scope.openDirectory(start, "list", "refuse");
  const leftOut = new LeftOut();
  const top = new TopEntries<DirectoryEntry>(options.limit, (a, b) => compareNames(a.name, b.name));
  for (const entry of readDirectory(directory)) {
    if (options.after !== undefined && compareNames(entry.name, options.after) <= 0) continue;
    if (ctx.scope.denies(ctx.scope.child(start, entry.name))) leftOut.denied++;
    else if (!options.hidden && entry.name.startsWith(".")) leftOut.hidden++;
    else top.offer(count(leftOut, entry));
  }
  const page = top.take().map(({ name, type }) => ({ at: ctx.scope.child(start, name), name, type }));
  return { leftOut, page, seen: top.seen };
}

function count(leftOut: LeftOut, entry: DirectoryEntry): DirectoryEntry {
  if (entry.type === "file") leftOut.files++;
  else if (entry.type === "directory") leftOut.directories++;
  else if (entry.type === "symlink") leftOut.links++;
  else leftOut.special++;
  return entry;
}
