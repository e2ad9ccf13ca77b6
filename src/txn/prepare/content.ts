/**
 * Write, edit and append: from what the caller asked and what stands there, the exact bytes afterwards. A file keeps its
 * encoding, BOM, line endings and missing final newline unless the caller gives whole new content.
 */
import { Failure, limits } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import {
  applyEdits,
  decodeText,
  dominantEnding,
  withEnding,
  type EditProblem,
  type EncodingName,
} from "../../text/index.ts";
import type { AppendChange, EditChange, WriteChange } from "../model.ts";
import {
  decodeBase64,
  encodeContent,
  encodeOrFail,
  legacyOf,
  refusePlaceholder,
  textOf,
} from "./new-content.ts";
import { refuseObject, sealBytes, unchanged } from "./put.ts";
import type { SealedPart } from "./part.ts";
import type { Sealing } from "./context.ts";
import { findTarget, refuseMissing, type Target } from "./target.ts";

export function sealWrite(change: WriteChange, ctx: Sealing): SealedPart {
  const target = findTarget(ctx, change.path, "write", {
    follow: true,
    maxBytes: limits.MAX_EDIT_FILE_BYTES,
  });
  if (target.at.mustBeDirectory)
    throw new Failure(
      "invalid_input",
      `Cannot write "${quotable(change.path)}": a path to a file cannot end like a directory`,
    );
  const exists = target.before.kind !== "absent";
  if (exists && !change.overwrite)
    throw new Failure(
      "already_exists",
      `Cannot write "${quotable(change.path)}": it exists, and overwrite is false`,
    );
  refuseStale(target, change.ifHash, change.path, "write");
  const bytes = change.encoding === "base64" ? decodeBase64(change) : encodeContent(change, target, ctx);
  if (target.bytes && change.encoding !== "base64") refusePlaceholder(change, textOf(target.bytes, ctx));
  return sealBytes(target, bytes, ctx, { operation: exists ? "overwrite" : "create", mode: change.mode });
}

export function sealEdit(change: EditChange, ctx: Sealing): SealedPart {
  const target = existingText(change, ctx, "edit");
  const { text, encoding } = target.decoded;
  const result = applyEdits(text, change.edits);
  if (result.kind === "problem") throw editFailure(change.path, result.problem);
  if (result.kind === "unchanged")
    return unchanged(target, ctx, result.reason === "same_text" ? SAME_TEXT : ALREADY_APPLIED);
  const bytes = encodeOrFail(result.text, encoding, change.path, "edit");
  return sealBytes(target, bytes, ctx, { operation: "edit", inPlace: change.inPlace ?? false });
}

export function sealAppend(change: AppendChange, ctx: Sealing): SealedPart {
  const target = findTarget(ctx, change.path, "append to", {
    follow: true,
    maxBytes: limits.MAX_EDIT_FILE_BYTES,
  });
  if (target.before.kind === "absent") return sealWrite({ ...change, op: "write", overwrite: false }, ctx);
  const { decoded, ...found } = existingText(change, ctx, "append to");
  const ending = dominantEnding(decoded.text);
  const added = ending === undefined ? change.content : withEnding(change.content, ending);
  const bytes = encodeOrFail(decoded.text + added, decoded.encoding, change.path, "append to");
  const part = sealBytes(found, bytes, ctx, { operation: "append" });
  const joined = decoded.text !== "" && !/[\r\n]$/.test(decoded.text);
  return joined ? { ...part, warnings: [...part.warnings, JOINED] } : part;
}

export const SAME_TEXT = "The old and the new text are the same: nothing to change.";
const ALREADY_APPLIED =
  "The old text is not in the file, and the new text is: taken as an edit that was made before. Read the file if that is not so.";
export const ALREADY_APPLIED_HUNKS =
  "What the patch would make is there already: taken as a change that was made before.";
const JOINED = "The file did not end in a newline, so the text continues its last line.";

export interface TextTarget extends Target {
  readonly decoded: { readonly text: string; readonly encoding: EncodingName };
}

/** @throws Failure for what is no text file, or not the content that `ifHash` names */
export function existingText(
  change: { readonly path: string; readonly ifHash?: string | undefined },
  ctx: Sealing,
  verb: string,
): TextTarget {
  const target = findTarget(ctx, change.path, verb, { follow: true, maxBytes: limits.MAX_EDIT_FILE_BYTES });
  refuseMissing(ctx, target, change.path, verb);
  refuseObject(target, verb, ctx);
  refuseStale(target, change.ifHash, change.path, verb);
  const decoded = decodeText(target.bytes ?? new Uint8Array(), legacyOf(ctx));
  if (decoded.kind === "text") return { ...target, decoded };
  const state = `${decoded.reason} (byte offset ${decoded.offset})`;
  const whole = "write_file with encoding: base64 can replace the whole file";
  throw new Failure("not_text", `Cannot ${verb} "${quotable(change.path)}": ${state}`, {
    hint: decoded.lacksLegacy
      ? `If it is in an old code page, the operator can name that with --legacy-encoding; ${whole}.`
      : `${whole}.`,
    details: { offset: decoded.offset },
  });
}

export function refuseStale(target: Target, ifHash: string | undefined, path: string, verb: string): void {
  if (ifHash === undefined) return;
  const now = target.before.kind === "file" ? target.before.hash : undefined;
  if (now === ifHash) return;
  throw new Failure(
    "stale",
    `Cannot ${verb} "${quotable(path)}": ${now === undefined ? "the file does not exist" : "its content is not what if_hash names"}`,
    {
      details: { if_hash: ifHash, ...(now === undefined ? {} : { hash: now }) },
    },
  );
}

function editFailure(path: string, problem: EditProblem): Failure {
  const code = problem.code === "ambiguous" || problem.code === "no_match" ? problem.code : "invalid_input";
  const { lines, nearest, edit } = problem;
  return new Failure(code, `Cannot edit "${quotable(path)}": ${problem.message}`, {
    hint: problem.hint,
    details: { edit, ...(lines ? { lines } : {}), ...(nearest ? { nearest } : {}), ...problem.details },
  });
}
