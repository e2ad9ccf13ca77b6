/** Promise 2 at its root: what decodes encodes to the same bytes, and what would not is refused with its place. */
import { describe, expect, test } from "bun:test";
import { fc } from "../property.ts";
import { applyEdits, decodeText, encodeText, ENCODING_NAMES, isEncodingName } from "../../src/text/index.ts";
import type { EncodingName, LegacyEncoding } from "../../src/text/index.ts";

const LEGACY = ENCODING_NAMES.filter((name): name is LegacyEncoding => !name.startsWith("utf-"));

function bytesOf(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

function encoded(text: string, encoding: EncodingName): number[] {
  const result = encodeText(text, encoding);
  if (result.kind !== "bytes") throw new Error(`unencodable at ${result.offset}`);
  return [...result.bytes];
}

describe("decodeText", () => {
  test("decodeText() reads UTF-8, with and without a mark, and keeps the mark out of the text", () => {
    expect(decodeText(bytesOf(0x61, 0xc3, 0xa9))).toEqual({ kind: "text", text: "aé", encoding: "utf-8" });
    expect(decodeText(bytesOf(0xef, 0xbb, 0xbf, 0x61))).toEqual({
      kind: "text",
      text: "a",
      encoding: "utf-8-bom",
    });
    expect(decodeText(bytesOf())).toEqual({ kind: "text", text: "", encoding: "utf-8" });
  });

  test("decodeText() keeps a second mark as a character", () => {
    const bytes = bytesOf(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf);
    expect(decodeText(bytes)).toEqual({ kind: "text", text: "\uFEFF", encoding: "utf-8-bom" });
    expect(encoded("\uFEFF", "utf-8-bom")).toEqual([...bytes]);
  });

  test.each([
    [[0x61, 0xff], 1],
    [[0x61, 0x62, 0xc3, 0x28], 2],
    [[0xc0, 0xaf], 0],
    [[0x61, 0xed, 0xa0, 0x80], 1],
    [[0xe2, 0x82], 0],
    [[0x41, 0xf4, 0x90, 0x80, 0x80], 1],
    [[0xef, 0xbb, 0xbf, 0x41, 0x80], 4],
  ])("decodeText() names the first bad byte of %p", (values, offset) => {
    const result = decodeText(Uint8Array.from(values));
    expect(result).toMatchObject({ kind: "not_text", offset });
  });

  test("decodeText() takes a NUL in the first 8 KiB for binary, a later one for a character", () => {
    expect(decodeText(bytesOf(0x61, 0x00, 0x62))).toMatchObject({ kind: "not_text", offset: 1 });
    const late = new Uint8Array(9000).fill(0x61);
    late[8500] = 0;
    expect(decodeText(late)).toMatchObject({ kind: "text", encoding: "utf-8" });
    expect(decodeText(bytesOf(0x61, 0x00), { legacy: "windows-1252" }).kind).toBe("not_text");
  });

  test("decodeText() reads UTF-16 by its mark and refuses what is not whole", () => {
    expect(decodeText(bytesOf(0xff, 0xfe, 0x61, 0x00, 0x3d, 0xd8, 0x00, 0xde))).toEqual({
      kind: "text",
      text: "a😀",
      encoding: "utf-16le",
    });
    expect(decodeText(bytesOf(0xfe, 0xff, 0x00, 0x61))).toEqual({
      kind: "text",
      text: "a",
      encoding: "utf-16be",
    });
    expect(decodeText(bytesOf(0xff, 0xfe, 0x61))).toMatchObject({ kind: "not_text", offset: 2 });
    expect(decodeText(bytesOf(0xff, 0xfe, 0x61, 0, 0x00, 0xd8))).toMatchObject({
      kind: "not_text",
      offset: 4,
    });
    expect(decodeText(bytesOf(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)).kind).toBe("not_text");
    expect(decodeText(bytesOf(0x61, 0x00), { encoding: "utf-16le" }).kind).toBe("not_text");
  });

  test("decodeText() tries the legacy page only for what is not UTF-8", () => {
    const gbk = bytesOf(0xc4, 0xe3, 0x0a);
    expect(decodeText(gbk)).toMatchObject({ kind: "not_text", offset: 0 });
    expect(decodeText(gbk, { legacy: "gbk" })).toEqual({ kind: "text", text: "你\n", encoding: "gbk" });
    expect(decodeText(Buffer.from("é"), { legacy: "gbk" })).toMatchObject({ text: "é", encoding: "utf-8" });
  });

  test("decodeText() refuses legacy bytes that would come back different", () => {
    // NEC's copy of an IBM character: the decoder knows both, only 0xFA 0x5C would be written.
    expect(decodeText(bytesOf(0x41, 0xed, 0x40), { encoding: "shift_jis" })).toMatchObject({
      kind: "not_text",
      offset: 1,
    });
    expect(decodeText(bytesOf(0xfa, 0x5c), { encoding: "shift_jis" })).toMatchObject({ text: "纊" });
    expect(decodeText(bytesOf(0x41, 0x42, 0xff), { encoding: "gbk" })).toMatchObject({ offset: 2 });
  });

  test("iso-8859-1 is Latin-1 and not the web's windows-1252", () => {
    expect(decodeText(bytesOf(0x80), { encoding: "iso-8859-1" })).toMatchObject({ text: "\u0080" });
    expect(decodeText(bytesOf(0x80), { encoding: "windows-1252" })).toMatchObject({ text: "€" });
    expect(encoded("é", "iso-8859-1")).toEqual([0xe9]);
    expect(encodeText("a€", "iso-8859-1")).toEqual({ kind: "unencodable", offset: 1, character: "€" });
  });
});

describe("encodeText", () => {
  test("encodeText() writes marks and legacy bytes", () => {
    expect(encoded("a", "utf-8-bom")).toEqual([0xef, 0xbb, 0xbf, 0x61]);
    expect(encoded("a", "utf-16le")).toEqual([0xff, 0xfe, 0x61, 0x00]);
    expect(encoded("a", "utf-16be")).toEqual([0xfe, 0xff, 0x00, 0x61]);
    expect(encoded("あ\\~", "shift_jis")).toEqual([0x82, 0xa0, 0x5c, 0x7e]);
    expect(encoded("丂", "euc-jp")).toEqual([0x8f, 0xb0, 0xa1]);
    expect(encoded("가", "euc-kr")).toEqual([0xb0, 0xa1]);
    expect(encoded("一", "big5")).toEqual([0xa4, 0x40]);
    expect(encoded("€", "iso-8859-15")).toEqual([0xa4]);
  });

  test("encodeText() names what has no bytes", () => {
    expect(encodeText("ab😀", "gbk")).toEqual({ kind: "unencodable", offset: 2, character: "😀" });
    expect(encodeText("x你", "windows-1252")).toEqual({ kind: "unencodable", offset: 1, character: "你" });
  });

  test.each([...ENCODING_NAMES])("encodeText() refuses half a surrogate pair in %s", (encoding) => {
    expect(encodeText("a\uD800b", encoding)).toEqual({ kind: "unencodable", offset: 1, character: "\uD800" });
  });
});

test("isEncodingName knows exactly the listed names", () => {
  expect(ENCODING_NAMES.every(isEncodingName)).toBe(true);
  expect(isEncodingName("utf8")).toBe(false);
  expect(ENCODING_NAMES).toHaveLength(14);
});

describe("round trip", () => {
  const mostlyText = fc.uint8Array({ maxLength: 60 });

  test("bytes that are decoded are encoded to the same bytes", () => {
    fc.assert(
      fc.property(mostlyText, fc.constantFrom("auto" as const, ...ENCODING_NAMES), (bytes, encoding) => {
        const decoded = decodeText(bytes, { encoding, legacy: "shift_jis" });
        if (decoded.kind === "text") expect(encoded(decoded.text, decoded.encoding)).toEqual([...bytes]);
      }),
      { numRuns: 3000 },
    );
  });

  test("text with a mark survives every Unicode form", () => {
    const unicode = fc.constantFrom<EncodingName>("utf-8-bom", "utf-16le", "utf-16be");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), unicode, (text, encoding) => {
        fc.pre(encoding !== "utf-16le" || !text.startsWith("\0"));
        const bytes = Uint8Array.from(encoded(text, encoding));
        expect(decodeText(bytes)).toEqual({ kind: "text", text, encoding });
      }),
    );
  });

  test.each(LEGACY)("every pair of bytes of %s survives or is refused", (encoding) => {
    let accepted = 0;
    for (let pair = 0x8140; pair < 0x10000; pair++) {
      const bytes = bytesOf(0x41, pair >> 8, pair & 0xff, 0x42);
      const decoded = decodeText(bytes, { encoding });
      if (decoded.kind !== "text") continue;
      accepted++;
      expect(decoded.text).not.toContain("\uFFFD");
      expect(Buffer.compare(Uint8Array.from(encoded(decoded.text, encoding)), bytes)).toBe(0);
    }
    expect(accepted).toBeGreaterThan(5000);
  });

  test("offset of a refusal is the first byte that a decoder refuses", () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 1, maxLength: 20 }), (bytes) => {
        const result = decodeText(bytes, { encoding: "utf-8" });
        if (result.kind === "text") return;
        expect(decodeText(bytes.subarray(0, result.offset), { encoding: "utf-8" }).kind).toBe("text");
        expect(new TextDecoder().decode(bytes.subarray(result.offset))[0]).toBe("\uFFFD");
      }),
    );
  });
});

