/**
 * A range of lines out of a file that is too large to hold: find the first line on bytes, read one window from there,
 * decode only that. Works for encodings in which the byte 0x0A is always a newline, which is all but UTF-16.
 *
 * Memory: one window, its text, and one buffer for scanning, whatever the size of the file.
 * Usual mistake: counting a 100 GB file to its end in order to show its first page.
 */
import { Failure, limits } from "../base/index.ts";
import { quotable } from "../scope/index.ts";
import { decodeSource, type SourceText } from "./decode-source.ts";
import type { TextRead } from "./file-read.ts";
import { nextRead, readSource, restOfLine, type FileSource } from "./file-source.ts";
import { findStart, totalLines } from "./line-position.ts";
import { readLineWindow } from "./line-window.ts";
import { lineLimit } from "./read-whole-text.ts";
import { screenWindow } from "./screen-range.ts";
import { decodeWindow, showWindow } from "./show-window.ts";

/** @throws Failure `not_text`, `too_large` (UTF-16), `invalid_input` (past the end), `cancelled`, `timed_out` */
export async function readLargeText(
  source: FileSource,
): Promise<TextRead | Extract<SourceText, { kind: "media" }>> {
  const head = readSource(source, 0, HEAD_BYTES);
  refuseUtf16(source, head);
  if (head.includes(0) && (source.request.encoding ?? "auto") === "auto") {
    const decoded = decodeSource(source, head, 0);
    if (decoded.kind === "media") return decoded;
  }
  const start = await findStart(source);
  const window = await readLineWindow(source, start.position, lineLimit(source));
  const decoded = decodeWindow(source, window, start.position);
  if (decoded.kind === "media") return decoded;
  const kept = window.left === undefined ? 0 : window.bytes.length;
  const text = screenWindow(source, decoded.text, start.position, kept);
  const shown = showWindow(source, text, window, start.line);
  const hasMore = shown.lines < window.lines || window.end < source.size;
  const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const encoding = hasMark && decoded.encoding === "utf-8" ? "utf-8-bom" : decoded.encoding;
  // What stands around a secret is given as text alone.
  const cutAt = text === decoded.text ? shown.cutAt : undefined;
  return {
    kind: "text",
    path: source.path,
    text: shown.text,
    encoding,
    first_line: start.line,
    lines: shown.lines,
    ...(await totalLines(source, start, window)),
    size: source.size,
    ...source.mark,
    truncated: hasMore || shown.cutLines.length > 0,
    ...(shown.cutLines.length > 0 ? { cut_lines: shown.cutLines } : {}),
    ...restOfLine(source, { text, encoding, cutAt }, start.position),
    ...(hasMore ? { next: nextRead(source, start.line + shown.lines) } : {}),
  };
}

/** Where a NUL makes a file binary, as for files that are read whole. */
const HEAD_BYTES: number = 8 * 1024;

function refuseUtf16(source: FileSource, head: Uint8Array): void {
  const asked = source.request.encoding ?? "auto";
  const isMarked = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (!asked.startsWith("utf-16") && !(asked === "auto" && isMarked)) return;
  const state = `it is UTF-16 and larger than ${limits.MAX_HASHED_READ_BYTES} bytes`;
  throw new Failure("too_large", `Cannot read "${quotable(source.request.path)}": ${state}`, {
    hint: "Read byte ranges with encoding: base64, offset and limit.",
  });
}
