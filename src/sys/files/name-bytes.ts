/**
 * File names are bytes, and JavaScript strings are not. Inside the program a name is a string in which every byte that is
 * not valid UTF-8 stands as a lone surrogate U+DC80..U+DCFF ("surrogate escape"), so no two names meet and no byte is lost.
 *
 * Usual mistake: a regular expression without the flag `u`, which takes the second half of an emoji for a byte.
 */
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
