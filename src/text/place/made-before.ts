/**
 * Whether a change that cannot be made now was made before: the reply to an earlier call may have been lost, and then the call
 * is sent again. Its result stands there once and what it replaced is gone.
 *
 * Old text that is only misspelled is gone too, and its new text may stand there for another reason. So the new text counts for
 * nothing where it is short, or a part of the old one, which stays there whatever becomes of the rest; and where something like
 * the lines that should be gone still stands besides it, between the same beginning and end. What both texts begin and end with
 * is spelled right, since it stands there with the new text; so lines between others are not the ones that were meant. A change
 * that is refused by mistake costs a look at the file, and one that is taken for made is lost.
 */
import { findOccurrences } from "../lines/lines.ts";
import { findNearestText } from "./nearest-text.ts";

/** Characters besides blanks; shorter text stands in a file by chance. */
const MIN_TELLING_CHARS = 4;

/** Whether the lines hold enough text that they do not stand in a file by chance. */
export function isTellingText(lines: readonly string[]): boolean {
  let count = 0;
  return lines.some((line) => (count += line.replace(/\s+/g, "").length) >= MIN_TELLING_CHARS);
}

/** Both with LF only. */
interface Replaced {
  readonly oldText: string;
  readonly newText: string;
}

/** Whether the new text, where it stands, can tell that this change was made. */
export function tellsOfChange({ oldText, newText }: Replaced): boolean {
  return isTellingText([newText]) && !oldText.includes(newText.trim());
}

/** Tells whoever sends a change again that it need not be repaired. */
export function tellOfResult(what: "edit" | "hunk", line: number): string {
  return ` The new text stands at line ${line}: leave the ${what} out if it was made before.`;
}

/** @returns where the new text stands, if that is its only place and can be the result of this change */
export function findResult(flat: string, change: Replaced): number | undefined {
  if (!tellsOfChange(change)) return undefined;
  const [start, another] = findOccurrences(flat, change.newText, 2, true);
  return another === undefined ? start : undefined;
}

/**
 * Whether nothing like the lines that the changes take away stands besides their results, each of which is there once. It costs
 * some passes over the text for each change.
 */
export function areGone(flat: string, changes: readonly (Replaced & { readonly start: number })[]): boolean {
  const rest = withoutResults(flat, changes);
  return changes.every(({ oldText, newText }) => {
    const kept = new Set(newText.split("\n"));
    const gone = oldText.split("\n").filter((line) => !kept.has(line));
    if (gone.length === 0 || !hasFrame(rest, oldText, newText)) return true;
    return findNearestText(rest, gone.join("\n")) === undefined;
  });
}

/** Whether what both texts begin with stands there, and behind it what both end with. */
function hasFrame(rest: string, oldText: string, newText: string): boolean {
  const shorter = Math.min(oldText.length, newText.length);
  let head = 0;
  while (head < shorter && oldText[head] === newText[head]) head++;
  let tail = 0;
  while (tail < shorter - head && oldText.at(-1 - tail) === newText.at(-1 - tail)) tail++;
  const start = rest.indexOf(oldText.slice(0, head));
  return start !== -1 && rest.indexOf(oldText.slice(oldText.length - tail), start + head) !== -1;
}

function withoutResults(
  flat: string,
  results: readonly { readonly newText: string; readonly start: number }[],
): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { newText, start } of [...results].sort((a, b) => a.start - b.start)) {
    parts.push(flat.slice(kept, Math.max(kept, start)));
    kept = Math.max(kept, start + newText.length);
  }
  return [...parts, flat.slice(kept)].join("\n");
}
