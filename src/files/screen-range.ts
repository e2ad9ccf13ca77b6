/**
 * Ranges of a file that holds a secret: two of them must not give in halves what one of them would not give whole. What is
 * around the range is looked at too, as far as a secret reaches; the rest of the file is not.
 *
 * Usual mistake: to look at the answer alone. Half a token looks like nothing.
 */
import { Failure, limits } from "../base/index.ts";
import { readSource, type FileSource, type SecretLook } from "./file-source.ts";

/** How far is looked around a range of bytes, before a range of lines, and behind the cut of a long line. */
const AROUND_BYTES: number = 64 * 1024;
const BEFORE_CHARS: number = 256 * 1024;
const BEHIND_CHARS: number = 16 * 1024;
/** A file that is read in another encoding than its own is judged by its bytes up to this size. */
const MAX_JUDGED_BYTES: number = 4 * 1024 * 1024;

/** @throws Failure `denied` for bytes in or beside which a secret lies */
export function screenBytes(source: FileSource, start: number, length: number): void {
  const { secrets } = source.ctx;
  if (!secrets) return;
  const from = Math.max(0, start - AROUND_BYTES);
  const bytes = readSource(source, from, start - from + length + AROUND_BYTES);
  if (holdsSecret(bytes, secrets)) throw secretBytes("the bytes");
}

/** Bytes that are read as UTF-16, or UTF-16 that is read as bytes, show a secret in a form that nobody would know. */
export function screenEncoding(source: FileSource, bytes: Buffer, text: string): void {
  const { ctx, request } = source;
  const { encoding = "auto" } = request;
  if (!ctx.secrets || encoding === "auto" || bytes.length > MAX_JUDGED_BYTES) return;
  const [own, raw] = [text, plainly(bytes)].map((one) => ctx.secrets?.redact(one).count ?? 0);
  if ((raw ?? 0) > (own ?? 0)) throw secretBytes(`the file as ${encoding}`);
}

/** Replaces the part of a secret that begins before a range and that the range from `start` on would show. */
export function screenStart(text: string, start: number, secrets: SecretLook): string {
  const found = secrets.findBegun(text.slice(Math.max(0, start - BEFORE_CHARS), start), text.slice(start));
  if (!found) return text;
  const [from, to] = [start + found.start, start + found.end];
  // Lines keep their numbers.
  const lines = text.slice(from, to).replaceAll(/[^\n]+/g, "");
  return text.slice(0, from) + found.placeholder + lines + text.slice(to);
}

/** Screens a range of a large file, with which the text begins. @param kept bytes of one line that is cut; 0 for whole lines */
export function screenWindow(source: FileSource, text: string, position: number, kept: number): string {
  const { secrets } = source.ctx;
  if (!secrets) return text;
  const from = Math.max(0, position - AROUND_BYTES);
  const before = plainly(readSource(source, from, position - from));
  const screened = screenStart(before + text, before.length, secrets).slice(before.length);
  if (kept === 0) return screenLongLines(screened, secrets);
  return screenCut(screened, plainly(readSource(source, position + kept, BEHIND_CHARS)), secrets);
}

/** Screens the beginning of a long line, whose cut may go through a secret. */
export function screenCut(kept: string, behind: string, secrets: SecretLook): string {
  const [alone, whole] = [secrets.redact(kept).text, secrets.redact(kept + behind).text];
  if (whole.startsWith(alone)) return kept;
  let same = 0;
  while (same < alone.length && alone[same] === whole[same]) same++;
  return whole.slice(0, same) + (/^\[secret:[0-9a-f]{6}\]/.exec(whole.slice(same))?.[0] ?? "");
}

/** Screens lines that will be cut, as far as a secret that begins before the cut could reach. */
export function screenLongLines(text: string, secrets: SecretLook): string {
  if (!hasLongLine(text)) return text;
  const border = limits.MAX_READ_LINE_BYTES + BEHIND_CHARS;
  return text
    .split("\n")
    .map((line) =>
      Buffer.byteLength(line) > limits.MAX_READ_LINE_BYTES
        ? secrets.redact(line.slice(0, border)).text + line.slice(border)
        : line,
    )
    .join("\n");
}

/** Finds out without splitting the text, because most texts have no long line. */
function hasLongLine(text: string): boolean {
  let at = 0;
  for (let next = text.indexOf("\n"); next !== -1; next = text.indexOf("\n", at)) {
    // A character may have three bytes.
    if ((next - at) * 3 > limits.MAX_READ_LINE_BYTES) return true;
    at = next + 1;
  }
  return (text.length - at) * 3 > limits.MAX_READ_LINE_BYTES;
}

/** Whether a secret is recognised in bytes that cannot be shown with a part of them replaced. */
export function holdsSecret(bytes: Buffer, secrets: Pick<SecretLook, "redact">): boolean {
  const count = (text: string): number => secrets.redact(text).count;
  return count(bytes.toString("latin1")) > 0 || (bytes.includes(0) && count(plainly(bytes)) > 0);
}

/** Reads bytes as one character each, without the NUL that UTF-16 has in every ASCII character. */
function plainly(bytes: Buffer): string {
  return bytes.toString("latin1").replaceAll("\0", "");
}

function secretBytes(what: string): Failure {
  return new Failure("denied", `Cannot give ${what}: the file holds a secret there`, {
    hint: "Read it as text: secrets are replaced by placeholders there.",
  });
}
