/**
 * `{a..e}` and `{1..12}`, `{01..12}`: the letters, or the numbers with as many digits, between the two. Ranges of more
 * than anybody counts are no ranges.
 */
import { inAnyCase } from "./fold-case.ts";
import type { CharacterTest, PatternNode } from "./pattern-node.ts";

export const MAX_NUMBERS = 1000;

/** @param text between the braces. @param room for how many numbers. `undefined` for what is no range */
export function expandRange(text: string, room: number, ignoreCase: boolean): PatternNode | undefined {
  const ends = text.length > MAX_CHARS ? undefined : /^([^,.\\{}()[\]]+)\.\.([^,.\\{}()[\]]+)$/.exec(text);
  const [, from = "", to = ""] = ends ?? [];
  if (!ends) return undefined;
  const [a, b] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
  if (isOne(from) && isOne(to)) {
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const holds: CharacterTest = (point) => low <= point && point <= high;
    return { kind: "one", holds: ignoreCase ? inAnyCase(holds) : holds };
  }
  if (!/^\d+$/.test(from) || !/^\d+$/.test(to)) return undefined;
  const [low, high] = [Math.min(Number(from), Number(to)), Math.max(Number(from), Number(to))];
  if (high - low >= room) return undefined;
  const width = from.startsWith("0") || to.startsWith("0") ? Math.max(from.length, to.length) : 0;
  const numbers = Array.from({ length: high - low + 1 }, (_, index) =>
    String(low + index).padStart(width, "0"),
  );
  return { kind: "choice", choices: numbers.map((one) => [{ kind: "text", text: one }]) };
}

/** Two numbers that JavaScript counts exactly. */
const MAX_CHARS = 32;

function isOne(text: string): boolean {
  return text === String.fromCodePoint(text.codePointAt(0) ?? 0);
}
