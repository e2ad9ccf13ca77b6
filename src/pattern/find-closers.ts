/**
 * Which parenthesis, brace and bracket closes which, known before anything is read, so that nothing is read twice. What crosses
 * another pair is closed with it and stays literal; so does what is nested deeper than anybody writes.
 */
import { classEnd } from "./character-class.ts";

/** Every reader of a pattern calls itself for each level. */
const MAX_DEPTH = 64;

/** From the place of the opening sign to that of the closing one. */
export function findClosers(text: string): ReadonlyMap<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  const counts = { "(": 0, "{": 0 };
  let hasClasses = true;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") at++;
    else if (sign === "[" && hasClasses) {
      const close = classEnd(text, at);
      // Where one finds no end none behind it does.
      if (close < 0) hasClasses = false;
      else {
        closers.set(at, close);
        at = close;
      }
    } else if (sign === "(" || sign === "{") {
      open.push(at);
      counts[sign]++;
    } else if (sign === ")" || sign === "}") {
      const wanted = sign === ")" ? "(" : "{";
      while (counts[wanted] > 0) {
        const from = open.pop() ?? 0;
        const found = text[from] === "(" ? "(" : "{";
        counts[found]--;
        if (found !== wanted) continue;
        if (open.length < MAX_DEPTH) closers.set(from, at);
        break;
      }
    }
  }
  return closers;
}
