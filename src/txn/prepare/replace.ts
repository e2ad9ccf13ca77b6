/**
 * New content of a file in which a search has found what to replace. The places hold for the content that the search has
 * seen, so another content is stale. Bytes outside of the places stay as they are.
 */
import { spliceSpans } from "../../text/index.ts";
import type { ReplaceChange } from "../model.ts";
import { encodeOrFail, existingText, preparePut } from "./content.ts";
import { type PreparedPart, type Preparing, refuseStale } from "./context.ts";

export function prepareReplace({ path, seen, spans }: ReplaceChange, ctx: Preparing): PreparedPart {
  const target = existingText({ path }, ctx, "replace in");
  refuseStale(target, seen, path, "replace in");
  const { text, encoding } = target.decoded;
  const bytes = encodeOrFail(spliceSpans(Buffer.from(text, "utf8"), spans), encoding, path, "replace in");
  const part = preparePut(target, bytes, ctx, { operation: "edit" });
  return ctx.manner ? { ...part, file: { ...part.file, replacements: spans.length } } : part;
}