function edit(bytes: Uint8Array, oldText: string, newText: string, legacy: LegacyEncoding): number[] {
  const decoded = decodeText(bytes, { legacy });
  if (decoded.kind !== "text") throw new Error(decoded.reason);
  const result = applyEdits(decoded.text, [{ oldText, newText }]);
  if (result.kind !== "edited") throw new Error(result.kind);
  return encoded(result.text, decoded.encoding);
}

describe("an edit of bytes", () => {
  test("an edit of bytes in a GBK file changes ASCII and nothing else", () => {
    const bytes = bytesOf(0xc4, 0xe3, 0xba, 0xc3, 0x3d, 0x31, 0x0d, 0x0a, 0x80, 0x0a);
    expect(edit(bytes, "=1", "=22", "gbk")).toEqual([0xc4, 0xe3, 0xba, 0xc3, 0x3d, 0x32, 0x32, 0x0d, 0x0a, 0x80, 0x0a]);
  });

  test("on line 1 of a file with a mark keeps the mark", () => {
    const bytes = bytesOf(0xef, 0xbb, 0xbf, 0x61, 0x0a, 0x62);
    expect(edit(bytes, "a\n", "x\n", "gbk")).toEqual([0xef, 0xbb, 0xbf, 0x78, 0x0a, 0x62]);
  });

  test("in UTF-16 keeps mark and byte order", () => {
    const bytes = bytesOf(0xfe, 0xff, 0x00, 0x61, 0x00, 0x0d, 0x00, 0x0a, 0x00, 0x62);
    expect(edit(bytes, "a\nb", "a\nc", "gbk")).toEqual([0xfe, 0xff, 0x00, 0x61, 0x00, 0x0d, 0x00, 0x0a, 0x00, 0x63]);
  });
});
