/**
 * Gives new text the line ends of the place it goes to. Lines that the new text keeps at the end of the region keep
 * their very endings; line i of the others takes that of line i there; what is left over takes its neighbour's. A file
 * without any line end has nothing to say, and the new text stays as it came.
 *
 * Usual mistake: taking the ending of the file's first line, which flips lines in files with mixed endings.
 */
import { ANY_ENDING, endingNear, withEnding, type LineEnding } from "./line-endings.ts";

/** `start` and `end` bound the region of the file's text that `newText` replaces. */
export type EndingFitter = (start: number, end: number, newText: string) => string;

/** Looks the text over once, because an edit may have 100 000 regions. */
export function createEndingFitter(text: string): EndingFitter {
  const hasLf = text.includes("\n");
  const hasCr = text.includes("\r");
  if (!hasLf && !hasCr) return (_start, _end, newText) => newText;
  if (!hasLf) return (_start, _end, newText) => withEnding(newText, "\r");
  if (!hasCr) return (_start, _end, newText) => withEnding(newText, "\n");
  return (start, end, newText) => (/[\r\n]/.test(newText) ? fit(text, start, end, newText) : newText);
}

function fit(text: string, start: number, end: number, newText: string): string {
  const region = text.slice(start, end);
  const oldLines = region.split(ANY_ENDING);
  const oldEndings = region.match(EVERY_ENDING) ?? [];
  const newLines = newText.split(ANY_ENDING);
  const rest = neighbour(text, start, end);
  const tail = sharedTail(oldLines, newLines);
  const parts: string[] = [];
  for (const [index, line] of newLines.entries()) {
    parts.push(line);
    if (index === newLines.length - 1) break;
    const isTail = index >= newLines.length - tail;
    const oldIndex = isTail ? index + oldLines.length - newLines.length : index;
    // A new line may not take the ending of a line that the tail keeps.
    const isLeftOver = !isTail && index >= oldLines.length - tail;
    parts.push((isLeftOver ? undefined : oldEndings[oldIndex]) ?? rest);
  }
  return parts.join("");
}

const EVERY_ENDING = /\r\n|\n|\r/g;

/** The ending of the line in which the region stops; its own last one when it stops with a line's end. */
function neighbour(text: string, start: number, end: number): LineEnding {
  const last = end > start ? text[end - 1] : undefined;
  if (last === "\r") return "\r";
  if (last !== "\n") return endingNear(text, end);
  return text[end - 2] === "\r" ? "\r\n" : "\n";
}

function sharedTail(a: readonly string[], b: readonly string[]): number {
  const max = Math.min(a.length, b.length);
  let count = 0;
  while (count < max && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}
