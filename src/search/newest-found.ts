/**
 * The newest of many files, equal times by path, and a sum of the times of all of them. Most files of a large tree are
 * older than what was found before: of those nothing is made, and where times are equal (an unpacked archive) most
 * directories come after the last that is wanted as a whole.
 */
import type { Located } from "../scope/index.ts";
import { TreeSum } from "./cursor.ts";
import { comparePaths, TopEntries } from "./walk/name-order.ts";
import type { LevelEntry } from "./walk/read-level.ts";

export interface NewestPlace {
  readonly rel: string;
  readonly mtimeMs: number;
}

export interface Found extends NewestPlace {
  readonly at: Located;
}

/** As the walk gives it: its paths are put together only where times are equal, and for what is answered. */
export class FoundEntry implements Found {
  readonly mtimeMs: number;
  readonly #entry: LevelEntry;
  #rel: string | undefined = undefined;

  constructor(entry: LevelEntry, mtimeMs: number) {
    this.#entry = entry;
    this.mtimeMs = mtimeMs;
  }

  /** Once asked for it is asked for again and again, to sort it. */
  get rel(): string {
    return (this.#rel ??= this.#entry.rel);
  }

  get at(): Located {
    return this.#entry.at;
  }
}

export class NewestFound extends TopEntries<Found, NewestPlace> {
  /** Of all matches, on this page or an earlier one too. */
  readonly sum: TreeSum = new TreeSum();
  readonly #after: NewestPlace | undefined;

  /**
   * @param after the last of the page before
   * @param last of files elsewhere, when there are enough of them before it
   */
  constructor(limit: number, after: NewestPlace | undefined, last?: NewestPlace) {
    super(limit, newestFirst, last);
    this.#after = after;
  }

  /** Files that were looked at, in one directory. */
  visit(entries: readonly LevelEntry[], directory: string): void {
    let known = this.last;
    let isBehind = isAllBehind(directory, known);
    for (const entry of entries) {
      if (!entry.stat || entry.type !== "file") continue;
      const { mtimeMs } = entry.stat;
      this.sum.add(mtimeMs);
      const found = new FoundEntry(entry, mtimeMs);
      if (this.#after && newestFirst(this.#after, found) >= 0) continue;
      if (this.last !== known) isBehind = isAllBehind(directory, (known = this.last));
      if (known && (mtimeMs < known.mtimeMs || (isBehind && mtimeMs === known.mtimeMs))) this.seen++;
      else this.offer(found);
    }
  }
}

/** Whether every path in the directory comes after the last that is wanted. */
function isAllBehind(directory: string, last: NewestPlace | undefined): boolean {
  return last !== undefined && comparePaths(directory, last.rel) > 0;
}

function newestFirst(a: NewestPlace, b: NewestPlace): number {
  return b.mtimeMs - a.mtimeMs || comparePaths(a.rel, b.rel);
}
