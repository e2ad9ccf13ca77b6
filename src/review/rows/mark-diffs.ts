/**
 * A text with unified diffs in it, as a terminal shows it: what each line is, and where changed lines differ in words. Whatever
 * is no diff is given back as it is, and no line is left out or put in, so that a surface shows all of the text.
 *
 * Lines of a hunk are told apart by the counts of its header, because a line of a file may look like a header.
 */
import { showLine, type Piece } from "./show-line.ts";
import { markWords, type Mark, type MarkedPair } from "./word-marks.ts";

export interface MarkedLine {
  /** text: no part of a diff. name: the two lines that name a file. note: that no line feed follows. */
  readonly kind: "text" | "name" | "hunk" | "note" | "same" | "removed" | "added";
  /** The first character of a line of a hunk, which is the diff's and not the file's. */
  readonly sign: string;
  readonly pieces: readonly Piece[];
}

/** @param hasSigns blanks that a reader could miss become signs, else the pieces together are the line as it is */
export function markDiffs(text: string, hasSigns: boolean): MarkedLine[] {
  const lines = text.split("\n");
  const kinds = kindsOf(lines);
  const marks = marksOf(lines, kinds);
  return lines.map((line, at) => {
    const kind = kinds[at] ?? "text";
    if (!IN_HUNK.has(kind)) return { kind, sign: "", pieces: [{ kind: "plain", text: line }] };
    const [sign, own, marked] = [line.slice(0, 1), line.slice(1), marks.get(at) ?? []];
    return { kind, sign, pieces: hasSigns ? showLine(own, marked) : cutAtMarks(own, marked) };
  });
}

type Kind = MarkedLine["kind"];

const IN_HUNK: ReadonlySet<Kind> = new Set(["same", "removed", "added"]);
const SIGNS: Readonly<Record<string, Kind>> = { " ": "same", "-": "removed", "+": "added", "": "same" };

function kindsOf(lines: readonly string[]): Kind[] {
  let [oldLeft, newLeft] = [0, 0];
  return lines.map((line, at): Kind => {
    if (line.startsWith("\\ ")) return "note";
    const kind = oldLeft + newLeft > 0 ? SIGNS[line.charAt(0)] : undefined;
    if (kind !== undefined) {
      if (kind !== "added") oldLeft--;
      if (kind !== "removed") newLeft--;
      return kind;
    }
    // A diff that was cut ends before its counts do.
    [oldLeft, newLeft] = countsOf(line);
    if (oldLeft + newLeft > 0) return "hunk";
    return isName(line, lines[at - 1], lines[at + 1]) ? "name" : "text";
  });
}

function countsOf(line: string): [oldLeft: number, newLeft: number] {
  const [header, oldCount = "1", newCount = "1"] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
  return header === undefined ? [0, 0] : [Number(oldCount), Number(newCount)];
}

function isName(line: string, before = "", after = ""): boolean {
  return line.startsWith("--- ") ? after.startsWith("+++ ") : line.startsWith("+++ ") && before.startsWith("--- ");
}

/** Lines are compared by words one by one, where as many go as come: as in a review. */
function marksOf(lines: readonly string[], kinds: readonly Kind[]): ReadonlyMap<number, readonly Mark[]> {
  const marks = new Map<number, readonly Mark[]>();
  for (let at = 0; at < lines.length;) {
    const [removed, added] = runAt(kinds, at);
    if (removed > 0 && removed === added) {
      for (let index = at; index < at + removed; index++) {
        const pair: MarkedPair = markWords(lines[index]?.slice(1) ?? "", lines[index + removed]?.slice(1) ?? "");
        marks.set(index, pair.old).set(index + removed, pair.new);
      }
    }
    at += Math.max(1, removed + added);
  }
  return marks;
}

/** How many lines go here, and how many come after them. */
function runAt(kinds: readonly Kind[], start: number): [removed: number, added: number] {
  let at = start;
  while (kinds[at] === "removed") at++;
  const removed = at - start;
  while (kinds[at] === "added") at++;
  return [removed, at - start - removed];
}

function cutAtMarks(text: string, marks: readonly Mark[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const put = (kind: Piece["kind"], end: number): void => {
    if (end > at) pieces.push({ kind, text: text.slice(at, end) });
    at = Math.max(at, end);
  };
  for (const [from, to] of marks) {
    put("plain", from);
    put("word", to);
  }
  put("plain", text.length);
  return pieces;
}
