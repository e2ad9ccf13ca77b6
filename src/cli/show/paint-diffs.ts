/**
 * A text with diffs in it, for the screen of a person: colours, the words in which lines differ, and signs for blanks that could
 * be missed. What is marked is known by the model of a review. Without colours the signs stay.
 *
 * Invariant: every line of the text is there; without signs, all that is added are colours.
 */
import { markDiffs, TAB, type MarkedLine, type Piece } from "../../review/index.ts";
import type { StreamLook } from "./stream-look.ts";

/** Codes of SGR, all of them among the 16 colours. */
const LINES: Readonly<Record<MarkedLine["kind"], string>> = {
  text: "",
  name: "1",
  hunk: "36",
  note: "2",
  same: "",
  removed: "31",
  added: "32",
};
const PIECES: Readonly<Record<Piece["kind"], string>> = { plain: "", word: "7", sign: "2" };

/** @param text with nothing in it that commands a terminal */
export function paintDiffs(text: string, { isTerminal, hasColor }: StreamLook, hasSigns: boolean = isTerminal): string {
  if (!hasSigns && !hasColor) return text;
  const painted = markDiffs(text, hasSigns).map(({ kind, sign, pieces }) => {
    let column = 0;
    const shown = pieces.map((piece) => {
      const words = piece.text === TAB && hasSigns ? arrowAt(column) : piece.text;
      column += Bun.stringWidth(words);
      return hasColor ? paint(words, LINES[kind], PIECES[piece.kind]) : words;
    });
    return (hasColor ? paint(sign, LINES[kind]) : sign) + shown.join("");
  });
  return painted.join("\n");
}

const TAB_WIDTH = 8;

/** A tab goes to the next stop, as if the sign of the line were not there. */
function arrowAt(column: number): string {
  return `→${" ".repeat(TAB_WIDTH - 1 - (column % TAB_WIDTH))}`;
}

function paint(text: string, ...codes: readonly string[]): string {
  const given = codes.filter((code) => code !== "").join(";");
  return given === "" || text === "" ? text : `\u001b[${given}m${text}\u001b[0m`;
}
