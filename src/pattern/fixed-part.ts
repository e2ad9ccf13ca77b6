/**
 * What a pattern says in plain text: before its first sign, so that nothing lies elsewhere that it matches, and where a text
 * is to be a part of it.
 */
import { foldText } from "./pattern-text.ts";

/** The text before the first sign; all of a pattern without signs. */
export function fixedPart(pattern: string): string {
  const sign = pattern.search(/[\\*?[\]{}()!+@]/);
  return sign < 0 ? pattern : pattern.slice(0, sign);
}

/** The text as a pattern that means this text and nothing else. */
export function plainPattern(text: string): string {
  return text.replaceAll(/[\\*?[\]{}()!+@|,]/g, String.raw`\$&`);
}

/** Whether an absolute pattern could match anything in a directory: no is sure. @param directory absolute. Case tells nothing apart */
export function canLieIn(pattern: string, directory: string): boolean {
  const top = foldText(directory.endsWith("/") ? directory : `${directory}/`);
  const fixed = fixedPart(pattern);
  const text = foldText(fixed === pattern ? `${fixed}/` : fixed);
  return top.startsWith(text) || text.startsWith(top);
}
