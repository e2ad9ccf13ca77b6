/**
 * Whether case matters. Smart case, as ripgrep: it does not when the pattern holds a literal character and no upper-case
 * one; classes such as `\W` or `\p{Lu}` and names of groups are no characters of the pattern.
 */
import type { MatcherOptions } from "./matcher.ts";

export function isInsensitive({
  pattern,
  case: asked,
  literal,
}: Pick<MatcherOptions, "pattern" | "case" | "literal">): boolean {
  if (asked !== "smart") return asked === "insensitive";
  const characters = literal ? pattern : pattern.replaceAll(SYNTAX, charactersOf);
  return characters !== "" && !/\p{Uppercase}/u.test(characters);
}

/** What is not a character that stands for itself: code points and escapes first, then what stands for no character. */
const SYNTAX =
  /\\(?:x(?<x>[0-9a-f]{2})|u(?<u>[0-9a-f]{4})|U(?<U>[0-9a-f]{8})|[xu]\{(?<hex>[0-9a-f]+)\})|\\[pP](?:\{[^}]*\}|.)|\\b\{[a-z-]*\}|\\[dswbaz<>]|\\(?<sign>.)|\(\?P?<[^>=!][^>]*>|\(\?[a-z-]*[:)]|\[:\^?[a-z]+:\]|\[\^?(?<members>\]?[^\][\\]*)\]|\{[\d, ]*\}|[.^$|()[\]*+?]/gisu;

function charactersOf(token: string): string {
  const {
    x,
    u,
    U,
    hex = x ?? u ?? U,
    sign,
    members = "",
  } = new RegExp(SYNTAX.source, "isu").exec(token)?.groups ?? {};
  return hex === undefined
    ? (sign ?? members)
    : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff));
}
