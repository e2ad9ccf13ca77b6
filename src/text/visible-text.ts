/**
 * Somebody else's text with all of it in sight: controls, marks that turn the direction of writing, and characters that no screen
 * shows become escapes. Joiners stay, because scripts and emoji need them.
 */
export function visibleText(text: string): string {
  return text.toWellFormed().replaceAll("\r\n", "\n").replaceAll(HIDDEN, escaped);
}

/** Unicode TR #36 and CVE-2021-42574: bidirectional controls, tags, fillers, blanks without width, selectors beyond emoji. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180e|[\ufe00-\ufe0e]|[\u{1bca0}-\u{1bca3}]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]/gu;

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;
}
