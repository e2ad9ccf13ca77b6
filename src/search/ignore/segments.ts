/**
 * A pattern in the syntax of ignore files, cut into the segments that match one name each. A slash between square brackets is
 * a member of a class, where it stands for nothing, because a name has none; behind a backslash it is a slash all the same.
 *
 * Usual mistake: to cut at every slash. `[a/b]` would be two broken classes, and its rule would match nothing.
 */
import { endOfClass } from "./wildcard.ts";

export function splitSegments(pattern: string): string[] {
  const segments: string[] = [];
  let from = 0;
  let hasClasses = true;
  for (let at = 0; at < pattern.length;) {
    const end = hasClasses && pattern[at] === "[" ? endOfClass(pattern, at) : at;
    // Where one finds no end none behind it does.
    if (end === undefined) hasClasses = false;
    if (end !== undefined && end > at) {
      at = end;
      continue;
    }
    const isEscape = pattern[at] === "\\";
    const slash = isEscape ? at + 1 : at;
    if (pattern[slash] === "/") {
      segments.push(pattern.slice(from, at));
      from = slash + 1;
    }
    at = slash + 1;
  }
  return [...segments, pattern.slice(from)];
}
