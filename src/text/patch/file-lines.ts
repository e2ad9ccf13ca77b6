/**
 * The lines of a file as hunks see them: the text without its ending, and the ending. Joined again they are the file,
 * byte for byte.
 *
 * Usual mistake: normalising the endings first, after which nobody knows what the untouched lines had.
 */
import { lineBreak } from "../line-endings.ts";
import type { Hunk } from "./patch-model.ts";

export interface FileLines {
  readonly texts: readonly string[];
  /** `""` for a last line without one. A CR before the end of the file, without LF, counts as an ending. */
  readonly endings: readonly string[];
  /** Index of the first character of each line, and behind them the length of the text. */
  readonly starts: readonly number[];
  /** A lone CR ends a line only in a text without LF. */
  readonly stop: "\n" | "\r";
  readonly isEnded: boolean;
}

/** Old lines of the hunks decide for a text with lone CRs only: a diff tool takes it for one line, a person does not. */
export function splitFile(text: string, hunks: readonly Hunk[]): FileLines {
  const isOneLine = lineBreak(text) === "\r" && hunks.some(hasReturnInOld);
  const stop = isOneLine ? "\n" : lineBreak(text);
  const texts: string[] = [];
  const endings: string[] = [];
  const starts: number[] = [];
  let at = 0;
  while (at < text.length) {
    const found = text.indexOf(stop, at);
    const end = found === -1 ? text.length : found + 1;
    const content = contentEnd(text, at, end, stop);
    starts.push(at);
    texts.push(text.slice(at, content));
    endings.push(text.slice(content, end));
    at = end;
  }
  starts.push(text.length);
  return { texts, endings, starts, stop, isEnded: text.endsWith(stop) };
}

function hasReturnInOld({ lines }: Hunk): boolean {
  return lines.some(({ kind, text }) => kind !== "insert" && text.includes("\r"));
}

function contentEnd(text: string, start: number, end: number, stop: string): number {
  let content = end;
  if (text[content - 1] === stop) content--;
  if (stop === "\n" && content > start && text[content - 1] === "\r") content--;
  return content;
}

/** The text of a hunk line without the CR of its ending. */
export function withoutCarriageReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
