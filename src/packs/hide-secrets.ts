/**
 * Secrets in what a page says, replaced before any of it is cut: half a secret looks like nothing, and so does one whose signs are
 * escaped. Markdown writes `ghp\_16C7...`, and an address `ghp%5F16C7...`.
 */
import type { HideSecrets } from "../contract/index.ts";

interface HiddenText {
  readonly text: string;
  /** How many were replaced. */
  readonly count: number;
}

/** Each line is looked at by itself, on the main thread; a page of more is one of a server that means harm. */
const MAX_LINES = 5000;

/**
 * The text without its secrets. Where an escape hides one from the rules, the line stands without its escapes, and so does all of a
 * text of more than 5,000 lines.
 */
export function hideEscaped(text: string, hide: HideSecrets): HiddenText {
  if (!isTelling(text, hide)) return hide(text);
  const lines = text.split("\n");
  const isLong = lines.length > MAX_LINES;
  const shown = isLong ? bare(text) : lines.map((line) => (isTelling(line, hide) ? bare(line) : line)).join("\n");
  // A name may stand in one line and its value in the next, and an escape may be escaped itself.
  return hide(isTelling(shown, hide) ? bare(shown) : shown);
}

/** How many of the replaced ones stand in a part; the page may have such words of its own. */
export function secretsIn(part: string, replaced: number): number {
  return Math.min(replaced, part.split("[secret:").length - 1);
}

/** Whether the rules see less in the text as it is than in what its reader makes of it. */
function isTelling(text: string, hide: HideSecrets): boolean {
  const plain = bare(text);
  return plain !== text && hide(plain).text !== bare(hide(text).text);
}

/** Without the escapes of Markdown, and those of visible signs in an address, of which one before a token hides it too. */
function bare(text: string): string {
  return text
    .replaceAll(/\\(?!\[secret:)([!-/:-@[-`{-~])/g, "$1")
    .replaceAll(/%(?!7f)([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
