/**
 * Says where bytes stop being UTF-8, so that a refusal can name the place. Only asked after a strict decoder has said
 * no, so it may be slower than the decoder, but it must agree with it: no overlong forms, no surrogates, nothing above
 * U+10FFFF (Unicode 16, table 3-7).
 *
 * Usual mistake: naming the byte at which the reader gave up instead of the first byte of the bad sequence.
 */

/** Offset of the first byte of the first ill-formed sequence; -1 when there is none. */
export function findInvalidUtf8(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    if (byteAt(bytes, at) < 0x80) at += 1;
    else {
      const length = sequenceLength(bytes, at);
      if (length === 0) return at;
      at += length;
    }
  }
  return -1;
}

function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = byteAt(bytes, at);
  const second = byteAt(bytes, at + 1);
  if (lead >= 0xc2 && lead <= 0xdf) return isTail(second) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const low = lead === 0xe0 ? 0xa0 : 0x80;
    const high = lead === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && isTail(byteAt(bytes, at + 2)) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const low = lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) return 0;
    return isTail(byteAt(bytes, at + 2)) && isTail(byteAt(bytes, at + 3)) ? 4 : 0;
  }
  return 0;
}

function isTail(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Past the end reads as 0, which no multi-byte sequence accepts. */
function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
