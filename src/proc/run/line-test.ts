/**
 * Whether a line has what a regular expression describes, in linear time. Our engine matches whole strings, so each
 * alternative is wrapped in `.*`, unless it is anchored by `^` or `$`.
 */
import { compileExpression } from "../../pattern/index.ts";

export type OutputLineTest = (line: string) => boolean;

/** @throws Failure `invalid_input`, `unsupported` for an expression that cannot be matched in linear time */
export function lineTest(pattern: string): OutputLineTest {
  // Said of the expression as it came.
  if (!isExpression(pattern)) compileExpression(pattern);
  const expression = compileExpression(alternativesOf(pattern).map(within).join("|"));
  return (line) => expression.matches(line) === true;
}

function isExpression(pattern: string): boolean {
  try {
    void new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

function within(alternative: string): string {
  const isFirst = alternative.startsWith("^");
  const isLast = /(?<!\\)(?:\\\\)*\$$/.test(alternative);
  const inner = alternative.slice(isFirst ? 1 : 0, isLast ? -1 : undefined);
  return `${isFirst ? "" : ".*"}(?:${inner})${isLast ? "" : ".*"}`;
}

/** What stands between the `|` that are in no group and in no class. */
function alternativesOf(pattern: string): string[] {
  const found = [""];
  let depth = 0;
  let isInClass = false;
  for (const [part] of pattern.matchAll(/\\.|[^]/gu)) {
    if (part === "[") isInClass = true;
    else if (part === "]") isInClass = false;
    else if (!isInClass && part === "(") depth++;
    else if (!isInClass && part === ")") depth--;
    if (part === "|" && depth === 0 && !isInClass) found.push("");
    else found[found.length - 1] += part;
  }
  return found;
}
