/**
 * Whether case matters. Smart case, as ripgrep: it does not when the pattern holds a letter and no upper-case one;
 * classes such as `\W` or `\p{Lu}` and names of groups are not letters of the pattern.
 */
import type { MatcherOptions } from "./matcher.ts";

export function isInsensitive({
  pattern,
  case: asked,
  literal,
}: Pick<MatcherOptions, "pattern" | "case" | "literal">): boolean {
  if (asked !== "smart") return asked === "insensitive";
  const letters = literal ? pattern : pattern.replaceAll(NOT_LETTERS, "");
  return /\p{L}/u.test(letters) && !/\p{Lu}/u.test(letters);
}

const NOT_LETTERS =
  /\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\x..|\\u.{4}|\\b\{[a-z-]*\}|\\.|\(\?P?<[^>]*>|\(\?[a-zA-Z-]*[:)]/gsu;
