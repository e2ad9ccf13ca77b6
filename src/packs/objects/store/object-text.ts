/**
 * The bytes of an object as text: by the mark at its beginning, else by what the store says of it, else as UTF-8, as `web_fetch`
 * reads a page. A part begins and ends where a character does.
 *
 * Usual mistake: to take half of a UTF-16 unit along. From there on every character is another one.
 */
import type { HttpAnswer } from "../../../contract/index.ts";

/** As much of an object as its mark may have. */
export const MARK_BYTES = 4;

export interface PlacedText {
  readonly text: string;
  /** Which of the bytes it is of. */
  readonly start: number;
  readonly end: number;
}

interface Place {
  /** Where the bytes begin in the object. */
  readonly offset: number;
  readonly isLast: boolean;
}

/** @returns `undefined` where the store says none, or one that nobody knows */
export function charsetOf({ headers }: Pick<HttpAnswer, "headers">): string | undefined {
  const said = /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(headers["content-type"] ?? "")?.[1];
  try {
    return said === undefined ? undefined : new TextDecoder(said as "utf-8").encoding;
  } catch {
    return undefined;
  }
}

export function encodingOf(beginning: Uint8Array, charset: string | undefined): string {
  const [first, second, third] = beginning;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : (charset ?? "utf-8");
}

/** The longest character has four bytes. */
const MOST_LEFT = 3;

/** `undefined` for what is no text in that encoding. */
export function readText(bytes: Uint8Array, encoding: string, { offset, isLast }: Place): PlacedText | undefined {
  const start = startOf(bytes, encoding, offset);
  for (let left = 0; left <= (isLast ? 0 : MOST_LEFT); left++) {
    const end = Math.max(start, bytes.length - left);
    try {
      const text = new TextDecoder(encoding as "utf-8", { fatal: true }).decode(bytes.subarray(start, end));
      return text.includes("\0") ? undefined : { text, start, end };
    } catch {
      // The last character may be there in part.
    }
  }
  return undefined;
}

/** All of an object, where it is text. */
export function wholeText(bytes: Uint8Array, charset: string | undefined): string | undefined {
  return readText(bytes, encodingOf(bytes, charset), { offset: 0, isLast: true })?.text;
}

/** What can be read, with U+FFFD for the rest. @param bytes that end where a character does, where they begin within one */
export function readableIn(bytes: Uint8Array, encoding: string): string {
  const isHalf = isWide(encoding) && bytes.length % 2 === 1;
  return new TextDecoder(encoding as "utf-8").decode(isHalf ? bytes.subarray(1) : bytes);
}

/** Where the first character begins. */
function startOf(bytes: Uint8Array, encoding: string, offset: number): number {
  if (isWide(encoding)) return Math.min(offset % 2, bytes.length);
  if (encoding !== "utf-8" || offset === 0) return 0;
  let at = 0;
  while (at < MOST_LEFT && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

function isWide(encoding: string): boolean {
  return encoding.startsWith("utf-16");
}
