/**
 * One directory by name, without a walk: the usual list. Of a hundred thousand names only those of the page are looked
 * at, so a first page costs one reading of the directory and little else. The next pages come from the names in order,
 * which are kept for the directory that was listed last, as long as it is what it was.
 */
import { fstatSync } from "node:fs";
import { nowMs } from "../base/index.ts";
import {
  readDirectory,
  statEntry,
  type DirectoryEntry,
  type EntryStat,
  type Located,
  type OpenDirectory,
  type Scope,
} from "../scope/index.ts";
import type { SearchContext } from "./context.ts";
import { LeftOut } from "./left-out.ts";
import { compareNames, sortByName } from "./name-order.ts";
import { TopEntries } from "./top-entries.ts";

export interface LevelPage {
  readonly leftOut: LeftOut;
  /** The first names after the place to go on, in order. Without a `stat`: it is gone since. */
  readonly page: readonly { readonly entry: DirectoryEntry; readonly stat: EntryStat | undefined }[];
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
  const { entries, denied, isOrdered } = entriesAfter(ctx.scope, directory, start, options.after);
  const leftOut = new LeftOut();
  leftOut.denied = denied;
  const top = isOrdered
    ? new FirstEntries<DirectoryEntry>(options.limit)
    : new TopEntries<DirectoryEntry>(options.limit, byName);
  for (const entry of entries) {
    if (!options.hidden && entry.name.startsWith(".")) leftOut.hidden++;
    else {
      leftOut.count(entry.type);
      top.offer(entry);
    }
  }
  const page = top.take().map((entry) => ({ entry, stat: statOrNone(directory, entry.name) }));
  return { leftOut, page, seen: top.seen };
}

/** `TopEntries` of what comes in order. */
class FirstEntries<Entry> {
  readonly #limit: number;
  readonly #entries: Entry[] = [];
  seen = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(entry: Entry): void {
    if (this.seen++ < this.#limit) this.#entries.push(entry);
  }

  take(): Entry[] {
    return this.#entries;
  }
}

function byName(a: DirectoryEntry, b: DirectoryEntry): number {
  return compareNames(a.name, b.name);
}

function statOrNone(directory: OpenDirectory, name: string): EntryStat | undefined {
  try {
    return statEntry(directory, name);
  } catch {
    return undefined;
  }
}

interface Names {
  readonly entries: readonly DirectoryEntry[];
  /** How many are left out of them. */
  readonly denied: number;
  readonly isOrdered: boolean;
}

/** The directory that was listed last, in order. */
interface Ordered {
  readonly scope: Scope;
  readonly mark: string;
  readonly entries: readonly DirectoryEntry[];
  readonly denied: readonly DirectoryEntry[];
}

let ordered: Ordered | undefined;
/** Smaller directories are read again as fast; larger ones would take more than some tens of megabytes. */
const [FEWEST_KEPT, MOST_KEPT] = [2000, 500_000];

function entriesAfter(
  scope: Scope,
  directory: OpenDirectory,
  start: Located,
  after: string | undefined,
): Names {
  const isDenied = scope.deniesIn(start);
  if (after === undefined) return namesOf(readDirectory(directory), isDenied);
  const mark = markOf(directory, start);
  if (mark === undefined || ordered?.mark !== mark || ordered.scope !== scope) {
    const entries = readDirectory(directory);
    ordered = undefined;
    // What changes while it is read is not what was marked.
    if (mark === undefined || mark !== markOf(directory, start) || !isWorthKeeping(entries))
      return namesOf(
        entries.filter(({ name }) => compareNames(name, after) > 0),
        isDenied,
      );
    sortByName(entries);
    ordered = {
      scope,
      mark,
      entries: entries.filter(({ name }) => !isDenied(name)),
      denied: entries.filter(({ name }) => isDenied(name)),
    };
  }
  return {
    entries: ordered.entries.slice(firstAfter(ordered.entries, after)),
    denied: ordered.denied.length - firstAfter(ordered.denied, after),
    isOrdered: true,
  };
}

function namesOf(found: readonly DirectoryEntry[], isDenied: (name: string) => boolean): Names {
  const entries = found.filter(({ name }) => !isDenied(name));
  return { entries, denied: found.length - entries.length, isOrdered: false };
}

function isWorthKeeping({ length }: readonly unknown[]): boolean {
  return length >= FEWEST_KEPT && length <= MOST_KEPT;
}

/** The directory and its last change; `undefined` when a change of now might not be seen. */
function markOf({ fd }: OpenDirectory, { root }: Located): string | undefined {
  if (fd < 0) return undefined;
  const { dev, ino, mtimeNs, ctimeNs } = fstatSync(fd, { bigint: true });
  if (nowMs() - Number(ctimeNs / 1_000_000n) < SETTLED_MS) return undefined;
  return `${root.index} ${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
}

/** Two changes within one tick of the system's clock have the same time; and some file systems count in seconds. */
const SETTLED_MS = 2500;

function firstAfter(entries: readonly DirectoryEntry[], after: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareNames(entries[middle]?.name ?? "", after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
