/**
 * Text of somebody else as it may stand in a list that a model and a person read: nothing in it hides something from the
 * one of them and not from the other. Prose (`readableText`) loses what cannot be seen; values and names, of which a change
 * would make others (`showUnseen`), have it as an escape.
 *
 * Invariant: what comes out of either has nothing in it that a screen does not show, but for plain blanks and line feeds.
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
