/**
 * Why a pattern cannot be used, with where and with the nearest way out. The engine's message has three parts: the
 * pattern, carets under the place, and the reason.
 */
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";

export function patternFailure(pattern: string, message: string): Failure {
  const reason = /^error: (.*)$/m.exec(message)?.[1] ?? message.split("\n")[0] ?? "it is not a regular expression";
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

/** The failure of a pattern in the backtracking engine, which gives the place as a number. */
export function backtrackingFailure(pattern: string, reason: string, at: number): Failure {
  return new Failure("invalid_input", `Cannot search for "${quotable(pattern)}": ${reason} at character ${at + 1}`, {
    hint: backtrackingHint(reason),
    retry: "changed",
    details: { column: at + 1 },
  });
}

function backtrackingHint(reason: string): string {
  if (/fixed length/.test(reason))
    return "Give every alternative of (?<=...) or (?<!...) a fixed length, or write what comes before as usual and \\K behind it.";
  if (/non-existent|reference/.test(reason))
    return "Groups are numbered from 1 in the order of their opening parentheses; (?:...) has no number.";
  if (/too large|too big|nested/.test(reason)) return "Make the repetition counts smaller.";
  if (/parenthes/.test(reason)) return PARENTHESIS_HINT;
  if (/quantifier/.test(reason)) return REPETITION_HINT;
  if (/class/.test(reason)) return BRACKET_HINT;
  return LITERAL_HINT;
}

const PARENTHESIS_HINT = 'Write a literal parenthesis as "\\(", or pass literal: true.';
const REPETITION_HINT = 'Write a literal *, + or ? with "\\" before it, or pass literal: true.';
const BRACKET_HINT = 'Write a literal bracket as "\\[", or pass literal: true.';
const LITERAL_HINT = "Pass literal: true to search for the text as it stands.";

/** A match took all the steps that it may. Whether there is one is not known, so there is no answer. */
export function spentFailure(pattern: string, path: string): Failure {
  return new Failure(
    "invalid_input",
    `Cannot search for "${quotable(pattern)}": a match in "${path}" takes more backtracking than it may`,
    {
      hint: "Repetitions inside of repetitions, as in (a*)*, can be matched in too many ways: write one of them, or make it possessive, as in (?:a+)++. Or leave the file out with exclude.",
      retry: "changed",
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
  if (/look-around|backreferences/.test(reason))
    return 'Leave engine: "rust" out: auto takes the engine that can do this.';
  if (/size limit/.test(reason)) return "Make the repetition counts smaller.";
  const known = FIXES.find(([construct]) => construct.test(pattern));
  if (known) return known[1];
  if (looksLikeGlob(pattern))
    return `That looks like a glob: give it as include: [${JSON.stringify(pattern)}], or use glob.`;
  if (/group|parenthes/.test(reason)) return PARENTHESIS_HINT;
  if (/repetition|decimal/.test(reason) && pattern.includes("{"))
    return 'Write a literal brace as "\\{", or pass literal: true.';
  if (/repetition/.test(reason)) return REPETITION_HINT;
  if (/invalid UTF-8/.test(reason))
    return "Leave (?-u) out: patterns match characters; search for bytes as literal text.";
  if (/property/.test(reason))
    return "Use a Unicode general category, script or property, for example \\p{L} or \\p{Greek}.";
  if (/flag/.test(reason)) return 'Flags are i, m, s, R, U, u and x; write a literal (? as "\\(\\?".';
  if (/class/.test(reason)) return BRACKET_HINT;
  if (/escape/.test(reason)) return 'Write a literal backslash as "\\\\", or pass literal: true.';
  return LITERAL_HINT;
}

/** What other engines have, or a slip of the pen, and what stands for it here; asked only of patterns that failed. */
const FIXES: readonly (readonly [construct: RegExp, hint: string])[] = [
  [/\\[gk]|\(\?P=/, `Leave engine: "rust" out: auto takes the engine that has references to groups.`],
  [/\(\?[>|]/, `Write (?:...), because nothing here backtracks, or pass engine: "backtracking".`],
  [/\(\?#/, "Leave the comment out, or write it as (?x) ... # comment."],
  [/\(\?\(/, `Write both branches as alternatives, or pass engine: "backtracking".`],
  [/\\Q/, "Pass literal: true in place of \\Q...\\E."],
  [/\\K/, `Leave \\K out and take the column and text of the match, or pass engine: "backtracking".`],
  [/\\h/, "Write [ \\t] in place of \\h."],
  [/\\R/, "Write \\r?\\n in place of \\R, with multiline: true."],
  [/\\Z/, "Write \\z or $ in place of \\Z."],
  [/\{,\d+\}/, "Write the lower bound: {0,3} in place of {,3}."],
  [/\[:\^?[a-z]+(?![a-z]|:\])/, "Write a named class as [[:alpha:]], with both colons inside its own brackets."],
];

/** Names and stars, such as `*.ts`, `src/*.ts` or `src/**` with names after it; no expression is written so. */
export function looksLikeGlob(pattern: string): boolean {
  return /^\*\*?\/|^(?:[\w.-]+\/)*\*\.(?:\w+|\{[\w,]+\})$|^[\w.-]+(?:\/[\w.*-]+)*\/\*\*(?:\/|$)|^\{[\w.,*]+\}$/.test(
    pattern,
  );
}
