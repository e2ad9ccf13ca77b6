/**
 * Bytes as the engine may see them: valid UTF-8 of the same length. Each byte that is part of no valid sequence becomes
 * SUB (0x1a), so offsets stay true. What is lost: `.` and negated classes match such a byte, in ripgrep they do not.
 */
import { isUtf8 } from "node:buffer";
import { NEWLINE } from "./matcher.ts";

const SUBSTITUTE = 0x1a;

/**
 * What stands for an invalid byte when the pattern is literal text that must be a word: in ripgrep no word ends at such a
 * byte, so it is a sign of words that the text does not hold.
 */
export function wordSubstitute(literal: string): number {
  const unused = Array.from("_0123456789abcdefghijlmnopqrtuvwxyz").find(
    (sign) => !literal.toLowerCase().includes(sign),
  );
  return unused?.charCodeAt(0) ?? SUBSTITUTE;
}

let hasMasked = false;

/** Whether anything was masked since this was asked last: between two questions one file is searched. */
export function wasMasked(): boolean {
  const was = hasMasked;
  hasMasked = false;
  return was;
}

/** The bytes themselves when they are valid. */
export function maskInvalidUtf8(bytes: Buffer, substitute: number = SUBSTITUTE): Buffer {
  if (isUtf8(bytes)) return bytes;
  hasMasked = true;
  const masked = Buffer.from(bytes);
  for (let at = 0; at < masked.length;) {
    const length = sequenceLength(masked, at);
    if (length === 0) masked[at] = substitute;
    at += length || 1;
  }
  return masked;
}

/** The length of the valid sequence at `at`, or 0. Table 3-7 of the Unicode standard. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let next = at + 2; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** So many bytes are shown to an engine at once: a few hundred microseconds of search, a few megabytes of answer at worst. */
export const PIECE_BYTES: number = 256 * 1024;

/** The bytes in pieces that end behind a line end. */
export function* pieces(bytes: Buffer): Generator<readonly [at: number, piece: Buffer], void, undefined> {
  for (let from = 0; from < bytes.length;) {
    const cut = bytes.length - from > PIECE_BYTES ? bytes.indexOf(NEWLINE, from + PIECE_BYTES) : -1;
    const to = cut < 0 ? bytes.length : cut + 1;
    yield [from, bytes.subarray(from, to)];
    from = to;
  }
}
