/**
 * Finds the lines with which a model says "and so on": `// ... existing code ...`. Written to a file they delete the
 * code that they stand for, so an edit with one is refused.
 *
 * Ordinary code must pass: spread and rest (`...args`), a bare `...` (Python stubs, YAML), prose that trails off, and
 * any line that stood in the old text already. So the words count, not the dots, unless the dots are a whole comment.
 *
 * Usual mistake: looking for "..." with "rest" somewhere behind it; `...rest,` is JavaScript.
 */
import { ANY_ENDING } from "./line-endings.ts";

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
