/**
 * From the text that a caller gives to the bytes that will stand in the file: its encoding is kept unless another is
 * asked for, and a character that cannot be written is refused with its place, never replaced.
 */
import { Failure, limits } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import {
  decodeText,
  encodeText,
  findPlaceholder,
  isEncodingName,
  type EncodingName,
  type LegacyEncoding,
} from "../../text/index.ts";
import type { WriteChange } from "../model.ts";
import type { SealContext } from "./context.ts";
import type { Target } from "./target.ts";

export function encodeContent(
  change: Pick<WriteChange, "path" | "content" | "encoding">,
  target: Target,
  ctx: SealContext,
): Uint8Array {
  const asked = change.encoding;
  if (asked !== undefined && !isEncodingName(asked))
    throw new Failure(
      "invalid_input",
      `Cannot write "${quotable(change.path)}": the encoding ${JSON.stringify(asked)} is not known`,
    );
  const present = target.bytes === undefined ? undefined : decodeText(target.bytes, legacyOf(ctx));
  const encoding = asked ?? (present?.kind === "text" ? present.encoding : "utf-8");
  return encodeOrFail(change.content, encoding, change.path, "write");
}

export function encodeOrFail(text: string, encoding: EncodingName, path: string, verb: string): Uint8Array {
  const encoded = encodeText(text, encoding);
  if (encoded.kind === "bytes") {
    if (encoded.bytes.length <= limits.MAX_WRITE_BYTES) return encoded.bytes;
    throw new Failure(
      "too_large",
      `Cannot ${verb} "${quotable(path)}": the new content has ${encoded.bytes.length} bytes, and ${limits.MAX_WRITE_BYTES} is the most`,
    );
  }
  const { character, offset } = encoded;
  const way = character.isWellFormed()
    ? "leave it out, or write the file with encoding: utf-8"
    : "it is half of a pair, which no encoding can write: give the whole character, or leave it out";
  throw new Failure(
    "not_text",
    `Cannot ${verb} "${quotable(path)}": ${JSON.stringify(character)} cannot be written in ${encoding}`,
    { hint: `The character stands at index ${offset} of the new text; ${way}.`, details: { offset } },
  );
}

export function decodeBase64(change: WriteChange): Uint8Array {
  const text = change.content.replaceAll(/\s/g, "");
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    throw new Failure("invalid_input", `Cannot write "${quotable(change.path)}": the content is not base64`);
  return Buffer.from(text, "base64");
}

export function textOf(bytes: Uint8Array, ctx: SealContext): string | undefined {
  const decoded = decodeText(bytes, legacyOf(ctx));
  return decoded.kind === "text" ? decoded.text : undefined;
}

/** The option that decoding takes, from the configured code page. */
export function legacyOf(ctx: SealContext): { readonly legacy?: LegacyEncoding } {
  return ctx.legacyEncoding === undefined ? {} : { legacy: ctx.legacyEncoding };
}

/** Content that says "the rest stays" would delete the rest. */
export function refusePlaceholder(change: WriteChange, oldText: string | undefined): void {
  const found = oldText === undefined ? undefined : findPlaceholder(change.content, oldText);
  if (!found) return;
  throw new Failure(
    "invalid_input",
    `Cannot write "${quotable(change.path)}": line ${found.line} is a placeholder (${JSON.stringify(found.text)}), and would delete what it stands for`,
    {
      hint: "Write the whole content, or use edit_file for a part of it.",
    },
  );
}
