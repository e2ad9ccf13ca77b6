/**
 * Names, long texts and bytes as parts of a line that a person reads, and text in pages. A cut is always marked by "…", and
 * what is cut stands whole somewhere below.
 *
 * Usual mistake: to cut between the two halves of a character, which makes neither visible.
 */

/** Keeps the beginning and the end: a verb often stands first, and its object last. */
export function shortenMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil(((most - 1) * 2) / 3);
  return `${sliceWhole(text, 0, head)}…${sliceWhole(text, text.length - (most - 1 - head), text.length)}`;
}

export function shortenEnd(text: string, most: number): string {
  return text.length <= most ? text : `${sliceWhole(text, 0, most - 1)}…`;
}

/** Slices a text so that no half of a character stands at either end. */
export function sliceWhole(text: string, start: number, end: number): string {
  return text.slice(isInside(text, start) ? start + 1 : start, isInside(text, end) ? end - 1 : end);
}

/** Whether a cut here would halve a character. */
function isInside(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

export function clearName(name: string): string {
  return UNCLEAR.test(name) ? `"${name.replaceAll(/["\\]/g, "\\$&")}"` : name;
}

const UNCLEAR = /[\s"]|:\d/;

/** Longer lines are cut into several, so that none has to be held whole. */
const MAX_LINE_BYTES = 4096;
const LINE_FEED = 0x0a;

/** Shows printable ASCII as it is, a backslash doubled, any other byte as `\xNN`; one line for each line feed. */
export function* showBytes(bytes: Uint8Array): Generator<string> {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = Math.min(found === -1 ? bytes.length : found, start + MAX_LINE_BYTES);
    const isCut = end < bytes.length && bytes[end] !== LINE_FEED;
    yield `| ${lineOf(bytes.subarray(start, end))}${isCut ? " …" : ""}`;
    start = isCut ? end : end + 1;
  }
}

function lineOf(bytes: Uint8Array): string {
  let line = "";
  for (const byte of bytes)
    line +=
      byte === 0x5c
        ? "\\\\"
        : byte >= 0x20 && byte < 0x7f
          ? String.fromCharCode(byte)
          : `\\x${byte.toString(16).padStart(2, "0")}`;
  return line;
}

export interface Page {
  readonly text: string;
  /** The number of the page, from 1. */
  readonly page: number;
  readonly pages: number;
}

/** The size of a page, as one message holds it. */
export const MAX_PAGE_BYTES: number = 64 * 1024;

/** @param lines without line feeds; made one by one, because all of them may be more than fits in memory */
export function pageText(lines: Iterable<string>, wanted: number, maxBytes: number = MAX_PAGE_BYTES): Page {
  let [page, room] = [1, maxBytes];
  const kept: string[] = [];
  for (const line of lines) {
    for (const piece of piecesOf(`${line}\n`, maxBytes)) {
      const bytes = Buffer.byteLength(piece);
      if (bytes > room) [page, room] = [page + 1, maxBytes];
      room -= bytes;
      if (page === wanted) kept.push(piece);
    }
  }
  return { text: kept.join(""), page: wanted, pages: page };
}

/** Cuts a line that is longer than a page. */
function* piecesOf(line: string, maxBytes: number): Generator<string> {
  if (Buffer.byteLength(line) <= maxBytes) {
    yield line;
    return;
  }
  // Of no character more than four bytes.
  const step = Math.floor(maxBytes / 4);
  for (let at = 0; at < line.length;) {
    const isPair = (line.codePointAt(at + step - 1) ?? 0) > 0xffff;
    const end = at + step + (isPair ? 1 : 0);
    yield line.slice(at, end);
    at = end;
  }
}
