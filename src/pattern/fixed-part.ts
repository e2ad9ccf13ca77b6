/**
 * What a pattern says before its first sign, and so where nothing can lie that it matches.
 */
import { foldText } from "./pattern-text.ts";

/** The text before the first sign; all of a pattern without signs. */
export function fixedPart(pattern: string): string {
  const sign = pattern.search(/[\\*?[\]{}()!+@]/);
  return sign < 0 ? pattern : pattern.slice(0, sign);
}

/** Whether an absolute pattern could match anything in a directory: no is sure. @param directory absolute. Case tells nothing apart */
export function canLieIn(pattern: string, directory: string): boolean {
  const top = foldText(directory.endsWith("/") ? directory : `${directory}/`);
  const fixed = fixedPart(pattern);
  const text = foldText(fixed === pattern ? `${fixed}/` : fixed);
  return top.startsWith(text) || text.startsWith(top);
}
