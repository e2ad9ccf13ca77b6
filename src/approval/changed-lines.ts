/**
 * The changed lines of a unified diff, in pairs: the first line that goes with the first that comes, place by place. Lines are
 * told apart by the counts of the hunk's header, because a line of a file may look like a header.
 *
 * Invariant: every line is counted, however few are kept.
 */

/** One line of a side, without its line feed. */
export interface ChangedLine {
  readonly text: string;
  /** No line feed follows, because the file ends here. */
  readonly isUnended: boolean;
}

export interface ChangedPair {
  /** The number that an editor shows: in the old text, or in the new one for a line that only comes. */
  readonly line: number;
  readonly removed?: ChangedLine | undefined;
  readonly added?: ChangedLine | undefined;
}

export interface ChangedLines {
  /** The first pairs, as many as were wanted. */
  readonly pairs: readonly ChangedPair[];
  /** How many pairs there are in all. */
  readonly count: number;
  /** Runs of changed lines with unchanged lines around them. */
  readonly places: number;
}

/** @param diff of one file, whole, or none. @param most how many pairs are kept */
export function changedLines(diff: string, most: number): ChangedLines {
  const pairs: ChangedPair[] = [];
  let [count, places] = [0, 0];
  for (const place of placesIn(diff, most)) {
    places++;
    count += Math.max(place.removed.count, place.added.count);
    for (let at = 0; pairs.length < most && at < Math.max(place.removed.count, place.added.count); at++)
      pairs.push(pairAt(place, at));
  }
  return { pairs, count, places };
}

interface Side {
  readonly from: number;
  count: number;
  readonly lines: { text: string; isUnended: boolean }[];
}

interface PlaceOfChange {
  readonly removed: Side;
  readonly added: Side;
}

function pairAt({ removed, added }: PlaceOfChange, at: number): ChangedPair {
  const [old, now] = [removed.lines[at], added.lines[at]];
  return { line: (old ? removed.from : added.from) + at, removed: old, added: now };
}

function* placesIn(diff: string, most: number): Generator<PlaceOfChange> {
  let place: PlaceOfChange | undefined;
  let [oldLine, newLine, oldLeft, newLeft] = [0, 0, 0, 0];
  let last: { isUnended: boolean } | undefined;
  for (const line of linesOf(diff)) {
    if (line.startsWith("\\")) {
      if (last) last.isUnended = true;
      continue;
    }
    if (oldLeft <= 0 && newLeft <= 0) {
      if (place) yield place;
      place = undefined;
      [oldLine, oldLeft, newLine, newLeft] = readHeader(line);
      continue;
    }
    const [isOld, isNew] = [!line.startsWith("+"), !line.startsWith("-")];
    if (isOld && isNew) {
      if (place) yield place;
      [place, last] = [undefined, undefined];
    } else {
      place ??= { removed: sideFrom(oldLine), added: sideFrom(newLine) };
      last = keep(isOld ? place.removed : place.added, line.slice(1), most);
    }
    if (isOld) [oldLine, oldLeft] = [oldLine + 1, oldLeft - 1];
    if (isNew) [newLine, newLeft] = [newLine + 1, newLeft - 1];
  }
  if (place) yield place;
}

/** A line that is no header, such as the two with the names, stands before no lines. */
function readHeader(line: string): [oldLine: number, oldLeft: number, newLine: number, newLeft: number] {
  const [, ...numbers] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@/.exec(line) ?? [];
  const [oldStart = 0, oldCount = 0, newStart = 0, newCount = 0] = numbers.map(Number);
  // An empty side counts from the line before it.
  return [oldStart + (oldCount === 0 ? 1 : 0), oldCount, newStart + (newCount === 0 ? 1 : 0), newCount];
}

function sideFrom(from: number): Side {
  return { from, count: 0, lines: [] };
}

function keep(side: Side, text: string, most: number): { isUnended: boolean } | undefined {
  side.count++;
  if (side.lines.length === most) return undefined;
  const line = { text, isUnended: false };
  side.lines.push(line);
  return line;
}

/** The lines come one at a time, so that a long diff is not held twice. */
export function* linesOf(diff: string): Generator<string> {
  for (let at = 0; at < diff.length;) {
    const end = diff.indexOf("\n", at);
    yield diff.slice(at, end === -1 ? diff.length : end);
    at = end === -1 ? diff.length : end + 1;
  }
}
