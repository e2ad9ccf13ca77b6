/**
 * Brings an answer in a form of the dialect under the bound of bytes that holds for all of its text, with its line numbers,
 * heads and escapes of JSON. Our answer is bounded before those are there, so what is made from it may be larger. Every cut
 * is between two characters, and says that it is one.
 *
 * Usual mistake: to cut a text of JSON, which nobody can read then; its members are cut before it is made.
 */
import { truncateUtf8 } from "../text/index.ts";

/** The last resort, for a text that says nothing of its own about what it leaves out. */
export function fitText(text: string, bytes: number): string {
  const total = Buffer.byteLength(text);
  if (total <= bytes) return text;
  const note = (shown: number): string => `\n[... output truncated: ${shown} of ${total} bytes shown ...]`;
  const { text: kept } = truncateUtf8(text, Math.max(0, bytes - note(total).length));
  return kept + note(Buffer.byteLength(kept));
}

/**
 * As many of the first lines as there is room for, and what is said about the others.
 * @param more with how many are shown @param isPart whether some were left out before
 */
export function fitLines(
  lines: readonly string[],
  bytes: number,
  more: (shown: number) => string,
  isPart: boolean,
): string {
  const whole = [...lines, ...(isPart ? [more(lines.length)] : [])].join("\n");
  if (Buffer.byteLength(whole) <= bytes) return whole;
  let left = bytes - Buffer.byteLength(more(lines.length));
  const kept: string[] = [];
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return [...kept, more(kept.length)].join("\n");
}

/** How many bytes a text has as a member of JSON, without its quotes. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The longest beginning of a text that has so many bytes as a member of JSON. */
export function headAsJson(text: string, bytes: number): string {
  return text.slice(
    0,
    unitsThatFit(text.length, (units) => jsonBytes(text.slice(0, units)) <= bytes),
  );
}

/** The longest end of such a text. */
export function tailAsJson(text: string, bytes: number): string {
  const units = unitsThatFit(text.length, (from) => jsonBytes(text.slice(text.length - from)) <= bytes);
  return text.slice(text.length - units);
}

/** Half a character outside of the first plane has more bytes as JSON than a whole one, so a cut is never inside of one. */
function unitsThatFit(length: number, fits: (units: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
