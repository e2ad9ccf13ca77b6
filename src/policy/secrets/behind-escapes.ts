/**
 * Secrets that stand behind escapes which JSON allows and does not need: `\/`, as PHP writes every slash, and `\u002B`, as .NET
 * writes a plus. They are looked for in the text as its reader has it, and what is found is replaced with its escapes; every other
 * sign stays as it is written. A text of JSON stays one, because no run of backslashes is cut.
 */

/** In JSON inside of a text of JSON, the backslashes are escaped themselves. Each run of them is looked at once. */
const ESCAPES = /(?<!\\)\\+(?:\/|u00([2-7][0-9a-fA-F]))/g;
/** Stands for a sign that is hidden, so that nothing moves while more is looked for; no text has it. */
const HIDDEN = "\uffff";
const HIDDEN_RUN = /\uffff+/g;

type Replace = (secret: string) => string;

/** Quick to find out, and nearly every text has none. */
export function mayHaveEscapes(text: string): boolean {
  return text.includes("\\/") || text.includes("\\u00");
}

/**
 * @param hide replaces what is a secret by what it is told to
 * @param put gives what comes in the place of a secret, which it is told without its escapes
 */
export function hideBehindEscapes(
  text: string,
  hide: (text: string, replace: Replace) => string,
  put: Replace,
): string {
  // Numbers only, because a text may have a million of them.
  const [begins, widths]: [number[], number[]] = [[], []];
  const plain = text.replaceAll(HIDDEN, " ").replaceAll(ESCAPES, (escape, hex: string | undefined, at: number) => {
    begins.push(at);
    widths.push(escape.length);
    return hex === undefined ? "/" : String.fromCharCode(Number.parseInt(hex, 16));
  });
  const hidden = hide(plain, (secret) => HIDDEN.repeat(secret.length));
  let [next, more] = [0, 0];
  /** Where a sign of the plain text begins in the text; asked in ascending order. */
  const originOf = (at: number): number => {
    for (; (begins[next] ?? Infinity) < at + more; next++) more += (widths[next] ?? 1) - 1;
    return at + more;
  };
  let out = "";
  let kept = 0;
  for (const { 0: found, index } of hidden.matchAll(HIDDEN_RUN)) {
    out += text.slice(kept, originOf(index)) + put(plain.slice(index, index + found.length));
    kept = originOf(index + found.length);
  }
  return out + text.slice(kept);
}
