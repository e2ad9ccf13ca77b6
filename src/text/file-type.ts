/**
 * What a file is, from its first bytes. Its name is believed only to say which kind of text it is, because a name is
 * what an attacker or an accident chooses.
 *
 * Usual mistake: deciding "binary" by extension; `.ts` is also a video and `.dat` is often text.
 */
import { decodeText } from "./encoding.ts";
import { sniffMagic } from "./sniff-magic.ts";

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
  if (
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(text)
  ) {
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
  return isUtf16 || isUtf8Lead(head[whole.offset] ?? 0) ? shorter.text : undefined;
}

function isUtf8Lead(byte: number): boolean {
  return byte >= 0xc2 && byte <= 0xf4;
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

const TEXT_TYPES: ReadonlyMap<string, string> = new Map([
  ["json", "application/json"],
  ["html", "text/html"],
  ["htm", "text/html"],
  ["xml", "application/xml"],
  ["css", "text/css"],
  ["csv", "text/csv"],
  ["tsv", "text/tab-separated-values"],
  ["md", "text/markdown"],
  ["markdown", "text/markdown"],
  ["js", "text/javascript"],
  ["mjs", "text/javascript"],
  ["cjs", "text/javascript"],
  ["jsx", "text/javascript"],
  ["ts", "text/typescript"],
  ["mts", "text/typescript"],
  ["tsx", "text/typescript"],
  ["py", "text/x-python"],
  ["rs", "text/x-rust"],
  ["go", "text/x-go"],
  ["c", "text/x-c"],
  ["h", "text/x-c"],
  ["cpp", "text/x-c++"],
  ["hpp", "text/x-c++"],
  ["java", "text/x-java"],
  ["sh", "text/x-shellscript"],
  ["yaml", "application/yaml"],
  ["yml", "application/yaml"],
  ["toml", "application/toml"],
  ["sql", "application/sql"],
]);
