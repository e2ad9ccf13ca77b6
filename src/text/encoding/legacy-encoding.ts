/**
 * Code pages from before Unicode, both ways. The runtime only decodes them, so the way back is a table built from its
 * own decoder on first use; what one direction gives the other takes back byte for byte, or it is refused.
 *
 * Usual mistake: trusting a fatal decoder. Several byte pairs can decode to one character (NEC and IBM rows of
 * Shift_JIS, the euro of GBK), and only one of them would be written back; hence the comparison with the original.
 */

export const LEGACY_ENCODINGS = [
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

type LegacyDecoded =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "not_exact"; readonly offset: number };
type LegacyEncoded =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "unencodable"; readonly offset: number };

/** Decodes bytes only if `encodeLegacy` gives exactly these bytes again. */
export function decodeLegacy(bytes: Uint8Array, encoding: LegacyEncoding): LegacyDecoded {
  if (encoding === "iso-8859-1") return { kind: "text", text: asBuffer(bytes).toString("latin1") };
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  const again = write(text, tableOf(encoding));
  const offset = firstDifference(bytes, again.bytes);
  return offset === -1 ? { kind: "text", text } : { kind: "not_exact", offset };
}

export function encodeLegacy(text: string, encoding: LegacyEncoding): LegacyEncoded {
  const { bytes, stoppedAt } = write(text, tableOf(encoding));
  return stoppedAt === -1 ? { kind: "bytes", bytes } : { kind: "unencodable", offset: stoppedAt };
}

/** For each code unit (or, above U+FFFF, code point) its bytes as one number, with their count in the top eight bits. */
interface Table {
  readonly units: Uint32Array;
  readonly astral: ReadonlyMap<number, number>;
  readonly longest: number;
}

/** Writes until the end, or until the first character that has no bytes. */
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
  if (isDoubleByte(encoding)) {
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

function isDoubleByte(encoding: LegacyEncoding): boolean {
  return ["shift_jis", "gbk", "euc-kr", "euc-jp", "big5"].includes(encoding);
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
