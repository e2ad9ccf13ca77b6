/**
 * From bytes of a file to text, or to what the file is instead. Strict: bytes that would not survive the way back are
 * refused with their offset in the file, unless the file is plainly of another kind and can be described.
 *
 * Valid Unicode is text whatever its first bytes resemble; a code page accepts nearly all bytes, so there known
 * signatures come first.
 */
import { Failure } from "../base/index.ts";
import { quotable } from "../scope/index.ts";
import { decodeText, sniffType, type DecodedText, type FileType } from "../text/index.ts";
import { readSource, type FileSource } from "./file-source.ts";

export type SourceText = Extract<DecodedText, { kind: "text" }> | { readonly kind: "media"; readonly type: FileType };

/**
 * @param position of the bytes in the file, for messages
 * @throws Failure `not_text`
 */
export function decodeSource(source: FileSource, bytes: Uint8Array, position: number): SourceText {
  const asked = source.request.encoding ?? "auto";
  const legacy = source.ctx.legacyEncoding;
  const decoded = decodeText(bytes, {
    encoding: asked === "base64" ? "auto" : asked,
    ...(legacy === undefined ? {} : { legacy }),
  });
  if (asked !== "auto" || (decoded.kind === "text" && isUnicode(decoded.encoding))) {
    if (decoded.kind === "text") return decoded;
    throw notText(source, decoded, position);
  }
  const type = sniffSource(source);
  if (type.kind !== "text" && type.mime !== UNKNOWN_TYPE) return { kind: "media", type };
  if (decoded.kind === "text") return decoded;
  if (isBinary(bytes, decoded.offset)) return { kind: "media", type: { mime: UNKNOWN_TYPE, kind: "binary" } };
  throw notText(source, decoded, position);
}

const UNKNOWN_TYPE = "application/octet-stream";
/** Every signature that is known lies within this. */
const SNIFF_BYTES = 4096;
/** Git and ripgrep look as far as this. */
const BINARY_SEARCH_BYTES: number = 8 * 1024;

function isUnicode(encoding: string): boolean {
  return encoding.startsWith("utf-");
}

function sniffSource(source: FileSource): FileType {
  const head = readSource(source, 0, SNIFF_BYTES);
  return sniffType(head, source.path.slice(source.path.lastIndexOf("/") + 1));
}

/** Looks for a NUL where the decoder stopped and near the beginning; broken UTF-16 is full of them, and is no binary file. */
function isBinary(bytes: Uint8Array, offset: number): boolean {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isWide && (bytes[2] !== 0 || bytes[3] !== 0)) return false;
  return bytes[offset] === 0 || bytes.subarray(0, BINARY_SEARCH_BYTES).includes(0);
}

function notText(source: FileSource, why: DecodedText & { kind: "not_text" }, position: number): Failure {
  const offset = Math.max(0, position + why.offset);
  const raw = "Use read_file with encoding: base64 for the raw bytes";
  const hint =
    (source.request.encoding ?? "auto") !== "auto"
      ? `${raw}, or encoding: auto.`
      : source.ctx.legacyEncoding
        ? `${raw}, or name the encoding.`
        : `${raw}, or name the encoding; the operator can also configure a legacy encoding.`;
  const state = `${why.reason} (byte offset ${offset})`;
  return new Failure("not_text", `Cannot read "${quotable(source.request.path)}": ${state}`, {
    hint,
    details: { offset },
  });
}
