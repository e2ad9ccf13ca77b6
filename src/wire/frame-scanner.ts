/**
 * Reads the nesting depth and the top-level "id" of one JSON line from its bytes, piece by piece, without keeping them:
 * a line that is refused (too long, too deep) can still be answered under its id. The state is a few numbers and two
 * kilobytes, whatever the length of the line.
 *
 * It is not a validator: on text that is not JSON it gives some depth and usually no id, and `JSON.parse` decides.
 * The result does not depend on where the pieces are cut.
 *
 * Usual mistake: looking for `"id":` as text; it also stands inside strings and nested objects.
 */
import { isRequestId, type RequestId } from "./message.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
/** Setting bit 5 maps `[` to `{` and `]` to `}`. */
const CASE_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** An id of 256 characters, each written as a \uXXXX escape, with quotes and some white space. */
const CAPTURE_BYTES = 2048;
/** Short strings are read byte by byte; past this many bytes a native search for the quote is cheaper. */
const NATIVE_SEARCH_AFTER = 32;

export class FrameScanner {
  /** The deepest nesting so far; `[]` is 1. */
  depth = 0;
  /** The last complete top-level "id" (duplicate keys: the last wins), or null when there is none that is valid. */
  id: RequestId | null = null;
  #level = 0;
  #inString = false;
  /** The last byte was a backslash that escapes the next one. */
  #escaped = false;
  /** What the next complete token at level 1 of an object is; "skip" outside such an object. */
  #expect: "key" | "value" | "id" | "skip" = "skip";
  /** The root has been seen: a second one on the same line cannot set the id. */
  #rooted = false;
  #captured = new Uint8Array(CAPTURE_BYTES);
  #capturedLength = 0;
  /** Where the running capture starts in the current piece; -1 when none runs. */
  #captureFrom = -1;

  feed(bytes: Uint8Array): void {
    const end = bytes.length;
    if (this.#captureFrom >= 0) this.#captureFrom = 0;
    let at = this.#inString ? this.#string(bytes, 0) : 0;
    while (at < end) {
      const byte = bytes[at] ?? 0;
      const folded = byte | CASE_BIT;
      if (byte === QUOTE) at = this.#open(bytes, at);
      else {
        if (folded === OPEN) this.#down(byte);
        else if (folded === CLOSE) this.#up(bytes, at);
        else if (this.#level === 1 && (byte === COLON || byte === COMMA)) this.#separator(bytes, at);
        at++;
      }
    }
    if (this.#captureFrom >= 0) this.#keep(bytes, end);
  }

  /** A quote outside a string. Gives the position after the string, or the end of the piece. */
  #open(bytes: Uint8Array, quote: number): number {
    this.#inString = true;
    if (this.#expect === "key" && this.#level === 1) this.#beginCapture(quote);
    return this.#string(bytes, quote + 1);
  }

  /** Skips to the end of the string, first by byte, then by native search with a count of the backslashes before. */
  #string(bytes: Uint8Array, from: number): number {
    const end = bytes.length;
    let at = this.#escaped ? from + 1 : from;
    this.#escaped = false;
    while (at < end) {
      const stepEnd = Math.min(end, at + NATIVE_SEARCH_AFTER);
      while (at < stepEnd) {
        const byte = bytes[at];
        if (byte === QUOTE) return this.#close(bytes, at + 1);
        at += byte === BACKSLASH ? 2 : 1;
      }
      if (at >= end) break;
      const found = bytes.indexOf(QUOTE, at);
      const quote = found < 0 ? end : found;
      at = quote + (countBackslashesBefore(bytes, quote, at) % 2);
    }
    this.#escaped = at > end;
    return end;
  }

  #close(bytes: Uint8Array, after: number): number {
    this.#inString = false;
    if (this.#expect === "key" && this.#captureFrom >= 0) {
      this.#expect = this.#endCapture(bytes, after) === "id" ? "id" : "value";
    }
    return after;
  }

  #down(byte: number): void {
    this.#level++;
    if (this.#level > this.depth) this.depth = this.#level;
    if (this.#level === 1 && !this.#rooted) {
      this.#rooted = true;
      if (byte === OPEN_OBJECT) this.#expect = "key";
    }
  }

  #up(bytes: Uint8Array, at: number): void {
    if (this.#level === 1) {
      this.#endMember(bytes, at);
      this.#expect = "skip";
    }
    if (this.#level > 0) this.#level--;
  }

  #separator(bytes: Uint8Array, at: number): void {
    if (bytes[at] === COMMA) this.#endMember(bytes, at);
    else if (this.#expect === "id") this.#beginCapture(at + 1);
  }

  /** The value of the "id" member is complete only now: digits may go on until a comma or brace. */
  #endMember(bytes: Uint8Array, at: number): void {
    if (this.#expect === "id" && this.#captureFrom >= 0) {
      const value = this.#endCapture(bytes, at);
      this.id = isRequestId(value) ? value : null;
    }
    if (this.#expect !== "skip") this.#expect = "key";
  }

  #beginCapture(from: number): void {
    this.#captureFrom = from;
    this.#capturedLength = 0;
  }

  /** Adds the piece's part of the running capture; what does not fit makes the capture invalid, not larger. */
  #keep(bytes: Uint8Array, end: number): void {
    const part = bytes.subarray(this.#captureFrom, end);
    if (this.#capturedLength + part.length <= CAPTURE_BYTES) this.#captured.set(part, this.#capturedLength);
    this.#capturedLength += part.length;
  }

  #endCapture(bytes: Uint8Array, end: number): unknown {
    this.#keep(bytes, end);
    this.#captureFrom = -1;
    if (this.#capturedLength > CAPTURE_BYTES) return undefined;
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(this.#captured.subarray(0, this.#capturedLength));
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
}

function countBackslashesBefore(bytes: Uint8Array, end: number, from: number): number {
  let at = end;
  while (at > from && bytes[at - 1] === BACKSLASH) at--;
  return end - at;
}
