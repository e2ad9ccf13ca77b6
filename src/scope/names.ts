/**
 * How a file name looks to callers, who speak JSON text. A caller's string never holds lone surrogates (they are refused),
 * so it can only mean what it says.
 *
 * A name that is not UTF-8, or that holds characters which command a terminal or cannot be seen (control, direction,
 * zero-width and tag characters), is shown as `bytes:` and percent escapes, for the whole path:
 * `bytes:dir/bad%FFname%0A`. A real name that begins with `bytes:` is shown as `./bytes:...`.
 */
import { nameFromBytes, nameToBytes } from "../sys/index.ts";

const ESCAPED_PREFIX = "bytes:";
const NEEDS_ESCAPE =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\udc80-\udcff]|\p{Default_Ignorable_Code_Point}/u;
/** Most names, which are told without looking for what they do not hold. */
const PLAIN = /^[ -~]*$/;

/** A path in the form that is shown to callers and that they can give back. */
export function showName(path: string): string {
  if (PLAIN.test(path) || !NEEDS_ESCAPE.test(path)) return path.startsWith(ESCAPED_PREFIX) ? `./${path}` : path;
  let out = ESCAPED_PREFIX;
  for (const byte of nameToBytes(path)) {
    const plain = byte > 0x20 && byte < 0x7f && byte !== 0x25;
    out += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

/** Undoes `showName`; `undefined` when the escapes are broken. */
export function readName(shown: string): string | undefined {
  if (!shown.startsWith(ESCAPED_PREFIX)) return shown;
  const body = shown.slice(ESCAPED_PREFIX.length);
  if (/%(?![0-9A-Fa-f]{2})/.test(body)) return undefined;
  const bytes: number[] = [];
  for (let at = 0; at < body.length; at++) {
    if (body[at] === "%") {
      bytes.push(Number.parseInt(body.slice(at + 1, at + 3), 16));
      at += 2;
    } else {
      bytes.push(...Buffer.from(String.fromCodePoint(body.codePointAt(at) ?? 0), "utf8"));
      if ((body.codePointAt(at) ?? 0) > 0xffff) at++;
    }
  }
  return nameFromBytes(Uint8Array.from(bytes));
}
