/**
 * One proposal as the flat list of lines that a reader goes through: what stands against it, each file, its folds, its hunks,
 * and the rows of the diff. A surface shows a window of them; a line knows its file, hunk and place, so that keys mean what is
 * under the cursor. Nothing here is as wide as a screen: wrapping is the surface's.
 */
import type { ReviewComment } from "../../calls/index.ts";
import { foldedBecause } from "./fold.ts";
import type { ProposalReview, ReviewedFile } from "../load-review.ts";
import { gapsOf, type Around } from "./around.ts";
import type { DiffRow, ShownHunk } from "./read-diff.ts";

export type ReviewLine =
  | { readonly kind: "note"; readonly text: string; readonly isWarning: boolean }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly file: ReviewedFile; readonly text: string }
  | { readonly kind: "fold"; readonly file: ReviewedFile; readonly text: string }
  | { readonly kind: "hunk"; readonly file: ReviewedFile; readonly hunk: ShownHunk; readonly text: string }
  | { readonly kind: "row"; readonly file: ReviewedFile; readonly hunk: ShownHunk; readonly row: DiffRow }
  /** A line that does not change, of what the reader wanted to see around the hunks. */
  | { readonly kind: "around"; readonly file: ReviewedFile; readonly row: DiffRow }
  /** What the reader says; `index` in their comments. */
  | { readonly kind: "comment"; readonly index: number; readonly text: string };

/** @param opened paths of files that are folded at first and were opened */
export function reviewLines(
  review: ProposalReview,
  opened: ReadonlySet<string> = new Set(),
  comments: readonly ReviewComment[] = [],
  around: ReadonlyMap<string, Around> = new Map(),
): readonly ReviewLine[] {
  const { summary, problem, warnings, files, text } = review;
  const lines: ReviewLine[] = [{ kind: "note", text: summary, isWarning: false }];
  const said = comments.map((comment, index) => ({ comment, index, isPlaced: false }));
  const put = (isHere: (comment: ReviewComment) => boolean): void => {
    for (const one of said) {
      if (one.isPlaced || !isHere(one.comment)) continue;
      one.isPlaced = true;
      lines.push({ kind: "comment", index: one.index, text: one.comment.text });
    }
  };
  put(({ path }) => path === undefined);
  if (problem !== undefined)
    lines.push({ kind: "note", text: `It cannot be applied now: ${problem}`, isWarning: true });
  lines.push(...warnings.map((warning): ReviewLine => ({ kind: "note", text: warning, isWarning: true })));
  // What has no rows, as a call, bytes and trees, is shown by the sheet.
  if (files.length === 0 || files.some(({ hunks }) => hunks.every(({ places }) => places.length === 0)))
    lines.push(...linesOfText(text));
  for (const file of files) {
    const placed = said.filter(({ comment }) => comment.path === file.path && comment.line !== undefined);
    for (const line of fileLines(file, opened, around.get(file.path))) {
      lines.push(line);
      if (line.kind === "file") put(({ path, line: at }) => path === file.path && at === undefined);
      if ((line.kind === "row" || line.kind === "around") && placed.length > 0)
        put((comment) => isAbout(comment, file, line.row));
    }
    // A fold hides the line, and never what was said about it.
    put(({ path }) => path === file.path);
  }
  put(() => true);
  return lines;
}

function linesOfText(text: string): ReviewLine[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => ({ kind: "text", text: line }));
}

/** A comment stands behind the last line that it is about. */
function isAbout({ path, line, to = line, side = "after" }: ReviewComment, file: ReviewedFile, row: DiffRow): boolean {
  return path === file.path && to === (side === "before" ? row.old : row.new);
}

function* fileLines(
  file: ReviewedFile,
  opened: ReadonlySet<string>,
  around: Around | undefined,
): Generator<ReviewLine> {
  yield { kind: "file", file, text: file.line };
  const { hunks } = file;
  const folded = hunks.length === 0 || opened.has(file.path) ? undefined : foldedBecause(file);
  if (folded !== undefined) {
    const rows = hunks.reduce((sum, hunk) => sum + hunk.rows.length, 0);
    yield { kind: "fold", file, text: `${folded}: ${rows} lines in ${hunks.length} hunks are folded` };
    return;
  }
  const gaps = around ? gapsOf(file, around) : [];
  for (const [index, hunk] of hunks.entries()) {
    yield* gaps[index] ?? [];
    const first = hunk.rows.find(({ place }) => place !== undefined) ?? hunk.rows[0];
    const at = first?.new ?? first?.old ?? 0;
    yield { kind: "hunk", file, hunk, text: `hunk ${hunk.number} of ${hunks.length}, line ${at}` };
    for (const row of hunk.rows) yield { kind: "row", file, hunk, row };
  }
  yield* gaps[hunks.length] ?? [];
}

/** The text of a line as one searches it. */
export function lineText(line: ReviewLine): string {
  return line.kind === "row" || line.kind === "around" ? line.row.raw : line.text;
}

/** @returns the index of the next line with this text, from `from` on and then from the beginning; case does not matter */
export function findLine(lines: readonly ReviewLine[], wanted: string, from: number): number | undefined {
  const needle = wanted.toLowerCase();
  if (needle === "") return undefined;
  for (let step = 0; step < lines.length; step++) {
    const at = (from + step) % lines.length;
    const line = lines[at];
    if (line && lineText(line).toLowerCase().includes(needle)) return at;
  }
  return undefined;
}
