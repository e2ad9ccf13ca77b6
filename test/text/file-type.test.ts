/** Formats by their first bytes; the name is believed only among kinds of text. */
import { describe, expect, test } from "bun:test";
import { sniffType } from "../../src/text/index.ts";
import type * as text from "../../src/text/index.ts";
import { expectGrowth } from "../steps/count-steps.ts";
import { loadCounted } from "../steps/load-counted.ts";

function head(latin: string): Uint8Array {
  return Buffer.from(latin, "latin1");
}

test.each([
  ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png", "image"],
  ["\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg", "image"],
  ["GIF89a\x01\0", "image/gif", "image"],
  ["RIFF\x24\0\0\0WEBPVP8 ", "image/webp", "image"],
  ["RIFF\x24\0\0\0WAVEfmt ", "audio/wav", "binary"],
  ["BM\x46\0\0\0\0\0\0\0", "image/bmp", "image"],
  ["II*\0\x08\0\0\0", "image/tiff", "image"],
  ["\0\0\x01\0\x01\0\x10\x10", "image/x-icon", "image"],
  ["\0\0\0\x1cftypavif", "image/avif", "image"],
  ["\0\0\0\x18ftypheic", "image/heic", "image"],
  ["\0\0\0\x18ftypisom", "video/mp4", "binary"],
  ["%PDF-1.7\n", "application/pdf", "binary"],
  ["PK\x03\x04\x14\0", "application/zip", "binary"],
  ["\x1f\x8b\x08\0", "application/gzip", "binary"],
  ["BZh91AY&SY", "application/x-bzip2", "binary"],
  ["\xfd7zXZ\0\0", "application/x-xz", "binary"],
  ["\x28\xb5\x2f\xfd\x04", "application/zstd", "binary"],
  ["7z\xbc\xaf\x27\x1c\0", "application/x-7z-compressed", "binary"],
  [`${"name".padEnd(257, "\0")}ustar`, "application/x-tar", "binary"],
  ["\x7fELF\x02\x01", "application/x-elf", "binary"],
  ["\xcf\xfa\xed\xfe\x07", "application/x-mach-binary", "binary"],
  ["\xca\xfe\xba\xbe\0\0\0\x02", "application/x-mach-binary", "binary"],
  ["\xca\xfe\xba\xbe\0\0\0\x3d", "application/java-vm", "binary"],
  ["MZ\x90\0\x03\0", "application/vnd.microsoft.portable-executable", "binary"],
  ["\0asm\x01\0\0\0", "application/wasm", "binary"],
  ["SQLite format 3\0\x10", "application/vnd.sqlite3", "binary"],
  ["ID3\x04\0", "audio/mpeg", "binary"],
  ["OggS\0", "audio/ogg", "binary"],
  ["fLaC\0", "audio/flac", "binary"],
  ["\0\x01\0\0\0\x0c", "font/ttf", "binary"],
  ["OTTO\0\x0c", "font/otf", "binary"],
  ["wOFF\0", "font/woff", "binary"],
  ["wOF2\0", "font/woff2", "binary"],
  ["\x01\x02\0\x03", "application/octet-stream", "binary"],
  ["abc\0", "application/octet-stream", "binary"],
  ["text and \xff", "application/octet-stream", "binary"],
  ["\x80\x81\x82\x83\x84\x85", "application/octet-stream", "binary"],
])("%j is %s", (latin, mime, kind) => {
  expect(sniffType(head(latin), "name.txt")).toEqual({ mime, kind } as never);
});

describe("text", () => {
  test.each([
    ["", "a", "text/plain"],
    ["hello", "a.txt", "text/plain"],
    ['{"a":1}', "a.JSON", "application/json"],
    ["x", "dir.ts/readme", "text/plain"],
    ["x", "a.ts", "text/typescript"],
    ["<!DOCTYPE html><p>", "page", "text/html"],
    ["<?xml version='1.0'?><a/>", "a", "application/xml"],
    ['<?xml version="1.0"?>\n<!-- c -->\n<svg xmlns="x">', "a.xml", "image/svg+xml"],
    ["<svg>", "a", "image/svg+xml"],
    ["#!/bin/sh\n", "run", "text/x-script"],
    ["BMW and MZ are letters", "a", "text/plain"],
    ["OTTO is a name", "a", "text/plain"],
    ["ID3 tags explained", "a", "text/plain"],
  ])("the type of %j in %s is text", (text, name, mime) => {
    expect(sniffType(Buffer.from(text), name)).toEqual({ mime, kind: "text" });
  });

  test("a head that ends inside a character is text", () => {
    const whole = Buffer.from("abc😀");
    expect(sniffType(whole.subarray(0, whole.length - 1), "a").kind).toBe("text");
    expect(sniffType(whole.subarray(0, whole.length - 3), "a").kind).toBe("text");
    expect(sniffType(Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62]), "a").kind).toBe("text");
  });

  test("many comments take no noticeable time", async () => {
    const counted = await loadCounted<typeof text>("src/text/index.ts");
    expectGrowth({ size: 250, mostGrowth: 2.1, mostPerUnit: 135 }, (comments) => {
      const bytes = head("<!-- -->".repeat(comments));
      return () => counted.sniffType(bytes, "a");
    });
    expect(sniffType(Buffer.from("<!-- -->".repeat(500)), "a").mime).toBe("text/plain");
  });
});
