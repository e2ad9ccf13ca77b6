/**
 * Words of a failure or a proposal that the text of its result has already. Several clients hand all of a result to a model,
 * `_meta` too, so `_meta` gives such words by their place in the text, `[start, end]` as of `String.slice`. Data stays as
 * it is: codes, ids, paths, numbers, and the rule that a program hands back.
 */

/** The members that are words, wherever they stand. */
const WORDS: ReadonlySet<string> = new Set(
  "message hint reason diff text suggested_rule summary warnings".split(" "),
);

/** @param text the first text of the result */
export function wordsByPlace(text: string, value: unknown, name = ""): unknown {
  if (typeof value === "string") {
    // A code may be a word of the text as well.
    const isData = !WORDS.has(name) || value === "" || (name === "reason" && !value.includes(" "));
    const at = isData ? -1 : text.indexOf(value);
    return at < 0 ? value : [at, at + value.length];
  }
  return mapMembers(value, name, (one, key) => wordsByPlace(text, one, key));
}

/** The way back. */
export function wordsFrom(text: string, value: unknown, name = ""): unknown {
  const [start, end] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  if (WORDS.has(name) && typeof start === "number" && typeof end === "number") return text.slice(start, end);
  return mapMembers(value, name, (one, key) => wordsFrom(text, one, key));
}

/** Elements of a list go by the name of the list. */
function mapMembers(value: unknown, name: string, map: (one: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => map(one, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one, key)]));
}
