/**
 * The names of the large directory that was listed last, in order: its later pages are cut out of them without a look at
 * the others. One worker keeps one directory.
 *
 * Invariant: they are used only while the directory's times are what they were when it was read, and older than what a
 * file system's clock can miss. What stands behind a name is never kept: its size and time change without them.
 */
import { fstatSync } from "node:fs";
import { nowMs } from "../base/index.ts";
import type { Located, OpenDirectory, Scope } from "../scope/index.ts";
import { readDirectory, type DirectoryEntry } from "../sys/index.ts";
import { LeftOut, memberOf } from "./walk/left-out.ts";
import { compareNames, sortByName } from "./walk/name-order.ts";

export interface NamesPage {
  readonly leftOut: LeftOut;
  /** The first names after the place to go on, in order. */
  readonly page: readonly DirectoryEntry[];
  /** Names from that place on. */
  readonly seen: number;
}

export interface NamesPageOptions {
  /** Names that begin with a dot too. */
  readonly hidden: boolean;
  readonly limit: number;
  /** The last name of the page before. */
  readonly after: string;
}

interface Kept {
  readonly scope: Scope;
  readonly mark: string;
  readonly names: OrderedNames;
}

let kept: Kept | undefined;
/** Smaller directories are read again as fast; larger ones would take more than some tens of megabytes. */
const [FEWEST_KEPT, MOST_KEPT] = [2000, 500_000];

/** The directory's names in order, or just its entries when they cannot be kept. */
export function readToKeep(
  scope: Scope,
  directory: OpenDirectory,
  start: Located,
): OrderedNames | readonly DirectoryEntry[] {
  const mark = markOf(directory, start);
  if (mark !== undefined && kept?.mark === mark && kept.scope === scope) return kept.names;
  kept = undefined;
  const entries = readDirectory(directory);
  const isWorthIt = entries.length >= FEWEST_KEPT && entries.length <= MOST_KEPT;
  // What changes while it is read is not what was marked.
  if (mark === undefined || !isWorthIt || mark !== markOf(directory, start)) return entries;
  kept = { scope, mark, names: new OrderedNames(sortByName(entries), scope.deniesIn(start)) };
  return kept.names;
}

/** The directory, by which path, because rules go by paths, and its last change; `undefined` when a change of now might not be seen. */
function markOf({ fd }: OpenDirectory, { root, rel }: Located): string | undefined {
  if (fd < 0) return undefined;
  const { dev, ino, mtimeNs, ctimeNs } = fstatSync(fd, { bigint: true });
  if (nowMs() - Number(ctimeNs / 1_000_000n) < SETTLED_MS) return undefined;
  return `${root.index} ${dev} ${ino} ${mtimeNs} ${ctimeNs} ${rel}`;
}

/** Two changes within one tick of the system's clock have the same time; and some file systems count in seconds. */
const SETTLED_MS = 2500;

export class OrderedNames {
  readonly #entries: readonly DirectoryEntry[];
  readonly #denied: readonly DirectoryEntry[];
  /** What the names come to from each block on: `KINDS` numbers for one, the last of nothing. */
  readonly #counts: Uint32Array;

  /** @param sorted by name */
  constructor(sorted: readonly DirectoryEntry[], isDenied: (name: string) => boolean) {
    const denied: DirectoryEntry[] = [];
    this.#entries = sorted.filter((entry) => !isDenied(entry.name) || (denied.push(entry), false));
    this.#denied = denied;
    const blocks = Math.ceil(this.#entries.length / BLOCK);
    this.#counts = new Uint32Array((blocks + 1) * KINDS);
    for (let block = blocks - 1; block >= 0; block--) {
      const own = this.#counts.subarray(block * KINDS, (block + 1) * KINDS);
      own.set(this.#counts.subarray((block + 1) * KINDS, (block + 2) * KINDS));
      this.#count(own, block * BLOCK, (block + 1) * BLOCK);
    }
  }

  pageAfter({ hidden, limit, after }: NamesPageOptions): NamesPage {
    const first = firstAfter(this.#entries, after);
    const page: DirectoryEntry[] = [];
    for (let at = first; page.length < limit; at++) {
      const entry = this.#entries[at];
      if (!entry) break;
      if (hidden || !isDotName(entry)) page.push(entry);
    }
    const counts = this.#countsFrom(first);
    const leftOut = new LeftOut();
    for (const [kind, count] of counts.entries()) {
      if (kind >= DOT_KINDS && !hidden) leftOut.hidden += count;
      else leftOut[MEMBERS[kind % DOT_KINDS] ?? "special"] += count;
    }
    const seen = counts.reduce((sum, count) => sum + count, 0) - leftOut.hidden;
    leftOut.denied = this.#denied.length - firstAfter(this.#denied, after);
    return { leftOut, page, seen };
  }

  #countsFrom(first: number): Uint32Array {
    const block = Math.ceil(first / BLOCK);
    const counts = this.#counts.slice(block * KINDS, (block + 1) * KINDS);
    this.#count(counts, first, block * BLOCK);
    return counts;
  }

  #count(into: Uint32Array, from: number, to: number): void {
    for (const entry of this.#entries.slice(from, to)) {
      const kind = MEMBERS.indexOf(memberOf(entry.type)) + (isDotName(entry) ? DOT_KINDS : 0);
      into[kind] = (into[kind] ?? 0) + 1;
    }
  }
}

const BLOCK = 512;
const MEMBERS = ["files", "directories", "links", "special"] as const;
const DOT_KINDS: number = MEMBERS.length;
const KINDS: number = DOT_KINDS * 2;

export function isDotName({ name }: DirectoryEntry): boolean {
  return name.startsWith(".");
}

function firstAfter(entries: readonly DirectoryEntry[], after: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareNames(entries[middle]?.name ?? "", after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
