/**
 * Text made fit to be looked at: differences that cannot be seen become signs, characters that command a terminal or reorder a line
 * become escapes, and long text is cut between code points. For messages and screens only; never for what is written to a file.
 *
 * Usual mistakes: escaping twice, or showing escaped text as if it could be copied back into an edit; cutting the encoded bytes and
 * decoding what is left, which ends in U+FFFD.
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
 * What commands a terminal, reorders a line, ends one unseen or cannot be seen at all, as `\x1b`, `\u202e` and `\u{e0041}`:
 * C0 (but LF and tab), DEL, C1, the bidi characters of Unicode TR #36 / CVE-2021-42574, and all that Unicode calls ignorable
 * (zero-width characters, tags, variation selectors, fillers), which a model reads and a person does not.
 */
export function escapeControls(text: string): string {
  return text.replace(COMMANDING, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0xffff) return `\\u{${code.toString(16)}}`;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Does what `escapeControls` does for names and arguments, which have to stay on one line: a line feed is escaped too. */
export function escapeLine(text: string): string {
  return escapeControls(text).replaceAll("\n", "\\x0a");
}

/** Does what `escapeControls` does for JSON text, whose meaning stays the same. */
export function escapeJson(text: string): string {
  return text.replace(COMMANDING, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** Lone surrogates are among them: they are no characters, and other programs would show them as something else. */
const COMMANDING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\ud800-\udfff]|\p{Default_Ignorable_Code_Point}/gu;

/** A loop, because a regular expression with a look-ahead is quadratic in a long run of blanks. */
function dotTrailing(line: string): string {
  let end = line.length;
  while (end > 0 && " \t\r".includes(line.charAt(end - 1))) end--;
  return line.slice(0, end) + line.slice(end).replaceAll(" ", () => "·");
}

export interface Truncated {
  readonly text: string;
  readonly truncated: boolean;
  /** The size of the whole input. */
  readonly totalBytes: number;
}

export function truncateUtf8(text: string, maxBytes: number): Truncated {
  const totalBytes = Buffer.byteLength(text);
  if (totalBytes <= maxBytes) return { text, truncated: false, totalBytes };
  return { text: text.slice(0, unitsThatFit(text, maxBytes)), truncated: true, totalBytes };
}

function unitsThatFit(text: string, maxBytes: number): number {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    bytes += utf8Length(point);
    if (bytes > maxBytes) return at;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

/** A lone surrogate counts as the three bytes of U+FFFD, as `Buffer.byteLength` counts it. */
function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
