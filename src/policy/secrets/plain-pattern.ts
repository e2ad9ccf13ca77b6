/**
 * A regular expression as the words that it looks for: `[Pp]assw(?:or)?d\s*=` is `Password =`. What can be many things is `ANY`.
 * Nothing is parsed: whoever wants to hide a word from this can, and what is usual is seen.
 *
 * Every piece of the pattern is looked at once and has a greatest length, so the time grows with the pattern and no faster.
 */

/** Stands for any sign, or for several; no text has it. */
export const ANY = "\uE000";

const HEX = /\\(?:x([0-9a-f]{2})|x\{([0-9a-f]{1,6})\}|u([0-9a-f]{4}))/gi;

/** In this order: comments and openings of groups, classes, properties, escapes, what repeats any sign, other repetitions. */
const PIECES = new RegExp(
  [
    String.raw`\(\?#[^)]{0,200}\)`,
    String.raw`\(\?(?:[a-zA-Z-]{0,8}[:)]|P?<\w{1,32}>|<?[=!]|>)`,
    String.raw`\[(?<set>\^?\]?(?:\\[^]|\[:\^?\w{1,10}:\]|[^\]\\]){0,64})\]`,
    String.raw`(?<property>\\[pP](?:\{[^}]{0,40}\}|\w))`,
    String.raw`\\(?<escaped>[^])`,
    String.raw`(?<any>\.(?:[*+]|\{\d{0,6},?\d{0,6}\}))`,
    String.raw`(?<one>\.)`,
    String.raw`\{\d{0,6},?\d{0,6}\}|[()*+?]`,
  ].join("|"),
  "g",
);

interface Piece {
  readonly set?: string;
  readonly property?: string;
  readonly escaped?: string;
  readonly any?: string;
  readonly one?: string;
}

export function plainPattern(pattern: string): string {
  return pattern
    .replaceAll(HEX, (_, ...codes: (string | undefined)[]) => charOf(codes.slice(0, 3).find(Boolean) ?? ""))
    .replaceAll(PIECES, (...found: unknown[]) => plainPiece(found.at(-1) as Piece));
}

/** A sign of the syntax is one that an escape has made plain, so it begins nothing here. */
function charOf(hex: string): string {
  const code = Number.parseInt(hex, 16);
  const char = code <= 0x10ffff ? String.fromCodePoint(code) : ANY;
  return /[\w -]/.test(char) ? char : ANY;
}

function plainPiece({ set, property, escaped, any, one }: Piece): string {
  if (set !== undefined) return plainSet(set);
  if (escaped !== undefined) return plainEscape(escaped);
  if (property !== undefined || any !== undefined) return ANY;
  return one === undefined ? "" : " ";
}

function plainEscape(letter: string): string {
  if (/[stnrhfv]/.test(letter)) return " ";
  if (/[bBAzZGQEK<>]/.test(letter)) return "";
  return /[dDwWSXRNH]/.test(letter) ? ANY : letter;
}

/** One that could be a blank is a blank, one of a few signs the first of them. */
function plainSet(set: string): string {
  if (set.startsWith("^")) return ANY;
  if (/ |\\[sth]|\[:(?:space|blank):\]/.test(set)) return " ";
  if (/\\[dDwWSpP]|\[:|[^\\]-[^]/.test(set)) return ANY;
  return set.replace(/^\\/, "").charAt(0);
}
