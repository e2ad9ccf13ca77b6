/**
 * Lines out of a file that was read whole and decoded: the common case. Everything that was left out is named, with the
 * call that continues.
 */
import { Failure, limits } from "../base/index.ts";
import { quotable } from "../scope/index.ts";
import { sliceLines, startOfLine, type EncodingName, type LineSlice } from "../text/index.ts";
import type { TextRead } from "./file-read.ts";
import { nextRead, restOfLine, type FileSource } from "./file-source.ts";
import { screenLongLines, screenStart } from "./screen-range.ts";

/** @throws Failure `invalid_input` when the range begins past the end; an empty file may be read from line 1 */
export function readWholeText(source: FileSource, text: string, encoding: EncodingName): TextRead {
  const slice = takeAll(source, text) ?? takeSome(source, text);
  const { cutAt } = slice;
  if (slice.lines === 0 && slice.firstLine > 1) throw pastTheEnd(source, slice.firstLine, slice.totalLines);
  return {
    kind: "text",
    path: source.path,
    text: slice.text,
    encoding,
    first_line: slice.firstLine,
    lines: slice.lines,
    total_lines: slice.totalLines,
    size: source.size,
    ...source.mark,
    truncated: slice.truncated,
    ...(slice.cutLines.length > 0 ? { cut_lines: slice.cutLines } : {}),
    ...restOfLine(source, { text, encoding, cutAt }),
    ...(slice.nextOffset === undefined ? {} : { next: nextRead(source, slice.nextOffset) }),
  };
}

function takeSome(source: FileSource, text: string): LineSlice {
  const { offset, line_numbers, maxLineBytes = limits.MAX_READ_LINE_BYTES } = source.request;
  const options = {
    offset: offset ?? 1,
    limit: lineLimit(source),
    maxBytes: source.maxBytes,
    maxLineBytes,
    lineNumbers: line_numbers ?? false,
  };
  const slice = sliceLines(text, options);
  const { secrets } = source.ctx;
  if (!secrets) return slice;
  const whole = slice.cutLines.length > 0 ? screenLongLines(text, secrets) : text;
  const screened = slice.firstLine > 1 ? screenStart(whole, startOfLine(whole, slice.firstLine), secrets) : whole;
  if (screened === text) return slice;
  // What stands around a secret is given as text alone.
  const { cutAt: _place, ...rest } = sliceLines(screened, options);
  return rest;
}

/** Answers for a file that is shorter than any bound, as most files are, in a fifth of the time of `takeSome`. */
function takeAll(source: FileSource, text: string): LineSlice | undefined {
  const { offset, line_numbers } = source.request;
  const bytes = Buffer.byteLength(text);
  const isShort = bytes <= source.maxBytes && bytes <= limits.MAX_READ_LINE_BYTES;
  if (!isShort || line_numbers === true || (offset ?? 1) < 0 || (offset ?? 1) > 1) return undefined;
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  if (lines === 0 && text.includes("\r")) return undefined;
  if (text !== "" && !text.endsWith("\n")) lines++;
  if (lines > lineLimit(source)) return undefined;
  return { text, firstLine: 1, lines, totalLines: lines, truncated: false, cutLines: [] };
}

/** How many lines are wanted: at least one, so that `next` always gets somewhere. */
export function lineLimit(source: FileSource): number {
  return Math.max(1, source.request.limit ?? limits.DEFAULT_READ_LINES);
}

export function pastTheEnd(source: FileSource, line: number, total: number): Failure {
  const state = `line ${line} is past the end (it has ${total} ${total === 1 ? "line" : "lines"})`;
  return new Failure("invalid_input", `Cannot read "${quotable(source.request.path)}": ${state}`, {
    hint: "Use a smaller offset; a negative one counts from the end.",
    details: { total_lines: total },
  });
}
