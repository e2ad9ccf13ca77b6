/**
 * A search for plain text without an engine, exact or with the case of ASCII letters ignored. UTF-8 needles cannot match
 * in the middle of a character, so no decoding is needed, and files that are not UTF-8 are searched exactly.
 */
import { NEWLINE, type Matcher } from "./matcher.ts";
import { sharedScanner, type Needle, type Scanner } from "../../text/index.ts";

/** The needle is not empty. */
export function createLiteralMatcher(needle: Needle): Matcher {
  const needles = [needle];
  const { length } = needle.bytes;
  const ready = (): Scanner => {
    const scanner = sharedScanner();
    scanner.load(needles);
    return scanner;
  };
  return {
    engine: "literal",
    spansLines: needle.bytes.includes(NEWLINE),
    mayMatch: (bytes) => ready().find(bytes, 0) >= 0,
    lineHits: (bytes) => linesOf(ready(), bytes).flatMap((at) => [at, at + length]),
    countLines: (bytes) => linesOf(ready(), bytes).length,
    spans: (bytes) => spans(ready(), bytes, length),
    [Symbol.dispose]: () => {},
  };
}

/** The first match of every line that has one. */
function linesOf(scanner: Scanner, bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = scanner.find(bytes, 0); at >= 0;) {
    starts.push(at);
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) break;
    at = scanner.find(bytes, end + 1);
  }
  return starts;
}

function spans(scanner: Scanner, bytes: Buffer, length: number): number[] {
  const found: number[] = [];
  for (let at = scanner.find(bytes, 0); at >= 0; at = scanner.find(bytes, at + length))
    found.push(at, at + length);
  return found;
}
