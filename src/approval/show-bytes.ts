/**
 * Content as a program sees it that reads bytes and knows of no encoding: a shell, a loader, an interpreter of another kind. What
 * is text to a person in one encoding may be commands to it, so of everything but plain UTF-8 both are shown.
 */

/** Long lines are cut into several, so that nothing has to be held as one. */
const MAX_LINE_BYTES = 4096;
const LINE_FEED = 0x0a;

/** Printable ASCII as it is, a backslash doubled, any other byte as `\xNN`; one line for each line feed. */
export function* showBytes(bytes: Uint8Array): Generator<string> {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = Math.min(found === -1 ? bytes.length : found, start + MAX_LINE_BYTES);
    const isCut = end < bytes.length && bytes[end] !== LINE_FEED;
    yield `| ${lineOf(bytes.subarray(start, end))}${isCut ? " …" : ""}`;
    start = isCut ? end : end + 1;
  }
}

function lineOf(bytes: Uint8Array): string {
  let line = "";
  for (const byte of bytes)
    line +=
      byte === 0x5c
        ? "\\\\"
        : byte >= 0x20 && byte < 0x7f
          ? String.fromCharCode(byte)
          : `\\x${byte.toString(16).padStart(2, "0")}`;
  return line;
}
