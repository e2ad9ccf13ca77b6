/**
 * One directory by name, without a walk: the usual list. Of a hundred thousand names only those of the page are looked
 * at, so a first page costs one reading of the directory and little else. The next pages come from the names in order,
 * which `kept-names` keeps as long as the directory is what it was; what stands behind them is looked at for each page.
 */
import type { Located, OpenDirectory } from "../scope/index.ts";
import { readDirectory, statEntries, statEntry, type DirectoryEntry, type EntryStat } from "../sys/index.ts";
import type { SearchContext } from "./context.ts";
import { isDotName, OrderedNames, readToKeep, type NamesPage } from "./kept-names.ts";
import { LeftOut } from "./walk/left-out.ts";
import { compareNames } from "./walk/name-order.ts";
import { TopEntries } from "./walk/top-entries.ts";

export interface LevelPage extends NamesPage {
  /** Of each entry of the page. `undefined`: it is gone since. */
  readonly stats: readonly (EntryStat | undefined)[];
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
  const names = namesPage(ctx, directory, start, options);
  return { ...names, stats: statsOf(directory, names.page) };
}

/** A name that cannot be looked at hides none of the others. */
function statsOf(
  directory: OpenDirectory,
  page: readonly DirectoryEntry[],
): readonly (EntryStat | undefined)[] {
  const names = page.map(({ name }) => name);
  try {
    return statEntries(directory, names);
  } catch {
    return names.map((name) => statOrNone(directory, name));
  }
}

function statOrNone(directory: OpenDirectory, name: string): EntryStat | undefined {
  try {
    return statEntry(directory, name);
  } catch {
    return undefined;
  }
}

function namesPage(
  ctx: SearchContext,
  directory: OpenDirectory,
  start: Located,
  options: LevelPageOptions,
): NamesPage {
  const { after } = options;
  const isDenied = ctx.scope.deniesIn(start);
  if (after === undefined) return pageOf(readDirectory(directory), isDenied, options);
  const names = readToKeep(ctx.scope, directory, start);
  if (names instanceof OrderedNames) return names.pageAfter({ ...options, after });
  return pageOf(
    names.filter(({ name }) => compareNames(name, after) > 0),
    isDenied,
    options,
  );
}

function pageOf(
  entries: readonly DirectoryEntry[],
  isDenied: (name: string) => boolean,
  { hidden, limit }: LevelPageOptions,
): NamesPage {
  const leftOut = new LeftOut();
  const top = new TopEntries<DirectoryEntry>(limit, (a, b) => compareNames(a.name, b.name));
  for (const entry of entries) {
    if (isDenied(entry.name)) leftOut.denied++;
    else if (!hidden && isDotName(entry)) leftOut.hidden++;
    else {
      leftOut.count(entry.type);
      top.offer(entry);
    }
  }
  return { leftOut, page: top.take(), seen: top.seen };
}
