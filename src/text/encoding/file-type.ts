/**
 * What a file is, from its first bytes: by the signatures of file formats, kept as data, else by what its text looks
 * like. Its name is believed only to say which kind of text it is, because a name is what an attacker or an accident
 * chooses.
 *
 * Usual mistakes: deciding "binary" by extension, though `.ts` is also a video and `.dat` is often text; signatures of
 * two bytes, though "BM" and "MZ" begin many words, so those are checked for what must follow.
 */
import { decodeText } from "./encoding.ts";

export interface FileType {
  readonly mime: string;
  readonly kind: "text" | "image" | "binary";
}

/** `head`: the first bytes of the file, up to 4 KiB; it may end inside a character. */
export function sniffType(head: Uint8Array, name: string): FileType {
  const magic = sniffMagic(head);
  if (magic) return magic;
  const text = decodeHead(head);
  if (text === undefined) return { mime: "application/octet-stream", kind: "binary" };
  // Each comment ends at its first `-->`, or many comments would make the expression exponential.
  if (/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(text)) {
    return { mime: "image/svg+xml", kind: "text" };
  }
  return { mime: textMime(text, name), kind: "text" };
}

function decodeHead(head: Uint8Array): string | undefined {
  const whole = decodeText(head);
  if (whole.kind === "text") return whole.text;
  // A character cut by the end of the head is no sign of anything: at most three bytes of it can stand there.
  if (head.length - whole.offset > 3) return undefined;
  const shorter = decodeText(head.subarray(0, whole.offset));
  if (shorter.kind !== "text") return undefined;
  const isUtf16 = shorter.encoding === "utf-16le" || shorter.encoding === "utf-16be";
  const lead = head[whole.offset] ?? 0;
  return isUtf16 || (lead >= 0xc2 && lead <= 0xf4) ? shorter.text : undefined;
}

function textMime(text: string, name: string): string {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const byName = TEXT_TYPES.get(extension);
  if (byName !== undefined) return byName;
  const start = text.slice(0, 200).trimStart().toLowerCase();
  if (start.startsWith("<!doctype html") || start.startsWith("<html")) return "text/html";
  if (start.startsWith("<?xml")) return "application/xml";
  if (start.startsWith("#!")) return "text/x-script";
  return "text/plain";
}

/** The extensions of each type. */
const TEXT_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "application/json": "json",
    "text/html": "html htm",
    "application/xml": "xml",
    "text/css": "css",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "text/markdown": "md markdown",
    "text/javascript": "js mjs cjs jsx",
    "text/typescript": "ts mts tsx",
    "text/x-python": "py",
    "text/x-rust": "rs",
    "text/x-go": "go",
    "text/x-c": "c h",
    "text/x-c++": "cpp hpp",
    "text/x-java": "java",
    "text/x-shellscript": "sh",
    "application/yaml": "yaml yml",
    "application/toml": "toml",
    "application/sql": "sql",
  }).flatMap(([mime, extensions]) => extensions.split(" ").map((extension) => [extension, mime] as const)),
);

interface MagicType {
  readonly mime: string;
  readonly kind: "image" | "binary";
}

function sniffMagic(head: Uint8Array): MagicType | undefined {
  const latin = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1");
  const found = SIGNATURES.find(
    ([signature, , offset = 0, test]) => latin.startsWith(signature, offset) && (test?.(latin) ?? true),
  );
  if (!found) return undefined;
  return { mime: found[1], kind: found[1].startsWith("image/") ? "image" : "binary" };
}

type Signature = readonly [signature: string, mime: string, offset?: number, test?: (latin: string) => boolean];

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
