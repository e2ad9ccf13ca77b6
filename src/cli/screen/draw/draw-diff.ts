/**
 * The lines of a proposal as spans: numbers, signs and marks before the text, the words that differ, comments below. What is
 * out is dim and has a sign of its own, so that it is told without colour too.
 */
import {
  isBlankChange,
  isOut,
  whyInWords,
  type DiffRow,
  type ReviewLine,
  type ShownHunk,
} from "../../../review/index.ts";
import { escapeLine } from "../../../text/index.ts";
import type { OpenProposal } from "../screen-state.ts";
import { piecesToSpans, span, type SpanLine } from "./spans.ts";

type Look = Pick<OpenProposal, "choices" | "split"> & { readonly showsBlanks: boolean };

/** @param isSpoken words in the place of signs */
export function lineSpans(line: ReviewLine, look: Look, isSpoken: boolean): SpanLine {
  switch (line.kind) {
    case "note":
      return [
        span(
          line.isWarning ? `! ${escapeLine(line.text)}` : escapeLine(line.text),
          line.isWarning ? "warning" : "title",
        ),
      ];
    case "text":
      return [span(escapeLine(line.text))];
    case "comment":
      return commentSpans(line.text, isSpoken);
    case "file":
      return [span(`${markOfFile(line.file, look, isSpoken)} `), span(line.text, "file")];
    case "fold":
      return [span(`    ${line.text}; Enter opens it`, "dim")];
    case "hunk":
      return [
        span(`${markOfHunk(line.hunk, line, look, isSpoken)} `),
        span(hunkWords(line.hunk, line.text, look), "hunk"),
      ];
    case "row":
      return rowSpans(line, look, isSpoken);
    case "around":
      return diffRowSpans(line.row, { isSpoken, showsBlanks: look.showsBlanks });
  }
}

function commentSpans(text: string, isSpoken: boolean): SpanLine {
  const said = text.split("\n").map(escapeLine).join(" ⏎ ");
  return [span(isSpoken ? `you say: ${said}` : `      » ${said}`, "comment")];
}

type InFile = Extract<ReviewLine, { kind: "file" | "hunk" | "row" }>;

function markOfFile(file: InFile["file"], { choices }: Look, isSpoken: boolean): string {
  const places = file.hunks.flatMap((hunk) => hunk.places);
  if (isOut(choices, file)) return isSpoken ? "left out:" : "[ ]";
  const out = places.filter((place) => isOut(choices, file, place)).length;
  return markOf(out, Math.max(1, places.length), isSpoken);
}

function markOfHunk(hunk: ShownHunk, { file }: InFile, { choices }: Look, isSpoken: boolean): string {
  const out = hunk.places.filter((place) => isOut(choices, file, place)).length;
  if (hunk.places.length === 0) return markOf(isOut(choices, file) ? 1 : 0, 1, isSpoken);
  return markOf(out, hunk.places.length, isSpoken);
}

function markOf(out: number, of: number, isSpoken: boolean): string {
  if (isSpoken) return out === 0 ? "taken in:" : out < of ? "partly taken in:" : "left out:";
  return out === 0 ? "[x]" : out < of ? "[~]" : "[ ]";
}

function hunkWords(hunk: ShownHunk, heading: string, { split }: Look): string {
  const { places, rows } = hunk;
  const isBlank = places.length > 0 && places.every((place) => isBlankChange(rows, place));
  const text = isBlank ? `${heading}, only blanks differ` : heading;
  if (places.length < 2) return text;
  return split.has(hunk) ? `${text}, split into places ${places.join(", ")}` : `${text}, ${places.length} places`;
}

function rowSpans({ file, hunk, row }: Extract<ReviewLine, { kind: "row" }>, look: Look, isSpoken: boolean): SpanLine {
  const { kind, place, pieces, isUnended } = row;
  const isLeftOut = kind !== "same" && isOut(look.choices, file, place);
  const style = isLeftOut ? "out" : kind === "same" ? "plain" : kind;
  const word = isLeftOut ? "out" : kind === "removed" ? "removedWord" : "addedWord";
  const isFirst = place !== undefined && look.split.has(hunk) && isFirstOfPlace(hunk, row);
  const shown = [
    ...headSpans(row, isLeftOut, isSpoken),
    ...piecesToSpans(pieces, style, word, look.showsBlanks),
    ...(isUnended ? [span(" (no line feed at the end)", "sign")] : []),
  ];
  return isFirst ? [...shown, span(`  [${isLeftOut ? " " : "x"}] place ${place}`, "hunk")] : shown;
}

/** A row outside of any choice. */
export function diffRowSpans(
  row: DiffRow,
  { isSpoken = false, showsBlanks = false }: { readonly isSpoken?: boolean; readonly showsBlanks?: boolean } = {},
): SpanLine {
  const { kind, pieces } = row;
  const word = kind === "removed" ? "removedWord" : "addedWord";
  const style = kind === "same" ? "plain" : kind;
  return [...headSpans(row, false, isSpoken), ...piecesToSpans(pieces, style, word, showsBlanks)];
}

function headSpans({ kind, old, new: now }: DiffRow, isLeftOut: boolean, isSpoken: boolean): SpanLine {
  const number = now ?? old ?? 0;
  if (isSpoken) return [span(`line ${number}${kind === "same" ? "" : `, ${kind}${isLeftOut ? ", left out" : ""}`}: `)];
  const sign = kind === "same" ? " " : kind === "removed" ? "-" : "+";
  const style = isLeftOut ? "out" : kind === "same" ? "dim" : kind;
  return [span(String(number).padStart(5), "dim"), span(`${isLeftOut ? "~" : " "}${sign} `, style)];
}

function isFirstOfPlace({ rows }: ShownHunk, row: DiffRow): boolean {
  return rows.find(({ place }) => place === row.place) === row;
}

/** Why a person is asked, in one line. */
export function whyLine({ review }: Pick<OpenProposal, "review">): string {
  const why = whyInWords(review.why);
  return why === "" ? "" : `asked: ${escapeLine(why)}`;
}
