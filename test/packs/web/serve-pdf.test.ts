/**
 * Documents as people have them, of which a part has no text or cannot be read: that part is named, and the rest is there.
 */
import { expect, test } from "bun:test";
import { readPdf } from "../../../src/packs/web/serve-pdf.ts";
import { makePdf } from "./make-pdf.ts";

/** Without a table of objects, so that a part of it can be another one. */
function pdfWith(texts: readonly string[], part: string, other: string): Uint8Array {
  const pdf = Buffer.from(makePdf(texts, 1)).toString("latin1");
  expect(pdf).toContain(part);
  return Buffer.from(pdf.replace(part, other), "latin1");
}

test("a page without text is said to be a scan, perhaps", async () => {
  const { text, notes } = await readPdf(makePdf(["one", "", "three"]));
  expect(text).toBe("## Page 1\n\none\n\n## Page 2\n\n\n\n## Page 3\n\nthree");
  expect(notes).toEqual(["Page 2 without text, which may be a scan"]);
});

test("a page that is broken loses the others nothing", async () => {
  const { text, notes } = await readPdf(pdfWith(["one", "two"], "/Kids [4 0 R 6 0 R]", "/Kids [4 0 R 99 0 R]"));
  expect(text).toBe("## Page 1\n\none\n\n## Page 2\n\n[It cannot be read.]");
  expect(notes).toEqual(["Page 2 cannot be read"]);
});

test("text in a font whose encoding no document carries is said to be missing", async () => {
  const font = `<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font
    /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >>
    /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [0 0 1000 1000] >> >>] >>`;
  const { notes } = await readPdf(pdfWith(["ab"], "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", font));
  expect(notes).toEqual([
    "Page 1 without text",
    "Text in fonts with the encoding UniGB-UCS2-H is left out, for it cannot be read",
  ]);
});
