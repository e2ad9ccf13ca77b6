/**
 * Whether a tree changed between two pages, as far as a cheap look can tell: a mark of every directory from the start of
 * the search down to the place where a page ended, and of the file itself when the next page goes into it again. It sees
 * names that came, went or were replaced on that way, and not what changed elsewhere or inside of other files. Searches
 * that look at everything for each page, to sort it, add a sum of all that they saw.
 */
import { fstatSync, type BigIntStats } from "node:fs";
import { Failure } from "../../base/index.ts";
import type { Located } from "../../scope/index.ts";
import type { SearchContext } from "../context.ts";

/**
 * Goes into the cursor when a page ends, and is made again when the next one begins.
 *
 * @param rel the place below the start; "" for the start itself
 * @param isFileToo the page ended inside of this file
 */
export function markTree(ctx: SearchContext, start: Located, rel: string, isFileToo = false): string {
  const names = rel === "" ? [] : rel.split("/");
  const marks = [markOf(ctx, start)];
  let at = start;
  names.forEach((name, index) => {
    at = ctx.scope.child(at, name);
    if (isFileToo || index < names.length - 1) marks.push(markOf(ctx, at));
  });
  return Bun.hash(marks.join()).toString(36);
}

/** Both times: a program can set the first back, and a file that is replaced has another number. */
function markOf(ctx: SearchContext, at: Located): string {
  try {
    const { ino, mtimeNs, ctimeNs } = statDirectory(ctx, at) ?? ctx.scope.lstat(at, "search");
    return `${ino} ${mtimeNs} ${ctimeNs}`;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return "gone";
  }
}

/** Of nearly everything that is marked, in a third of the time. `undefined` for what is no directory that can be opened. */
function statDirectory(ctx: SearchContext, at: Located): BigIntStats | undefined {
  try {
    using directory = ctx.scope.openDirectory(at, "search", "refuse");
    return directory.fd < 0 ? undefined : fstatSync(directory.fd, { bigint: true });
  } catch {
    return undefined;
  }
}

/** How many there are, and a sum of a number of each (a size, a time), in whatever order and in parts. */
export class TreeSum {
  count = 0;
  sum = 0;

  add(value: number): void {
    this.#take(1, Math.trunc(value));
  }

  addAll({ count, sum }: { readonly count: number; readonly sum: number }): void {
    this.#take(count, sum);
  }

  /** The sum stays at zero or above, so that its order is of no matter: a time before 1970 is negative. */
  #take(count: number, value: number): void {
    this.count += count;
    this.sum += value;
    if (this.sum >= SUM_LIMIT || this.sum < 0) this.sum = ((this.sum % SUM_LIMIT) + SUM_LIMIT) % SUM_LIMIT;
  }

  mark(): string {
    return ` ${this.count} ${this.sum}`;
  }
}

/** Sums stay exact. */
const SUM_LIMIT: number = 2 ** 50;
