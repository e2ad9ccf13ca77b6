/**
 * Some hunks of a diff that was shown, put into the text that it was made from. The diff is our own, so its line numbers
 * are exact; nothing is searched for.
 */
interface ShownHunk {
  /** Index of the first old line, and how many there are. */
  readonly start: number;
  readonly count: number;
  /** The lines afterwards, with their ends. */
  readonly lines: readonly string[];
}

/** @param diff of one file, whole: not one that was cut */
export function readHunks(diff: string): ShownHunk[] {
  const lines = diff.split("\n");
  const hunks: ShownHunk[] = [];
  for (let at = 2; at < lines.length;) {
    const header = /^@@ -(\d+),(\d+) \+\d+,(\d+) @@/.exec(lines[at] ?? "");
    if (!header) break;
    const [from, count, newCount] = [header[1], header[2], header[3]].map(Number) as [number, number, number];
    const read = readLines(lines, at + 1, count, newCount);
    hunks.push({ start: count === 0 ? from : from - 1, count, lines: read.lines });
    at = read.end;
  }
  return hunks;
}

/** By the counts of the header, because a line of a file may look like a header. */
function readLines(
  lines: readonly string[],
  first: number,
  oldCount: number,
  newCount: number,
): { lines: string[]; end: number } {
  const kept: string[] = [];
  let [oldLeft, newLeft, at] = [oldCount, newCount, first];
  for (; at < lines.length && (oldLeft > 0 || newLeft > 0 || isNoNewline(lines[at])); at++) {
    const line = lines[at] ?? "";
    if (isNoNewline(line)) {
      if (!lines[at - 1]?.startsWith("-")) kept.push((kept.pop() ?? "").slice(0, -1));
      continue;
    }
    if (!line.startsWith("+")) oldLeft--;
    if (line.startsWith("-")) continue;
    newLeft--;
    kept.push(`${line.slice(1)}\n`);
  }
  return { lines: kept, end: at };
}

function isNoNewline(line: string | undefined): boolean {
  return line?.startsWith("\\") === true;
}

/** @param chosen 1-based numbers of the hunks */
export function takeHunks(before: string, hunks: readonly ShownHunk[], chosen: ReadonlySet<number>): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const text: string[] = [];
  let at = 0;
  for (const [index, { start, count, lines }] of hunks.entries()) {
    text.push(...old.slice(at, start));
    text.push(...(chosen.has(index + 1) ? lines : old.slice(start, start + count)));
    at = start + count;
  }
  return text.join("") + old.slice(at).join("");
}
