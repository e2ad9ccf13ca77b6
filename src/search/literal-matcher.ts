/**
 * A search for exact bytes, by `Buffer.indexOf` (about 7 GB/s). UTF-8 needles cannot match in the middle of a character,
 * so no decoding is needed, and files that are not UTF-8 are searched exactly.
 */
import { NEWLINE, type Matcher } from "./matcher.ts";

/** The needle is not empty. */
export function createLiteralMatcher(needle: Buffer): Matcher {
  return {
    engine: "literal",
    lineHits: (bytes) => lineHits(bytes, needle),
    spans: (bytes) => spans(bytes, needle),
    [Symbol.dispose]: () => {},
  };
}

function lineHits(bytes: Buffer, needle: Buffer): number[] {
  const hits: number[] = [];
  for (let at = bytes.indexOf(needle); at >= 0;) {
    hits.push(at, at + needle.length);
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) break;
    at = bytes.indexOf(needle, end + 1);
  }
  return hits;
}

function spans(bytes: Buffer, needle: Buffer): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length))
    found.push(at, at + needle.length);
  return found;
}
