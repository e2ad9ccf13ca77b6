/**
 * Why a pattern cannot be used, with where and with the nearest way out. The engine's message has three parts: the
 * pattern, carets under the place, and the reason.
 */
import { Failure } from "../base/index.ts";
import { quotable } from "../scope/index.ts";

export function patternFailure(pattern: string, message: string): Failure {
  const reason =
    /^error: (.*)$/m.exec(message)?.[1] ?? message.split("\n")[0] ?? "it is not a regular expression";
  const caret = /^( *)\^+ *$/m.exec(message)?.[1];
  // The engine indents by four; patterns of several lines are numbered instead, and then only the reason is given.
  const column = caret !== undefined && !pattern.includes("\n") ? caret.length - 4 : undefined;
  const where = column === undefined || column < 0 ? "" : ` at character ${column + 1}`;
  const isUnsupported = /look-around|backreferences/.test(reason);
  return new Failure(
    isUnsupported ? "unsupported" : "invalid_input",
    `Cannot search for "${quotable(pattern)}": ${reason}${where}`,
    {
      hint: hintFor(pattern, reason),
      retry: "changed",
      ...(column === undefined ? {} : { details: { column: column + 1 } }),
    },
  );
}

export function lineFeedFailure(pattern: string): Failure {
  return new Failure(
    "invalid_input",
    `Cannot search for "${quotable(pattern)}": it asks for a line feed, and lines hold none`,
    {
      hint: "Pass multiline: true to match across lines.",
    },
  );
}

function hintFor(pattern: string, reason: string): string {
  if (/look-around/.test(reason))
    return "Search for the part without (?=, (?!, (?<= or (?<! and check the lines around with context, or search twice.";
  if (/backreferences/.test(reason))
    return "Write the repeated part out, or search for the first half and compare the lines.";
  if (/size limit/.test(reason)) return "Make the repetition counts smaller.";
  if (looksLikeGlob(pattern))
    return `That looks like a glob: give it as include: [${JSON.stringify(pattern)}], or use glob.`;
  if (/group|parenthes/.test(reason)) return 'Write a literal parenthesis as "\\(", or pass literal: true.';
  if (/repetition|decimal/.test(reason) && pattern.includes("{"))
    return 'Write a literal brace as "\\{", or pass literal: true.';
  if (/repetition/.test(reason))
    return 'Write a literal *, + or ? with "\\" before it, or pass literal: true.';
  if (/class/.test(reason)) return 'Write a literal bracket as "\\[", or pass literal: true.';
  if (/escape/.test(reason)) return 'Write a literal backslash as "\\\\", or pass literal: true.';
  return "Pass literal: true to search for the text as it stands.";
}

function looksLikeGlob(pattern: string): boolean {
  return /^\*\*?\/|^\*\.\w+$|^\*\.\{[\w,]+\}$|^\{[\w.,*]+\}$/.test(pattern);
}
