/**
 * A change that takes a secret apart: without its beginning, or without the name that it is assigned to, the rest of it looks like
 * any text, and whoever reads the file next has it.
 *
 * Usual mistake: to look for each part in all of the text, which takes long where both are many.
 */
import { replaceSecrets } from "../redact.ts";

/** What is shorter says little of a secret, and stands in many texts. A run of twice as many signs has such a part whole. */
const PART_CHARS = 8;
const PARTS = /[^\n]{8}/g;
/** Words, runs of one sign and the armour of a key stand in many texts, and say nothing of a secret. */
const TELLS = /^(?=.*\d)(?=.*[A-Za-z])/;
const PLACEHOLDER = "[secret:000000]";

/** Whether lines that a change makes show a part of a secret that stood in the text before it. */
export function showsRest(before: string, after: string): boolean {
  const parts = new Set<string>();
  const shown = replaceSecrets(before, (secret) => {
    for (const [part] of secret.matchAll(PARTS)) if (TELLS.test(part)) parts.add(part);
    return PLACEHOLDER;
  });
  if (parts.size === 0) return false;
  const known = new Set(shown.split("\n"));
  const lines = replaceSecrets(after, () => PLACEHOLDER).split("\n");
  const made = lines.filter((line) => !known.has(line)).join("\n");
  for (let at = 0; at + PART_CHARS <= made.length; at++) {
    const part = made.slice(at, at + PART_CHARS);
    if (parts.delete(part) && !shown.includes(part)) return true;
  }
  return false;
}
