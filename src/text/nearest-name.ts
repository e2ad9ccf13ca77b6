/**
 * "Did you mean": the names most like one that does not exist. First those that differ only in what people cannot see
 * (Unicode form, case, kind of space), then typing slips, then names that share a beginning or contain each other.
 *
 * Invariant: bounded work whatever the listing; equal candidates keep the order they came in. A suggestion is never
 * acted upon.
 */

export function nearestNames(wanted: string, names: Iterable<string>, limit: number): string[] {
  const target = fold(wanted);
  const maxSlips = Math.max(1, Math.floor(target.length / 3));
  const ranked: { name: string; rank: number }[] = [];
  let seen = 0;
  for (const name of names) {
    if (++seen > MAX_NAMES) break;
    const rank = rankOf(target, fold(name), maxSlips);
    if (rank !== undefined) ranked.push({ name, rank });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, Math.max(0, limit))
    .map((entry) => entry.name);
}

/** Names looked at: more than any listing that a person reads, few enough to stay within some milliseconds. */
const MAX_NAMES = 10_000;
/** NAME_MAX; longer strings are no names and would make the distance slow. */
const MAX_NAME_UNITS = 255;
const RANK_SHARED = 1000;

/** 0 for the same name, then the number of slips, then shared parts; `undefined` when nothing is alike. */
function rankOf(target: string, name: string, maxSlips: number): number | undefined {
  if (name === target) return 0;
  if (name.length === 0 || target.length === 0 || name.length > MAX_NAME_UNITS) return undefined;
  const slips = editDistance(target, name, maxSlips);
  if (slips <= maxSlips && slips < Math.max(target.length, name.length)) return slips;
  if (name.includes(target) || (name.length >= 3 && target.includes(name))) return RANK_SHARED;
  const shared = sharedPrefix(target, name);
  return shared >= 3 && shared * 2 >= target.length ? RANK_SHARED * 2 - shared : undefined;
}

function fold(name: string): string {
  return name
    .normalize("NFC")
    .replace(/[\u00a0\u202f]/g, " ")
    .toLowerCase();
}

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours (Damerau-Levenshtein, optimal string alignment) from one
 * string to the other; `max + 1` as soon as it must be more than `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const value = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (same ? 0 : 1),
        swapped ? cell(beforeLast, column - 2) + 1 : Infinity,
      );
      current.push(value);
      least = Math.min(least, value);
    }
    // A swap reaches two rows back, but at the price of one: it cannot come back under a row that is all above.
    if (least > max) return max + 1;
    beforeLast = last;
    last = current;
  }
  return Math.min(cell(last, b.length), max + 1);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
