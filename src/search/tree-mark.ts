/**
 * Whether a tree changed between two pages, as far as a cheap look can tell: a mark of every directory from the start of
 * the search down to the place where a page ended, and of the file itself when the next page goes into it again. It sees
 * names that came, went or were replaced on that way, and not what changed elsewhere or inside of other files. Searches
 * that look at everything for each page, to sort it, add a sum of all that they saw.
 */
import { Failure } from "../base/index.ts";
import type { Located } from "../scope/index.ts";
import type { SearchContext } from "./context.ts";

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
    const { ino, mtimeNs, ctimeNs } = ctx.scope.lstat(at, "search");
    return `${ino} ${mtimeNs} ${ctimeNs}`;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return "gone";
  }
}

/** How many there are, and a sum of a number of each (a size, a time), in whatever order and in parts. */
export class TreeSum {
  count = 0;
  sum = 0;

  add(value: number): void {
    this.count++;
    this.sum = (this.sum + Math.trunc(value)) % SUM_LIMIT;
  }

  addAll({ count, sum }: { readonly count: number; readonly sum: number }): void {
    this.count += count;
    this.sum = (this.sum + sum) % SUM_LIMIT;
  }

  mark(): string {
    return ` ${this.count} ${this.sum}`;
  }
}

/** Sums stay exact. */
const SUM_LIMIT: number = 2 ** 50;
