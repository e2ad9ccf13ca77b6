/**
 * What models do to the lines they send: blanks and typographic signs that differ, line numbers and escapes that came
 * with a copy, and placeholders (`// ... existing code ...`), which would delete the code that they stand for. Folded
 * lines are only compared, never written: patches are placed by them, edits are only explained.
 *
 * Ordinary code must not pass for a placeholder: spread (`...args`), a bare `...`, prose that trails off, any line of
 * the old text. So the words count, not the dots, unless the dots are a whole comment. Usual mistake: `/\s+$/`, which
 * is quadratic in a long run.
 */
import { ANY_ENDING } from "./lines.ts";

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

/** Finds the first placeholder line of the new text. @returns the line, 1-based, and its trimmed text */
export function findPlaceholder(newText: string, oldText: string): { line: number; text: string } | undefined {
  if (!MAYBE.test(newText)) return undefined;
  const old = new Set(oldText.split(ANY_ENDING).map((line) => line.trim()));
  for (const [index, raw] of newText.split(ANY_ENDING).entries()) {
    const text = raw.trim();
    if (text.length <= MAX_MARKER_UNITS && isMarker(text) && !old.has(text)) return { line: index + 1, text };
  }
  return undefined;
}

/** A longer line says more than a placeholder does. */
const MAX_MARKER_UNITS = 120;
/** Cheap first look, so that a large new text without any of it costs one pass. */
const MAYBE = /\.\.\.|…|rest of|existing|remain|unchanged/i;

const NOUN =
  "(?:code|file|function|method|class|component|implementation|content|module|script|document|import|test|logic|" +
  "section|body|block|definition|line|text|config|configuration|style|rule|route|field|property|propertie|case)s?e?s?";
const STAYS =
  "(?:(?:goes |go |is |are |remains? |stays? |as |left |kept )*" +
  "(?:here|unchanged|the same|same|before|omitted|as is|as-is|above|below|intact|unmodified))";
/** What such a line says between its dots, for example "the rest of the file stays the same". */
const PHRASE = new RegExp(
  `^\\(?(?:keep |and |all )*(?:the )?(?:` +
    `(?:rest|remainder) of (?:the |your |this )?(?:\\S+ )?${NOUN}|` +
    `(?:rest|remaining|existing|previous|other|unchanged|same|original|omitted) (?:\\S+ )?${NOUN}|` +
    `(?:\\S+ )?${NOUN} (?=${STAYS})|` +
    `${STAYS}|(?:rest|remaining|existing|snip|omitted|truncated|unchanged)` +
    `)[\\s,:-]*${STAYS}?(?: for brevity)?[.:]?\\)?$`,
  "i",
);
const DOTS = /^(?:\.{3,}|…)\s*|\s*(?:\.{3,}|…)$/g;

function isMarker(line: string): boolean {
  const comment = commentBody(line);
  const body = comment ?? unbracket(line);
  const words = body.replace(DOTS, "").replace(DOTS, "").trim();
  const hasDots = words !== body;
  if (comment !== undefined) {
    if (words === "") return hasDots;
    return PHRASE.test(words) && (hasDots || isPlainOmission(words));
  }
  // Without a comment sign only dots followed by several words are safe to judge: `...rest` is code.
  return /^(?:\.{3,}|…)/.test(body) && /\s|^\(/.test(words) && PHRASE.test(words);
}

/** Without dots a comment must say that something stays, or it is a heading ("existing code"). */
function isPlainOmission(words: string): boolean {
  return /^\(?(?:the )?(?:rest|remainder|remaining|existing|other)\b.*\b(?:here|unchanged|same|before|omitted)\b/i.test(
    words,
  );
}

/** @returns the text of a line that is only a comment, else `undefined`. Doc comments (`///`) are left alone */
function commentBody(line: string): string | undefined {
  const block = /^\{?\s*\/\*\s*([^*].*?)\s*\*\/\s*\}?$|^<!--\s*(.*?)\s*-->$/.exec(line);
  if (block) return block[1] ?? block[2] ?? "";
  return /^(?:\/\/(?![/!])|#(?![#!])|--(?!-)|;;?|%)\s*(.*)$/.exec(line)?.[1];
}

function unbracket(line: string): string {
  const inner = /^\[\s*(.*?)\s*\]$|^<\s*(.*?)\s*>$/.exec(line);
  return inner === null ? line : (inner[1] ?? inner[2] ?? line);
}
