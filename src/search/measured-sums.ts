/**
 * What the entries of a tree take, added up by the children that are named: in parts, in whatever order they come. A file
 * with several names counts once, under the first of them: of those in the upper levels, or else of all, the first by path.
 */
import type { EntryType } from "../sys/index.ts";
import { comparePaths } from "./walk/name-order.ts";
import type { LevelEntry } from "./walk/read-level.ts";
import type { Visit } from "./walk/whole-tree.ts";

export interface Sum {
  bytes: number;
  allocated: number;
  files: number;
}

export interface Child extends Sum {
  /** Below the start. */
  readonly rel: string;
  readonly type: EntryType;
}

export interface MeasuredPart {
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
export const BLOCK_BYTES = 512;
/** At least: those of the children. */
const UPPER_LEVELS = 2;

/** @param depth levels of children */
export function measuring(depth: number): { readonly visit: Visit; readonly close: () => MeasuredPart } {
  const children: [string, EntryType][] = [];
  const sums = new Map<string, Sum>();
  const links = new Links(depth);
  return {
    visit(entries, directory) {
      const isOfChildren = levelsOf(directory) < depth;
      const whole = isOfChildren ? undefined : sumAt(sums, firstNames(directory, depth));
      for (const entry of entries) {
        if (isOfChildren) children.push([entry.rel, entry.type]);
        const { stat, type } = entry;
        if (!stat) continue;
        const isLink = type !== "directory" && stat.nlink > 1;
        if (isLink) links.offer(stat.identity, { rel: entry.rel, sum: sumOf(entry) });
        else if (whole) addEntry(whole, entry);
        else sums.set(entry.rel, sumOf(entry));
      }
    },
    close: () => ({ children, sums: [...sums], linked: links.all() }),
  };
}

/** The sums of a tree, and of everything in its first levels. */
export class Tally {
  readonly all: Sum = newSum();
  readonly depth: number;
  readonly #children = new Map<string, Child>();
  readonly #links: Links;

  constructor(depth: number) {
    this.depth = depth;
    this.#links = new Links(depth);
  }

  /** Those of a directory come before what is in it. */
  take({ children, sums, linked }: MeasuredPart): void {
    for (const [rel, type] of children) this.#children.set(rel, { rel, type, ...newSum() });
    for (const [rel, sum] of sums) this.#add(rel, sum);
    for (const [identity, link] of linked) this.#links.offer(identity, link);
  }

  /** Once all parts are there: which name is the first is known then. */
  children(): Child[] {
    for (const { rel, sum } of this.#links.take()) this.#add(rel, sum);
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

/** Of each file with several names the first. */
class Links {
  readonly #upper: number;
  readonly #first = new Map<string, Link>();

  constructor(depth: number) {
    this.#upper = Math.max(UPPER_LEVELS, depth);
  }

  offer(identity: string, link: Link): void {
    const known = this.#first.get(identity);
    if (!known || this.#isBefore(link.rel, known.rel)) this.#first.set(identity, link);
  }

  all(): [string, Link][] {
    return [...this.#first];
  }

  take(): Link[] {
    const links = [...this.#first.values()];
    this.#first.clear();
    return links;
  }

  #isBefore(a: string, b: string): boolean {
    const [isUpper, isOtherUpper] = [levelsOf(a) <= this.#upper, levelsOf(b) <= this.#upper];
    return isUpper === isOtherUpper ? comparePaths(a, b) < 0 : isUpper;
  }
}

function newSum(): Sum {
  return { bytes: 0, allocated: 0, files: 0 };
}

function sumOf(entry: LevelEntry): Sum {
  const sum = newSum();
  addEntry(sum, entry);
  return sum;
}

function addEntry(sum: Sum, { type, stat }: LevelEntry): void {
  if (!stat) return;
  sum.allocated += stat.blocks * BLOCK_BYTES;
  if (type !== "directory") sum.bytes += stat.size;
  if (type === "file") sum.files++;
}

function addTo(sum: Sum, more: Sum): void {
  sum.bytes += more.bytes;
  sum.allocated += more.allocated;
  sum.files += more.files;
}

function sumAt(sums: Map<string, Sum>, child: string): Sum {
  let sum = sums.get(child);
  if (!sum) sums.set(child, (sum = newSum()));
  return sum;
}

/** Names in a path: 0 of the start. */
function levelsOf(rel: string): number {
  return rel === "" ? 0 : rel.split("/").length;
}

function firstNames(rel: string, count: number): string {
  return rel.split("/").slice(0, count).join("/");
}
