/**
 * What sticks to text that was copied from somewhere else: the line numbers that read tools and grep print before it, and
 * escapes of the string that it was sent in. Whoever takes one of these away has to find the rest in exactly one place,
 * and to say so.
 */

/** `  12<tab>`, `12→`, `12: `, `12:`, `12 | `, `12|`, `12-`. */
export const GUTTERS: readonly RegExp[] = [
  /^ *\d+\t/,
  /^ *\d+→/,
  /^ *\d+: /,
  /^ *\d+:/,
  /^ *\d+ ?\| /,
  /^ *\d+ ?\|/,
  /^ *\d+-/,
];

/** `\n`, `\t`, `\"`, `\'` and `\\` as what they stand for; `\r` is a line end, with or without `\n` behind it. */
export function unescapeOnce(text: string): string {
  return text.replace(/\\r\\n|\\([ntr"'\\])/g, (_, sign: string | undefined) => ESCAPES[sign ?? "n"] ?? "");
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\n",
  '"': '"',
  "'": "'",
  "\\": "\\",
};
