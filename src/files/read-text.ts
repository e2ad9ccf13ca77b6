/**
 * A range of lines out of a file. One that was read whole is cut in memory. One that is too large to hold is searched on bytes
 * for its first line, and one window is read and decoded from there; this works where the byte 0x0A is always a newline, which
 * is everywhere but in UTF-16. What was left out is named with the call that continues, and what was not counted is said: a
 * total is then "at least", a line number negative, counted from the end.
 *
 * Usual mistake: counting a 100 GB file to its end in order to show its first page.
 */
import { Failure, limits } from "../base/index.ts";
import { quotable } from "../scope/index.ts";
import { type EncodingName, gutterOf, type LineSlice, sliceLines, startOfLine, truncateUtf8 } from "../text/index.ts";
import { type FileSource, nextRead, readRange, readSource, restOfLine, type TextRead } from "./file-source.ts";
import { decodeSource, type MediaText, type SourceText } from "./read-media.ts";
import { countNewlines, type LineWindow, readLineWindow, skipLines, skipLinesBack } from "./scan-lines.ts";
import { screenLongLines, screenStart, screenWindow } from "./screen-range.ts";

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
function lineLimit(source: FileSource): number {
  return Math.max(1, source.request.limit ?? limits.DEFAULT_READ_LINES);
}

function pastTheEnd(source: FileSource, line: number, total: number): Failure {
  const state = `line ${line} is past the end (it has ${total} ${total === 1 ? "line" : "lines"})`;
  return new Failure("invalid_input", `Cannot read "${quotable(source.request.path)}": ${state}`, {
    hint: "Use a smaller offset; a negative one counts from the end.",
    details: { total_lines: total },
  });
}

/** @throws Failure `not_text`, `too_large` (UTF-16), `invalid_input` (past the end), `cancelled`, `timed_out` */
export async function readLargeText(source: FileSource): Promise<TextRead | MediaText> {
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

/** A NUL this near the beginning makes a file binary, as for files that are read whole. */
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

/** How much is counted beyond what the answer needs, to give a total: under 100 ms when the file is cached. */
const MAX_COUNTED_BYTES: number = 128 * 1024 * 1024;

const NEWLINE = 0x0a;

interface LineStart {
  readonly position: number;
  /** Negative, counted from the end, when counting from the beginning would take too long. */
  readonly line: number;
  /** How many lines stand before it, at least. */
  readonly before: number;
}

/** @throws Failure `invalid_input` when the line is past the end */
async function findStart(source: FileSource): Promise<LineStart> {
  const offset = source.request.offset ?? 1;
  if (offset < 0) return await findStartFromEnd(source, -offset);
  const line = Math.max(1, offset);
  const { position, newlines } = await skipLines(source, line - 1);
  if (line === 1 || (newlines === line - 1 && position < source.size)) return { position, line, before: line - 1 };
  throw pastTheEnd(source, line, newlines + (newlines < line - 1 && isUnterminated(source) ? 1 : 0));
}

async function findStartFromEnd(source: FileSource, lines: number): Promise<LineStart> {
  const position = await skipLinesBack(source, lines);
  const before = await countNewlines(source, 0, Math.min(position, MAX_COUNTED_BYTES));
  return { position, line: position <= MAX_COUNTED_BYTES ? before + 1 : -lines, before };
}

async function totalLines(
  source: FileSource,
  start: LineStart,
  window: LineWindow,
): Promise<Pick<TextRead, "total_lines" | "total_lines_at_least">> {
  if (start.line < 0) return { total_lines: start.before - start.line, total_lines_at_least: true };
  const known = start.before + window.lines;
  if (window.isOpen) return { total_lines: known, total_lines_at_least: true };
  const end = Math.min(source.size, window.end + MAX_COUNTED_BYTES);
  const total = known + (await countNewlines(source, window.end, end));
  if (end < source.size) return { total_lines: total, total_lines_at_least: true };
  return { total_lines: total + (window.end < end && isUnterminated(source) ? 1 : 0) };
}

function isUnterminated(source: FileSource): boolean {
  return readRange(source.fd, source.size - 1, 1)[0] !== NEWLINE;
}

interface ShownLines {
  readonly text: string;
  readonly lines: number;
  readonly cutLines: readonly number[];
  /** The offset in `text` at which the first of them was cut. */
  readonly cutAt?: number | undefined;
}

/** A newline before the window keeps its first bytes from being taken for a byte order mark. */
function decodeWindow(source: FileSource, window: LineWindow, position: number): SourceText {
  const isInner = position > 0;
  const decode = (bytes: Buffer): SourceText =>
    isInner
      ? decodeSource(source, Buffer.concat([LINE_FEED, bytes]), position - 1)
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

const LINE_FEED: Buffer = Buffer.from("\n");

function showWindow(source: FileSource, text: string, window: LineWindow, firstLine: number): ShownLines {
  if (window.left !== undefined) return showCutLine(source, text, window, firstLine);
  // The newline put before makes sure that a piece without one is not taken for lines that end in CR.
  const slice = sliceLines(`\n${text}`, {
    offset: 2,
    maxBytes: source.maxBytes,
    maxLineBytes: limits.MAX_READ_LINE_BYTES,
    lineNumbers: source.request.line_numbers === true,
    numberFrom: firstLine - 1,
  });
  return {
    text: slice.text,
    lines: slice.lines,
    cutLines: slice.cutLines.map((line) => firstLine + line - 2),
    cutAt: slice.cutAt === undefined ? undefined : slice.cutAt - 1,
  };
}

function showCutLine(source: FileSource, text: string, window: LineWindow, firstLine: number): ShownLines {
  const kept = truncateUtf8(text, source.maxBytes);
  const left = (window.left ?? 0) + kept.totalBytes - Buffer.byteLength(kept.text);
  const gutter = source.request.line_numbers === true ? gutterOf(firstLine) : "";
  const note = ` … [${left}${window.isOpen ? " or more" : " more"} bytes]`;
  return {
    text: `${gutter}${kept.text}${note}${window.end < source.size ? "\n" : ""}`,
    lines: 1,
    cutLines: [firstLine],
    cutAt: kept.text.length,
  };
}
