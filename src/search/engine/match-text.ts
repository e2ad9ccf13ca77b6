/**
 * The text of a line as an answer shows it: decoded, its line end left out, and when it is too long cut around the match
 * between characters.
 */
import { limits } from "../../base/index.ts";

export interface ShownText {
  readonly text: string;
  readonly isCut: boolean;
}

/** What stands before the match in a cut line. */
const LEAD_BYTES = 256;

/** @param isWhole `bytes` is the whole line, not a part of a longer one */
export function showLine(bytes: Buffer, match: number, isWhole = true): ShownText {
  const isEnded = isWhole && bytes.at(-1) === CARRIAGE_RETURN;
  return showPart(isEnded ? bytes.subarray(0, -1) : bytes, match, isWhole);
}

/** The same for a part of a line, which has no end to leave out. */
export function showPart(bytes: Buffer, match: number, isWhole = true): ShownText {
  const { length } = bytes;
  if (isWhole && length <= limits.MAX_GREP_LINE_BYTES)
    return { text: bytes.toString("utf8", 0, length), isCut: false };
  const from = characterStart(
    bytes,
    Math.max(0, Math.min(match - LEAD_BYTES, length - limits.MAX_GREP_LINE_BYTES)),
  );
  const to = characterStart(bytes, Math.min(length, from + limits.MAX_GREP_LINE_BYTES));
  return { text: bytes.toString("utf8", from, to), isCut: true };
}

const CARRIAGE_RETURN = 13;

/** Back to the first byte of the character at `at`; at most three steps, because the bytes may not be UTF-8. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && start > at - 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
