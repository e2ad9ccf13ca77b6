/**
 * Bytes of an open file by position. Invariant: never more than asked and never past what is there, so a file that
 * grows or shrinks meanwhile neither fails nor loops; a shorter answer means that the file ended.
 *
 * Usual mistake: trusting one `readSync` to fill the buffer; network file systems and signals give less.
 */
import { readSync } from "node:fs";

/** Fills as much of `target` as the file has from `position` on; returns the filled part. */
export function readInto(fd: number, target: Buffer, position: number): Buffer {
  let filled = 0;
  while (filled < target.length) {
    const got = readSync(fd, target, filled, target.length - filled, position + filled);
    if (got === 0) break;
    filled += got;
  }
  return filled === target.length ? target : target.subarray(0, filled);
}

/** Its own memory, so that it may be kept; not zeroed, because only the filled part is returned. */
export function readRange(fd: number, position: number, length: number): Buffer {
  return readInto(fd, Buffer.allocUnsafe(length), position);
}
