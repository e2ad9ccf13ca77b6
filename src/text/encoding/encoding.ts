/**
 * Bytes to text and back without loss. Invariant: whatever `decodeText` accepts, `encodeText` turns into the very same
 * bytes; everything else is refused with the offset of the first byte that would not survive.
 *
 * The runtime only decodes code pages from before Unicode, so their way back is a table built from its own decoder on
 * first use.
 *
 * Usual mistakes: a decoder that is not fatal, so that one bad byte becomes U+FFFD and the next edit writes EF BF BD
 * over it; trusting a fatal one, though several byte pairs of Shift_JIS or GBK decode to one character and only one of
 * them would be written back.
 */

const LEGACY_ENCODINGS = [
  "windows-1252",
  "iso-8859-1",
  "windows-1251",
  "shift_jis",
  "gbk",
  "euc-kr",
  "euc-jp",
  "big5",
  "iso-8859-15",
  "windows-1250",
] as const;

export type LegacyEncoding = (typeof LEGACY_ENCODINGS)[number];

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
type EncodedText =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "unencodable"; readonly offset: number; readonly character: string };

interface DecodeOptions {
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

/** Text for an encoding that is written with a mark: one that the caller gave would be a second. */
export function withoutMark(text: string, encoding: EncodingName): string {
  const isMarked = encoding === "utf-8-bom" || encoding.startsWith("utf-16");
  return isMarked && text.startsWith(BOM) ? text.slice(BOM.length) : text;
}

export function encodeText(text: string, encoding: EncodingName): EncodedText {
  if (encoding !== "utf-8" && encoding !== "utf-8-bom" && encoding !== "utf-16le" && encoding !== "utf-16be") {
    const { bytes, stoppedAt } = write(text, tableOf(encoding));
    return stoppedAt === -1 ? { kind: "bytes", bytes } : unencodable(text, stoppedAt);
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
  if (encoding === "iso-8859-1") return { kind: "text", text: asBuffer(bytes).toString("latin1"), encoding };
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  // The text is taken only if it gives exactly these bytes again.
  const offset = firstDifference(bytes, write(text, tableOf(encoding)).bytes);
  if (offset === -1) return { kind: "text", text, encoding };
  return notText(offset, `the bytes would not survive a round trip through ${encoding}`);
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

export function findInvalidUtf8(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length;) {
    const length = utf8SequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** The length of the valid sequence at `at`, or 0. Table 3-7 of the Unicode standard. */
export function utf8SequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length === 0 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let next = at + 2; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** For each code unit (or, above U+FFFF, code point) its bytes as one number, with their count in the top eight bits. */
interface Table {
  readonly units: Uint32Array;
  readonly astral: ReadonlyMap<number, number>;
  readonly longest: number;
}

function write(text: string, table: Table): { bytes: Uint8Array; stoppedAt: number } {
  const out = new Uint8Array(text.length * table.longest);
  let written = 0;
  for (let at = 0; at < text.length; at++) {
    let packed = table.units[text.charCodeAt(at)] ?? 0;
    const start = at;
    if (packed === 0 && table.astral.size > 0) {
      packed = table.astral.get(text.codePointAt(at) ?? 0) ?? 0;
      if (packed !== 0) at++;
    }
    if (packed === 0) return { bytes: out.subarray(0, written), stoppedAt: start };
    for (let left = (packed >>> 24) - 1; left >= 0; left--) out[written++] = (packed >>> (left * 8)) & 0xff;
  }
  return { bytes: out.subarray(0, written), stoppedAt: -1 };
}

function firstDifference(expected: Uint8Array, actual: Uint8Array): number {
  if (asBuffer(expected).equals(actual)) return -1;
  const shared = Math.min(expected.length, actual.length);
  for (let at = 0; at < shared; at++) if (expected[at] !== actual[at]) return at;
  return shared;
}

const tables = new Map<LegacyEncoding, Table>();

function tableOf(encoding: LegacyEncoding): Table {
  const known = tables.get(encoding);
  if (known) return known;
  const built = buildTable(encoding);
  tables.set(encoding, built);
  return built;
}

function buildTable(encoding: LegacyEncoding): Table {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const units = new Uint32Array(0x10000);
  const astral = new Map<number, number>();
  let longest = 1;
  const add = (...bytes: number[]): void => {
    const point = encoding === "iso-8859-1" ? bytes[0] : decodeOne(decoder, bytes);
    if (point === undefined) return;
    const packed = bytes.length * 0x1000000 + bytes.reduce((sum, byte) => sum * 256 + byte, 0);
    if (point > 0xffff) {
      if (!astral.has(point)) astral.set(point, packed);
    } else if (units[point] === 0) units[point] = packed;
    else return;
    longest = Math.max(longest, bytes.length);
  };
  for (let byte = 0; byte < 0x100; byte++) add(byte);
  if (["shift_jis", "gbk", "euc-kr", "euc-jp", "big5"].includes(encoding)) {
    for (const lead of leadBytes(encoding)) for (let trail = 0x30; trail < 0x100; trail++) add(lead, trail);
  }
  if (encoding === "euc-jp") {
    for (let row = 0xa1; row < 0xff; row++) for (let cell = 0xa1; cell < 0xff; cell++) add(0x8f, row, cell);
  }
  return { units, astral, longest };
}

/** The code point, if these bytes are exactly one character. */
function decodeOne(decoder: TextDecoder, bytes: readonly number[]): number | undefined {
  try {
    const text = decoder.decode(Uint8Array.from(bytes));
    const point = text.codePointAt(0);
    return point !== undefined && text.length === (point > 0xffff ? 2 : 1) ? point : undefined;
  } catch {
    return undefined;
  }
}

/**
 * In the order in which duplicates are preferred, as https://encoding.spec.whatwg.org/#indexes has it: Shift_JIS writes
 * IBM's rows and not NEC's copy of them (0xED, 0xEE), Big5 writes nothing of the Hong Kong rows below 0xA1 if it can.
 */
function leadBytes(encoding: LegacyEncoding): readonly number[] {
  const all = Array.from({ length: 0x7f }, (_, index) => index + 0x80);
  const isLate = (lead: number): boolean =>
    encoding === "shift_jis" ? lead === 0xed || lead === 0xee : encoding === "big5" && lead < 0xa1;
  return [...all.filter((lead) => !isLate(lead)), ...all.filter(isLate)];
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
