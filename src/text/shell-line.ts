/**
 * A program and its arguments as a line that a shell would read as exactly that program and those arguments: plain words
 * stand as they are, so that a rule can name them, and everything that a shell could read as something else is quoted.
 */
import { shellQuote } from "./show-text.ts";

/** @param words the program first */
export function shellLine([program = "", ...args]: readonly string[]): string {
  const first = PROGRAM.test(program) && !KEYWORDS.has(program) ? program : shellQuote(program);
  return [first, ...args.map((word) => (ARGUMENT.test(word) ? word : shellQuote(word)))].join(" ");
}

/** Without `=`, which would make it an assignment. */
const PROGRAM = /^[\w@%+:,./-]+$/;
const ARGUMENT = /^[\w@%+=:,./-]+$/;
/** What begins a compound command of bash. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "case coproc do done elif else esac fi for function if in select then time until while".split(" "),
);
