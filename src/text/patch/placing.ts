/**
 * What the steps of placing hand to each other: the file as it is searched, and a hunk with its place. Lines are
 * 0-based here and become 1-based only in what leaves the folder.
 */
import type { EndingBlindText } from "../locate-text.ts";
import type { PlacingFile } from "./choose-place.ts";
import { withoutCarriageReturn, type FileLines } from "./file-lines.ts";
import type { HunkProblem } from "./hunk-problem.ts";
import type { Hunk, HunkLine } from "./patch-model.ts";

export interface PlacingTarget extends PlacingFile {
  /** Without byte order mark. */
  readonly text: string;
  readonly blind: EndingBlindText;
  readonly lines: FileLines;
}

export interface PlacedHunk {
  readonly index: number;
  readonly hunk: Hunk;
  /** Whole lines from `start` (0-based); or, inside a line, characters of the text. */
  readonly unit: "lines" | "characters";
  readonly start: number;
  readonly length: number;
  /** As they were read to match. */
  readonly lines: readonly HunkLine[];
  /** Every old line was there with its very ending, so the inserted ones have the endings they want. */
  readonly hasOwnEndings: boolean;
  /** The blanks at the beginning of lines differ, so inserted lines get those of the place. */
  readonly isReindented: boolean;
  readonly tolerance?: string;
}

/** The lines that a hunk would have made stand here (0-based). */
export interface AlreadyThere {
  readonly start: number;
  readonly length: number;
}

export type PlaceResult =
  | { readonly kind: "placed"; readonly placed: PlacedHunk }
  | { readonly kind: "already"; readonly already: AlreadyThere }
  | { readonly kind: "failed"; readonly problem: HunkProblem };

export function oldTextsOf(lines: readonly HunkLine[]): string[] {
  return textsWithout("insert", lines);
}

export function newTextsOf(lines: readonly HunkLine[]): string[] {
  return textsWithout("remove", lines);
}

function textsWithout(left: HunkLine["kind"], lines: readonly HunkLine[]): string[] {
  const texts: string[] = [];
  for (const { kind, text } of lines) if (kind !== left) texts.push(withoutCarriageReturn(text));
  return texts;
}

/** 0-based line of a character; the index behind the last one belongs to the last line. */
export function lineAt({ starts, texts }: FileLines, character: number): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= character) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
