/**
 * Known first bytes of file formats, as data. Order matters only where one signature is the beginning of another.
 *
 * Usual mistake: two-byte signatures; "BM" and "MZ" begin many words, so those are checked for what must follow.
 */

export interface MagicType {
  readonly mime: string;
  readonly kind: "image" | "binary";
}

/** The format whose signature the bytes carry. */
export function sniffMagic(head: Uint8Array): MagicType | undefined {
  const latin = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1");
  const found = SIGNATURES.find(
    ([signature, , offset = 0, test]) => latin.startsWith(signature, offset) && (test?.(latin) ?? true),
  );
  if (!found) return undefined;
  return { mime: found[1], kind: found[1].startsWith("image/") ? "image" : "binary" };
}

type Signature = readonly [
  signature: string,
  mime: string,
  offset?: number,
  test?: (latin: string) => boolean,
];

const SIGNATURES: readonly Signature[] = [
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["RIFF", "image/webp", 0, (latin) => latin.startsWith("WEBP", 8)],
  ["RIFF", "audio/wav", 0, (latin) => latin.startsWith("WAVE", 8)],
  ["RIFF", "video/x-msvideo", 0, (latin) => latin.startsWith("AVI ", 8)],
  ["BM", "image/bmp", 0, (latin) => latin.slice(6, 10) === "\0\0\0\0"],
  ["II*\0", "image/tiff"],
  ["MM\0*", "image/tiff"],
  ["\0\0\x01\0", "image/x-icon", 0, (latin) => latin.charCodeAt(4) > 0 && latin[5] === "\0"],
  ["ftypavif", "image/avif", 4],
  ["ftypavis", "image/avif", 4],
  ["ftyphei", "image/heic", 4],
  ["ftyphev", "image/heic", 4],
  ["ftypmif1", "image/heic", 4],
  ["ftypqt", "video/quicktime", 4],
  ["ftypM4A", "audio/mp4", 4],
  ["ftyp", "video/mp4", 4],
  ["\0\0\0\x0cJXL \r\n\x87\n", "image/jxl"],
  ["%PDF-", "application/pdf"],
  ["PK\x03\x04", "application/zip"],
  ["PK\x05\x06", "application/zip"],
  ["\x1f\x8b", "application/gzip"],
  ["BZh", "application/x-bzip2", 0, (latin) => latin.startsWith("1AY&SY", 4)],
  ["\xfd7zXZ\0", "application/x-xz"],
  ["\x28\xb5\x2f\xfd", "application/zstd"],
  ["7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"],
  ["Rar!\x1a\x07", "application/vnd.rar"],
  ["ustar", "application/x-tar", 257],
  ["\x7fELF", "application/x-elf"],
  ["\xfe\xed\xfa\xce", "application/x-mach-binary"],
  ["\xfe\xed\xfa\xcf", "application/x-mach-binary"],
  ["\xce\xfa\xed\xfe", "application/x-mach-binary"],
  ["\xcf\xfa\xed\xfe", "application/x-mach-binary"],
  // A fat Mach-O counts its few architectures where a class file has its version, 45 or more.
  ["\xca\xfe\xba\xbe", "application/java-vm", 0, (latin) => latin.charCodeAt(7) >= 45],
  ["\xca\xfe\xba\xbe", "application/x-mach-binary"],
  ["MZ", "application/vnd.microsoft.portable-executable", 0, (latin) => latin.includes("\0")],
  ["\0asm", "application/wasm"],
  ["SQLite format 3\0", "application/vnd.sqlite3"],
  ["ID3", "audio/mpeg", 0, (latin) => latin.charCodeAt(3) < 0x10],
  ["\xff\xfb", "audio/mpeg"],
  ["\xff\xf3", "audio/mpeg"],
  ["\xff\xf2", "audio/mpeg"],
  ["OggS", "audio/ogg"],
  ["fLaC", "audio/flac"],
  ["\x1aE\xdf\xa3", "video/x-matroska"],
  ["\0\x01\0\0\0", "font/ttf"],
  ["OTTO", "font/otf", 0, (latin) => latin.includes("\0")],
  ["wOFF", "font/woff"],
  ["wOF2", "font/woff2"],
  ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"],
  ["!<arch>\n", "application/x-archive"],
];
