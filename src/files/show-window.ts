/**
 * A window of lines of a large file as text: decoded as the middle of a file and not as its beginning, cut where lines
 * are too long, numbered on request.
 */
import { Failure, limits } from "../base/index.ts";
import { sliceLines, truncateUtf8 } from "../text/index.ts";
import { decodeSource, type SourceText } from "./decode-source.ts";
import type { FileSource } from "./file-source.ts";
import type { LineWindow } from "./line-window.ts";
import { numberLines } from "./number-lines.ts";

export interface ShownLines {
  readonly text: string;
  readonly lines: number;
  readonly cutLines: readonly number[];
  /** Where in the text what is left out of the first of them begins. */
  readonly cutAt?: number | undefined;
}

/** A newline before the window keeps its first bytes from being taken for a byte order mark. */
export function decodeWindow(source: FileSource, window: LineWindow, position: number): SourceText {
  const isInner = position > 0;
  const decode = (bytes: Buffer): SourceText =>
    isInner
      ? decodeSource(source, Buffer.concat([NEWLINE, bytes]), position - 1)
      : decodeSource(source, bytes, position);
  const decoded = window.left === undefined ? decode(window.bytes) : decodeCut(decode, window.bytes);
  return isInner && decoded.kind === "text" ? { ...decoded, text: decoded.text.slice(1) } : decoded;
}

/** The beginning of a long line may end inside a character of a code page, whose longest has three bytes. */
function decodeCut(decode: (bytes: Buffer) => SourceText, bytes: Buffer): SourceText {
  for (let drop = 0; drop < 2; drop++) {
    try {
      return decode(bytes.subarray(0, bytes.length - drop));
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== "not_text") throw thrown;
    }
  }
  return decode(bytes.subarray(0, bytes.length - 2));
}

const NEWLINE: Buffer = Buffer.from("\n");

export function showWindow(
  source: FileSource,
  text: string,
  window: LineWindow,
  firstLine: number,
): ShownLines {
  const { maxBytes } = source;
  const plain =
    window.left === undefined
      ? showLines(text, maxBytes, firstLine)
      : showCutLine(text, window, source, firstLine);
  if (source.request.line_numbers !== true) return plain;
  const numbered = numberLines(plain.text, firstLine, maxBytes);
  const end = firstLine + numbered.lines;
  const cutLines = plain.cutLines.filter((line) => line < end);
  return { ...numbered, cutLines, cutAt: cutLines.length > 0 ? plain.cutAt : undefined };
}

/** The newline put before makes sure that a piece without one is not taken for lines that end in CR. */
function showLines(text: string, maxBytes: number, firstLine: number): ShownLines {
  const slice = sliceLines(`\n${text}`, { offset: 2, maxBytes, maxLineBytes: limits.MAX_READ_LINE_BYTES });
  return {
    text: slice.text,
    lines: slice.lines,
    cutLines: slice.cutLines.map((line) => firstLine + line - 2),
    cutAt: slice.cutAt === undefined ? undefined : slice.cutAt - 1,
  };
}

function showCutLine(text: string, window: LineWindow, source: FileSource, firstLine: number): ShownLines {
  const kept = truncateUtf8(text, source.maxBytes);
  const left = (window.left ?? 0) + kept.totalBytes - Buffer.byteLength(kept.text);
  const note = ` … [${left}${window.isOpen ? " or more" : " more"} bytes]`;
  return {
    text: `${kept.text}${note}${window.end < source.size ? "\n" : ""}`,
    lines: 1,
    cutLines: [firstLine],
    cutAt: kept.text.length,
  };
}
