/**
 * Text made fit to be looked at: differences that cannot be seen become signs, and characters that command a terminal
 * or reorder a line become escapes. For messages and screens only; never for what is written to a file.
 *
 * Usual mistake: escaping twice, or showing escaped text as if it could be copied back into an edit.
 */

/** Tab as `→`, CR as `␍`, no-break spaces as `⍽`, blanks before a line's end as `·`. Line feeds stay. */
export function makeVisible(text: string): string {
  return text
    .split("\n")
    .map(dotTrailing)
    .join("\n")
    .replace(/\t/g, "→")
    .replace(/\r/g, "␍")
    .replace(/[\u00a0\u202f\u2007]/g, "⍽");
}

/**
 * C0 (but LF and tab), DEL, C1, and the characters that change the direction of text or end a line unseen, as `\x1b`
 * and `\u202e`. The bidi list is that of Unicode TR #36 / CVE-2021-42574.
 */
export function escapeControls(text: string): string {
  return text.replace(COMMANDING, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

const COMMANDING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Not an expression: a look-ahead is quadratic in a long run of blanks. */
function dotTrailing(line: string): string {
  let end = line.length;
  while (end > 0 && " \t\r".includes(line.charAt(end - 1))) end--;
  return line.slice(0, end) + line.slice(end).replaceAll(" ", () => "·");
}
