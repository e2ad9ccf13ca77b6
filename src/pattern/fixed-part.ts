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

/** The plain text that a pattern means where nothing but escapes are its signs; `undefined` for every other one. */
export function plainTextOf(pattern: string): string | undefined {
  const { text, isWhole } = plainBeginning(pattern);
  return isWhole ? text : undefined;
}

/** As `fixedPart`, with what is escaped as the text that it means. */
function plainBeginning(pattern: string): { readonly text: string; readonly isWhole: boolean } {
  const [own = ""] = /^(?:[^\\*?[\]{}()!+@]|\\[^])*/.exec(pattern) ?? [];
  return { text: own.replaceAll(/\\([^])/g, "$1"), isWhole: own === pattern };
}

/** Whether an absolute pattern could match anything in a directory: no is sure. @param directory absolute. Case tells nothing apart */
export function canLieIn(pattern: string, directory: string): boolean {
  const top = foldText(directory.endsWith("/") ? directory : `${directory}/`);
  const fixed = plainBeginning(pattern);
  const text = foldText(fixed.isWhole ? `${fixed.text}/` : fixed.text);
  return top.startsWith(text) || text.startsWith(top);
}
