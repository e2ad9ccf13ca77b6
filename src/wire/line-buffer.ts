/**
 * The bytes of one unfinished line, in one block that grows as needed. A list of chunks would also be joined only
 * once, but a peer that writes one byte at a time would cost a hundred bytes of bookkeeping for each of them, and a
 * short rest would keep its whole chunk alive.
 *
 * `bytes()` is a view, good until the next `add` or `clear`.
 */

interface LineBuffer {
  readonly length: number;
  add(part: Uint8Array): void;
  bytes(): Uint8Array;
  clear(): void;
}

/** One chunk of a pipe; a block of this size is kept between lines. */
const SMALL_BYTES: number = 64 * 1024;
/** Fewer copies than doubling, and never more than `maxBytes` in the end. */
const GROWTH = 4;

/** `maxBytes` must not be exceeded by the caller; it bounds the growth. */
export function createLineBuffer(maxBytes: number): LineBuffer {
  let block: Uint8Array = new Uint8Array(0);
  let length = 0;

  function grow(needed: number): void {
    const size = Math.max(needed, Math.min(Math.max(block.length * GROWTH, SMALL_BYTES), maxBytes));
    // Not zeroed, which halves the cost of a large line: only bytes that were written are ever shown.
    const larger = Bun.allocUnsafe(size);
    larger.set(block.subarray(0, length));
    block = larger;
  }

  return {
    get length(): number {
      return length;
    },
    add(part: Uint8Array): void {
      if (length + part.length > block.length) grow(length + part.length);
      block.set(part, length);
      length += part.length;
    },
    bytes: () => block.subarray(0, length),
    clear(): void {
      length = 0;
      if (block.length > SMALL_BYTES) block = new Uint8Array(0);
    },
  };
}
