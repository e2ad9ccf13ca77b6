/**
 * A line of a file as pieces that can be shown: nothing in it commands a terminal or hides, and what a reader could miss has a
 * sign. Every surface shows the pieces as they are and computes none.
 */
import { escapeControls } from "../../text/index.ts";
import type { Mark } from "./word-marks.ts";

/**
 * plain: as in the file. word: as in the file, and other than in the line beside it. sign: stands for something that cannot be
 * seen or must not be shown as it is.
 */
export interface Piece {
  readonly kind: "plain" | "word" | "sign";
  readonly text: string;
}

/** What a surface lays out itself. */
export const TAB = "\t";

/**
 * Gives the pieces of a line. Blanks at its end are `·`, a carriage return is `␍`, what commands or hides is an escape such as
 * `\x1b`; a tab is a sign with the tab itself, because its width depends on where it stands.
 */
export function showLine(line: string, marks: readonly Mark[] = []): Piece[] {
  if (marks.length === 0 && PLAIN.test(line)) return line === "" ? [] : [{ kind: "plain", text: line }];
  const pieces: Piece[] = [];
  const end = line.length - (/[ \t\r]*$/.exec(line.slice(-MAX_TRAILING))?.[0].length ?? 0);
  let mark = 0;
  let at = 0;
  for (const character of line) {
    while ((marks[mark]?.[1] ?? Infinity) <= at) mark++;
    const isMarked = at >= (marks[mark]?.[0] ?? Infinity);
    const sign = signOf(character, at >= end);
    put(pieces, sign === undefined ? (isMarked ? "word" : "plain") : "sign", sign ?? character);
    at += character.length;
  }
  return pieces;
}

/** Nothing of it has a sign, as nearly every line of a file: a long one is seen at once. */
const PLAIN = /^(?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A longer run of blanks at the end of a line is shown as blanks but for its end. */
const MAX_TRAILING = 1000;

function signOf(character: string, isTrailing: boolean): string | undefined {
  if (character === TAB) return TAB;
  if (character === "\r") return "␍";
  if (character === " ") return isTrailing ? "·" : undefined;
  if (/[\u00a0\u202f\u2007]/.test(character)) return "⍽";
  const escaped = escapeControls(character);
  return escaped === character ? undefined : escaped;
}

function put(pieces: Piece[], kind: Piece["kind"], text: string): void {
  const last = pieces.at(-1);
  if (last?.kind === kind && text !== TAB && last.text !== TAB)
    pieces[pieces.length - 1] = { kind, text: last.text + text };
  else pieces.push({ kind, text });
}
