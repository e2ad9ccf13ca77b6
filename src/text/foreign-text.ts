/**
 * Text of somebody else as a model and a person may read it: nothing in it hides something from the one of them and not from
 * the other. In a list, prose (`readableText`) loses what cannot be seen; values and names, of which a change would make others
 * (`showUnseen`), have it as an escape. A whole page (`visibleText`) keeps its joiners, because scripts and emoji need them.
 *
 * Invariant: what comes out of the first two has nothing in it that a screen does not show, but for plain blanks and line feeds.
 */
import { truncateUtf8 } from "./show-text.ts";

/** Bounded, well-formed, without escape sequences. "" for what is no text. */
export function readableText(text: unknown, maxBytes: number): string {
  if (typeof text !== "string") return "";
  // Longer than it can be after the cut, and no more: what follows looks at every character.
  const start = text.slice(0, maxBytes * 2).toWellFormed();
  const clean = Bun.stripANSI(start).replaceAll("\r\n", "\n").replaceAll(UNSEEN, "").replaceAll(BLANKS, " ").trim();
  const { text: cut, truncated } = truncateUtf8(clean, maxBytes);
  return truncated || text.length > maxBytes * 2 ? `${cut} [cut]` : cut;
}

/** Every character that cannot be seen as `\u{e0041}`. */
export function showUnseen(text: string): string {
  return text.toWellFormed().replaceAll(UNSEEN, escaped).replaceAll(BLANKS, escaped);
}

/** Controls, marks that turn the direction of writing, and what no screen shows, as escapes; joiners stay. */
export function visibleText(text: string): string {
  return text.toWellFormed().replaceAll("\r\n", "\n").replaceAll(HIDDEN, escaped);
}

/** What of a text `readableText` leaves out, as escapes. "" for nothing. */
export function unseenIn(text: string): string {
  return [...Bun.stripANSI(text).replaceAll("\r\n", "\n").matchAll(UNSEEN)].map(([one]) => escaped(one)).join("");
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;
}

/** Controls but LF and tab, and what cannot be seen: marks of direction, joiners, fillers, tags (Unicode TR #36). */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
/** What looks like a blank and is another character. */
const BLANKS = /(?! )\p{Zs}|\u2800/gu;
/** Unicode TR #36 and CVE-2021-42574: bidirectional controls, tags, fillers, blanks without width, selectors beyond emoji. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180e|[\ufe00-\ufe0e]|[\u{1bca0}-\u{1bca3}]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]/gu;
