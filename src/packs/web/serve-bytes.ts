/**
 * From what came to text: unpacked within a limit, and decoded by what the bytes say before what the server says.
 *
 * Usual mistake: to believe a charset. A wrong one replaces characters, and the reader is told.
 */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { Failure } from "../../base/index.ts";

/** Text of that size is a book; what unpacks to more is a bomb or no page. */
const MAX_UNPACKED_BYTES: number = 16 * 1024 * 1024;
const MAX_ENCODINGS = 2;
const SAVE_IT = "save_to writes it to a file as it came.";

const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, BOUNDED),
  "x-gzip": (bytes) => gunzipSync(bytes, BOUNDED),
  br: (bytes) => brotliDecompressSync(bytes, BOUNDED),
  // Servers send either under this name.
  deflate: (bytes) => (isZlib(bytes) ? inflateSync(bytes, BOUNDED) : inflateRawSync(bytes, BOUNDED)),
};
const BOUNDED = { maxOutputLength: MAX_UNPACKED_BYTES };

/** @throws Failure `too_large`, `unsupported`, `command_failed` */
export function unpackBody(bytes: Buffer, encoding: string): Buffer {
  const names = encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > MAX_ENCODINGS || names.some((name) => !Object.hasOwn(UNPACK, name)))
    throw new Failure(
      "unsupported",
      `Cannot read the page: it is packed in a way that is not known (${encoding.slice(0, 60)})`,
      { hint: SAVE_IT },
    );
  // The last one was put on last.
  return names.reverse().reduce(unpackOne, bytes);
}

function unpackOne(bytes: Buffer, name: string): Buffer {
  if (bytes.length === 0) return bytes;
  try {
    return UNPACK[name]?.(bytes) ?? bytes;
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE")
      throw new Failure("too_large", `Cannot read the page: it unpacks to more than ${MAX_UNPACKED_BYTES} bytes`, {
        hint: SAVE_IT,
      });
    throw new Failure(
      "command_failed",
      `Cannot read the page: the server declared ${name} encoding, but the body is not ${name}`,
      { hint: SAVE_IT },
    );
  }
}

function isZlib(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

/** How much of a page is looked at for its own word about its charset, as browsers do. */
const META_BYTES = 1024;

/** By the mark at its beginning, else the header, else the page itself, else UTF-8. */
export function decodePage(
  bytes: Buffer,
  contentType: string,
): { readonly text: string; readonly notes: readonly string[] } {
  const said = /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(contentType)?.[1];
  const start = bytes.subarray(0, META_BYTES).toString("latin1");
  const named =
    /^\s*<\?xml\s[^>]{0,200}encoding\s*=\s*["']([\w:.-]{1,40})/.exec(start)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(start)?.[1];
  // Whoever could read that word was not reading UTF-16, so browsers take it for UTF-8.
  const meta = named !== undefined && /^utf-16/i.test(named) ? "utf-8" : named;
  const name = markOf(bytes) ?? said ?? meta ?? "utf-8";
  const decoder = decoderOf(name) ?? new TextDecoder("utf-8");
  const text = decoder.decode(bytes);
  const lost = isLossy(bytes, decoder.encoding);
  return {
    text,
    notes: lost ? [`Some characters could not be read as ${decoder.encoding} and are replaced by U+FFFD`] : [],
  };
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

function decoderOf(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name as "utf-8");
  } catch {
    return undefined;
  }
}

function isLossy(bytes: Buffer, encoding: string): boolean {
  try {
    new TextDecoder(encoding as "utf-8", { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}
