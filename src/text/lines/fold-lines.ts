/**
 * Compares lines that are not there as they were sent: without blanks at their ends, with every run of blanks as one, with
 * typographic signs as their ASCII cousins; and takes off what sticks to copied text. Only for comparing: nothing folded is ever
 * written. Patches are placed by these, edits are only explained.
 *
 * Usual mistake: `/\s+$/`, which is quadratic in a long run of blanks.
 */

export type Fold = (line: string) => string;

export function foldNothing(line: string): string {
  return line;
}

export function foldTrailing(line: string): string {
  let end = line.length;
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(0, end);
}

/** Runs inside the line must be there on both sides; `a=b` is not `a = b`. */
export function foldBlanks(line: string): string {
  const inner = foldTrailing(line).slice(indentOf(line).length);
  return /\t| {2}/.test(inner) ? inner.replace(/[ \t]+/g, " ") : inner;
}

export function foldTypography(line: string): string {
  return foldBlanks(flattenTypography(line));
}

export function flattenTypography(line: string): string {
  if (!/[\u0080-\uffff]/.test(line)) return line;
  return line
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\u2026/g, "...")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ")
    .replace(/[\u200b-\u200d\ufeff\u00ad]/g, "");
}

/** The blanks and tabs at the beginning. */
export function indentOf(line: string): string {
  let end = 0;
  while (end < line.length && isBlank(line.charCodeAt(end))) end++;
  return line.slice(0, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

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
