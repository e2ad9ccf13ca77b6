/**
 * Cuts text to a number of UTF-8 bytes, between code points. Invariant: the result is a prefix of the input and never
 * longer than asked.
 *
 * Usual mistake: cutting the encoded bytes and decoding what is left, which ends in U+FFFD.
 */

export interface Truncated {
  readonly text: string;
  readonly truncated: boolean;
  /** Of the whole input. */
  readonly totalBytes: number;
}

export function truncateUtf8(text: string, maxBytes: number): Truncated {
  const totalBytes = Buffer.byteLength(text);
  if (totalBytes <= maxBytes) return { text, truncated: false, totalBytes };
  return { text: text.slice(0, unitsThatFit(text, maxBytes)), truncated: true, totalBytes };
}

function unitsThatFit(text: string, maxBytes: number): number {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    bytes += utf8Length(point);
    if (bytes > maxBytes) return at;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

/** A lone surrogate counts as the three bytes of U+FFFD, as `Buffer.byteLength` counts it. */
function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
