/**
 * When nothing matches: small changes of the call that people and models often mean. Each is only named when a short
 * search with it finds something, so that a hint is never a guess; that something is a glob is told by its look.
 */
import type { GrepTotals } from "./grep-answer.ts";
import type { GrepOptions, GrepPlan } from "./grep-options.ts";
import { looksLikeGlob } from "../engine/pattern-failure.ts";

interface OtherCall {
  /** As it is said to the caller. */
  readonly words: string;
  readonly change: Partial<GrepOptions>;
}

/** The likeliest first. */
export function otherCalls(plan: GrepPlan, totals: GrepTotals): OtherCall[] {
  const { pattern, literal } = plan;
  const classes = literal ? pattern : bracketBareClasses(pattern);
  const calls: OtherCall[] = [];
  if (classes !== pattern)
    calls.push({ words: `pattern: ${JSON.stringify(classes)}`, change: { pattern: classes } });
  if (!literal && /[\\^$.|?*+()[\]{}]/.test(pattern))
    calls.push({ words: "literal: true", change: { literal: true } });
  if (plan.word) calls.push({ words: "word: false", change: { word: false } });
  if (plan.line) calls.push({ words: "line: false", change: { line: false } });
  if (plan.case !== "insensitive" && /\p{L}/u.test(pattern))
    calls.push({ words: 'case: "insensitive"', change: { case: "insensitive" } });
  if (totals.hidden > 0) calls.push({ words: "hidden: true", change: { hidden: true } });
  if (totals.ignored > 0) calls.push({ words: "no_ignore: true", change: { no_ignore: true } });
  return calls;
}

/**
 * A named class that stands in no brackets of its own is a set of the letters of its name. One pass: to look back from each
 * class for its bracket would take the square of the pattern's length.
 */
function bracketBareClasses(pattern: string): string {
  let isInBrackets = false;
  return pattern.replaceAll(/\[:\^?[a-z]+:\]|[[\]]/g, (part) => {
    if (part.length > 1) return isInBrackets ? part : `[${part}]`;
    isInBrackets = part === "[";
    return part;
  });
}

/** @param found a file that the other call finds something in */
export function otherCallHint({ words }: OtherCall, found: string): string {
  return `Nothing matches; with ${words} something would, for example in "${found}".`;
}

export function globHint({ pattern, literal }: GrepPlan): string | undefined {
  if (literal || !looksLikeGlob(pattern)) return undefined;
  return `Nothing matches, and the pattern looks like a glob: give it as include: [${JSON.stringify(pattern)}], or use glob.`;
}
