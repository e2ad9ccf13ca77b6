/**
 * Words as a list in a sentence: `a, b and c`. `Intl.ListFormat` does the same, and takes several milliseconds of a start.
 */
export function joinWords(words: readonly string[]): string {
  const first = words.slice(0, -1).join(", ");
  const last = words.at(-1) ?? "";
  return first === "" ? last : `${first} and ${last}`;
}
