/**
 * Text of somebody else as it may stand in a list that a model and a person read: bounded, well-formed, without escape
 * sequences and without characters that hide something from the one of them and not from the other.
 */
import { truncateUtf8 } from "../text/index.ts";

/** "" for what is no text. */
export function readableText(text: unknown, maxBytes: number): string {
  if (typeof text !== "string") return "";
  // Longer than it can be after the cut, and no more: what follows looks at every character.
  const start = text.slice(0, maxBytes * 2).toWellFormed();
  const clean = Bun.stripANSI(start).replaceAll("\r\n", "\n").replaceAll(UNSEEN, "").trim();
  const { text: cut, truncated } = truncateUtf8(clean, maxBytes);
  return truncated || text.length > maxBytes * 2 ? `${cut} [cut]` : cut;
}

/** Controls but LF and tab, and what cannot be seen: marks of direction, joiners, fillers, tags (Unicode TR #36). */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
