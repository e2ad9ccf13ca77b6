/**
 * More of a file than its diff has: the lines around the hunks that do not change, as many as a reader wants. They are no part
 * of a hunk, so that the names of hunks and places stay what `ringfence/proposals/apply` takes.
 */
import type { ReviewedFile } from "../load-review.ts";
import { contextRow, type DiffRow } from "./read-diff.ts";
import type { ReviewLine } from "./review-lines.ts";

/** What a reader wants to see around the hunks of one file. */
export interface Around {
  /** The whole text as it would be written, in lines without their ends. */
  readonly lines: readonly string[];
  /** How many lines before and behind each hunk. */
  readonly count: number;
}

/** @returns for each hunk what stands before it, and in the last place what stands behind all */
export function gapsOf(file: ReviewedFile, { lines, count }: Around): readonly (readonly ReviewLine[])[] {
  const gaps: ReviewLine[][] = [];
  let [old, now] = [1, 1];
  const put = (length: number, isFirst: boolean, isLast: boolean): void => {
    const before = isLast ? 0 : Math.min(count, length);
    const behind = isFirst ? 0 : Math.min(count, length - before);
    const left = length - before - behind;
    const row = (at: number): ReviewLine => {
      const text = lines[now - 1 + at] ?? "";
      return { kind: "around", file, row: contextRow(text, old + at, now + at) };
    };
    const gap = Array.from({ length: behind }, (_, at) => row(at));
    if (left > 0) gap.push({ kind: "note", text: `    ... ${left} lines that do not change`, isWarning: false });
    gaps.push([...gap, ...Array.from({ length: before }, (_, at) => row(behind + left + at))]);
    old += length;
    now += length;
  };
  for (const [index, { rows }] of file.hunks.entries()) {
    const [first] = rows;
    put(Math.max(0, first?.old === undefined ? (first?.new ?? now) - now : first.old - old), index === 0, false);
    old += rows.filter((one) => one.old !== undefined).length;
    now += rows.filter((one) => one.new !== undefined).length;
  }
  put(Math.max(0, lines.length - (now - 1)), false, true);
  return gaps;
}

/** Whether a place of change leaves every sign that is no blank as it is: only spaces, tabs or ends of lines differ. */
export function isBlankChange(rows: readonly DiffRow[], place: string): boolean {
  const own = rows.filter((row) => row.place === place);
  const text = (kind: DiffRow["kind"]): string =>
    own
      .filter((row) => row.kind === kind)
      .map(({ raw }) => raw.replaceAll(/\s+/g, ""))
      .join("");
  return own.length > 0 && text("removed") === text("added");
}
