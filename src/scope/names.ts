/**
 * File names are bytes; callers speak JSON text. Inside the program a name is a string in which every byte that is not
 * valid UTF-8 stands as a lone surrogate U+DC80..U+DCFF ("surrogate escape"), so no two names meet and no byte is lost.
 * A caller's string never holds lone surrogates (they are refused), so it can only mean what it says.
 *
 * On the wire a name that is not UTF-8, or holds what commands a terminal or cannot be seen (control, direction, zero-width and
 * tag characters), is shown as `bytes:` and percent escapes, for the whole path: `bytes:dir/bad%FFname%0A`. A real name that
 * begins with `bytes:` is shown as `./bytes:...`.
 *
 * Usual mistake: an expression without the flag `u`, which takes the second half of an emoji for a byte.
 */
const ESCAPED_PREFIX = "bytes:";
const NEEDS_ESCAPE =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\udc80-\udcff]|\p{Default_Ignorable_Code_Point}/u;
/** Most names, which are told without looking for what they do not hold. */
const PLAIN = /^[ -~]*$/;
const LONE_ESCAPE = /[\udc80-\udcff]/u;

/** The name or path as node:fs takes it: a string where that is exact, else its bytes. */
export function fsName(name: string): string | Buffer {
  return LONE_ESCAPE.test(name) ? nameToBytes(name) : name;
}

export function nameToBytes(name: string): Buffer {
  if (!LONE_ESCAPE.test(name)) return Buffer.from(name, "utf8");
  const parts: Buffer[] = [];
  for (const piece of name.split(/([\udc80-\udcff])/u)) {
    const code = piece.length === 1 ? piece.charCodeAt(0) : 0;
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(piece, "utf8"));
  }
  return Buffer.concat(parts);
}

export function nameFromBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (!text.includes("\ufffd")) return text;
  let out = "";
  for (let at = 0; at < bytes.length;) {
    const length = validSequenceLength(bytes, at);
    out +=
      length === 0
        ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
        : Buffer.from(bytes.subarray(at, at + length)).toString("utf8");
    at += length || 1;
  }
  return out;
}

/** A path in the form that is shown to callers and that they can give back. */
export function showName(path: string): string {
  if (PLAIN.test(path) || !NEEDS_ESCAPE.test(path))
    return path.startsWith(ESCAPED_PREFIX) ? `./${path}` : path;
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

/** Length of the valid UTF-8 sequence at `at`, or 0. Overlong forms and surrogates are not valid. */
function validSequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80
      ? 1
      : first >= 0xc2 && first < 0xe0
        ? 2
        : first >= 0xe0 && first < 0xf0
          ? 3
          : first >= 0xf0 && first < 0xf5
            ? 4
            : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const piece = Buffer.from(bytes.subarray(at, at + length));
  const text = piece.toString("utf8");
  return Buffer.from(text, "utf8").equals(piece) && !text.includes("\ufffd")
    ? length
    : piece.equals(REPLACEMENT)
      ? 3
      : 0;
}

/** U+FFFD itself is a valid character in a name. */
const REPLACEMENT = Buffer.from("\ufffd", "utf8");
