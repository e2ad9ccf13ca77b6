/**
 * Bytes to text and back without loss. Invariant: whatever `decodeText` accepts, `encodeText` turns into the very same
 * bytes; everything else is refused with the offset of the first byte that would not survive.
 *
 * Usual mistake: a decoder that is not fatal. One bad byte becomes U+FFFD, and the next edit writes EF BF BD over it.
 */
import { LEGACY_ENCODINGS, decodeLegacy, encodeLegacy, type LegacyEncoding } from "./legacy-encoding.ts";

export type EncodingName = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | LegacyEncoding;

export const ENCODING_NAMES: readonly EncodingName[] = [
  "utf-8",
  "utf-8-bom",
  "utf-16le",
  "utf-16be",
  ...LEGACY_ENCODINGS,
];

export type DecodedText =
  | { readonly kind: "text"; readonly text: string; readonly encoding: EncodingName }
  | {
      readonly kind: "not_text";
      readonly offset: number;
      readonly reason: string;
      /** A legacy encoding would have been tried if one had been given. */
      readonly lacksLegacy?: true;
    };

/** `offset` counts UTF-16 code units of the text; `character` is one code point, or one lone surrogate. */
export type EncodedText =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "unencodable"; readonly offset: number; readonly character: string };

export interface DecodeOptions {
  readonly encoding?: EncodingName | "auto";
  /** Tried under `auto` for what has no byte order mark, no NUL at the start, and is not UTF-8. */
  readonly legacy?: LegacyEncoding;
}

export function isEncodingName(name: string): name is EncodingName {
  return ENCODING_NAMES.some((known) => known === name);
}

/** UTF-16 needs its byte order mark, because it is always written with one. The text never holds the mark. */
export function decodeText(bytes: Uint8Array, options: DecodeOptions = {}): DecodedText {
  const encoding = options.encoding ?? "auto";
  if (encoding === "auto") return decodeUnknown(bytes, options.legacy);
  if (encoding === "utf-8" || encoding === "utf-8-bom") return decodeUtf8(bytes);
  if (encoding === "utf-16le" || encoding === "utf-16be") return decodeUtf16(bytes, encoding);
  return decodeAsLegacy(bytes, encoding);
}

export function encodeText(text: string, encoding: EncodingName): EncodedText {
  if (encoding !== "utf-8" && encoding !== "utf-8-bom" && encoding !== "utf-16le" && encoding !== "utf-16be") {
    const result = encodeLegacy(text, encoding);
    return result.kind === "bytes" ? result : unencodable(text, result.offset);
  }
  const lone = findLoneSurrogate(text);
  if (lone !== -1) return unencodable(text, lone);
  if (encoding === "utf-8") return { kind: "bytes", bytes: Buffer.from(text, "utf8") };
  if (encoding === "utf-8-bom") return { kind: "bytes", bytes: Buffer.from(BOM + text, "utf8") };
  const bytes = Buffer.from(BOM + text, "utf16le");
  return { kind: "bytes", bytes: encoding === "utf-16be" ? bytes.swap16() : bytes };
}

const BOM = "\uFEFF";
/** What git and ripgrep look at, roughly: a NUL later than this in a text file is a curiosity, not a binary file. */
const NUL_SEARCH_BYTES = 8 * 1024;

function decodeUnknown(bytes: Uint8Array, legacy: LegacyEncoding | undefined): DecodedText {
  if (startsWith(bytes, [0xff, 0xfe, 0, 0])) return notText(0, "the file is UTF-32");
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16(bytes, "utf-16le");
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16(bytes, "utf-16be");
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return decodeUtf8(bytes);
  const nul = bytes.subarray(0, NUL_SEARCH_BYTES).indexOf(0);
  if (nul !== -1) return notText(nul, "the file is binary: it has a NUL byte");
  const unicode = decodeUtf8(bytes);
  if (unicode.kind === "text") return unicode;
  if (legacy === undefined) return { ...unicode, lacksLegacy: true };
  return decodeAsLegacy(bytes, legacy);
}

function decodeUtf8(bytes: Uint8Array): DecodedText {
  const hasMark = startsWith(bytes, [0xef, 0xbb, 0xbf]);
  const body = hasMark ? bytes.subarray(3) : bytes;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    return { kind: "text", text, encoding: hasMark ? "utf-8-bom" : "utf-8" };
  } catch {
    const offset = Math.max(0, findInvalidUtf8(bytes));
    return notText(offset, `the byte 0x${(bytes[offset] ?? 0).toString(16).padStart(2, "0")} is not UTF-8`);
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): DecodedText {
  const mark = encoding === "utf-16le" ? [0xff, 0xfe] : [0xfe, 0xff];
  if (!startsWith(bytes, mark)) return notText(0, `there is no byte order mark of ${encoding}`);
  if (bytes.length % 2 === 1) return notText(bytes.length - 1, "half a UTF-16 unit stands at the end");
  const body = Buffer.from(bytes.subarray(2));
  const text = (encoding === "utf-16be" ? body.swap16() : body).toString("utf16le");
  const lone = findLoneSurrogate(text);
  if (lone !== -1) return notText(2 + lone * 2, "half a surrogate pair stands alone");
  return { kind: "text", text, encoding };
}

function decodeAsLegacy(bytes: Uint8Array, encoding: LegacyEncoding): DecodedText {
  const result = decodeLegacy(bytes, encoding);
  if (result.kind === "text") return { ...result, encoding };
  return notText(result.offset, `the bytes would not survive a round trip through ${encoding}`);
}

function findLoneSurrogate(text: string): number {
  if (text.isWellFormed()) return -1;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) ?? 0;
    if (point > 0xffff) at++;
    else if (point >= 0xd800 && point <= 0xdfff) return at;
  }
  return -1;
}

function unencodable(text: string, offset: number): EncodedText {
  return { kind: "unencodable", offset, character: String.fromCodePoint(text.codePointAt(offset) ?? 0) };
}

function notText(offset: number, reason: string): DecodedText {
  return { kind: "not_text", offset, reason };
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}

/** Offset of the first byte of the first ill-formed sequence; -1 when there is none. */
export function findInvalidUtf8(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    if (byteAt(bytes, at) < 0x80) at += 1;
    else {
      const length = sequenceLength(bytes, at);
      if (length === 0) return at;
      at += length;
    }
  }
  return -1;
}

function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = byteAt(bytes, at);
  const second = byteAt(bytes, at + 1);
  if (lead >= 0xc2 && lead <= 0xdf) return isTail(second) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const low = lead === 0xe0 ? 0xa0 : 0x80;
    const high = lead === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && isTail(byteAt(bytes, at + 2)) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const low = lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) return 0;
    return isTail(byteAt(bytes, at + 2)) && isTail(byteAt(bytes, at + 3)) ? 4 : 0;
  }
  return 0;
}

function isTail(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** A byte past the end reads as 0, which no multi-byte sequence accepts. */
function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
