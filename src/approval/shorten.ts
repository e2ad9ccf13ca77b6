/**
 * Text cut to a number of characters, for the first lines of a sheet and for labels, which dialogs cut by themselves. A cut is always
 * marked by "…", and what is cut here stands whole somewhere below.
 *
 * Usual mistake: to cut between the two halves of a character, which makes neither visible.
 */

/** The beginning and the end are kept: a verb often stands first, and its object last. */
export function shortenMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil(((most - 1) * 2) / 3);
  return `${sliceWhole(text, 0, head)}…${sliceWhole(text, text.length - (most - 1 - head), text.length)}`;
}

export function shortenEnd(text: string, most: number): string {
  return text.length <= most ? text : `${sliceWhole(text, 0, most - 1)}…`;
}

/** The slice has no half of a character at either end. */
export function sliceWhole(text: string, start: number, end: number): string {
  return text.slice(isInside(text, start) ? start + 1 : start, isInside(text, end) ? end - 1 : end);
}

/** Whether a cut here would halve a character. */
function isInside(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
