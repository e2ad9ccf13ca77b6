/**
 * A key that stands twice in one object of a JSON text. Parsers take the last one in silence, so that a file would not say
 * what a reader of its first lines believes, of `mode` or `deny` for instance.
 */

/** Comments, texts and signs; numbers and words are of no interest. */
const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

export interface RepeatedKey {
  readonly key: string;
  /** Of the second one, from 1. */
  readonly line: number;
}

/** @param text that a parser has accepted */
export function findRepeatedKey(text: string): RepeatedKey | undefined {
  /** Keys so far of the objects that are open; of a list `undefined`. */
  const open: (Set<string> | undefined)[] = [];
  let last = "";
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token.startsWith('"')) last = token;
    else if (token === ":") {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return { key, line: text.slice(0, index).split("\n").length };
      keys?.add(key);
    }
  }
  return undefined;
}
