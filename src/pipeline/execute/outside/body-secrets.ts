/**
 * Secrets in what is about to leave, looked for in all of it: a body comes in pieces, so that neither memory nor the time in which
 * nothing else is done grows with it.
 *
 * Invariant: a piece goes on into the next one by more than the longest secret that is known, in its longest spelling.
 */
import { findPlaceholder, type Redactor } from "../../../policy/index.ts";

const PIECE_BYTES: number = 1024 * 1024;
/** A token of three parts has 8,000 characters, each of which may be `%41` in two bytes. */
const OVERLAP_BYTES: number = 64 * 1024;
/** Some characters of UTF-16, in either order of its bytes. */
const WIDE = /(?:[\t\n\r\x20-\x7e]\0){8}/;

export function haveSecret(texts: readonly string[], redactor: Redactor): boolean {
  return texts.some((text) => redactor(text).count > 0 || findPlaceholder(text) !== undefined);
}

export async function bodyHasSecret(body: Uint8Array, redactor: Redactor): Promise<boolean> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (at > 0) await new Promise(setImmediate);
    if (haveSecret(textsOf(bytes.subarray(at, at + PIECE_BYTES + OVERLAP_BYTES)), redactor)) return true;
  }
  return false;
}

export function percentDecoded(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A piece in every way in which it can be read as text that the redactor knows. */
function textsOf(piece: Buffer): readonly string[] {
  const text = piece.toString("latin1");
  const texts = WIDE.test(text) ? [text, ...wideTexts(piece)] : [text];
  return texts.flatMap((one) => (one.includes("%") ? [one, percentDecoded(one)] : [one]));
}

/** Such a text may lie anywhere in a file of something else. */
function wideTexts(piece: Buffer): readonly string[] {
  return [0, 1].flatMap((from) => {
    const pairs = Buffer.from(piece.subarray(from, from + Math.floor((piece.length - from) / 2) * 2));
    return [pairs.toString("utf16le"), pairs.swap16().toString("utf16le")];
  });
}
