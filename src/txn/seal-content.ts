/**
 * Write, edit and append: from what the caller asked and what stands there, the exact bytes afterwards. A file keeps its
 * encoding, BOM, line endings and missing final newline unless the caller gives whole new content.
 */
import { Failure, limits } from "../base/index.ts";
import { quotable } from "../scope/index.ts";
import {
  applyEdits,
  decodeText,
  dominantEnding,
  withEnding,
  type EditProblem,
  type EncodingName,
} from "../text/index.ts";
import type { AppendChange, EditChange, WriteChange } from "./change-set.ts";
import { describeContent } from "./describe.ts";
import { sha256 } from "./inspect.ts";
import {
  decodeBase64,
  encodeContent,
  encodeOrFail,
  legacyOf,
  refusePlaceholder,
  textOf,
} from "./new-content.ts";
import type { Operation, SealedFile, SealedStep } from "./sealed.ts";
import { findTarget, sealedPath, type SealContext, type Target } from "./target.ts";

export interface SealedPart {
  readonly file: SealedFile;
  readonly steps: readonly SealedStep[];
  readonly warnings: readonly string[];
}

export function sealWrite(change: WriteChange, ctx: SealContext): SealedPart {
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
  return sealBytes(target, bytes, exists ? "overwrite" : "create", ctx, false);
}

export function sealEdit(change: EditChange, ctx: SealContext): SealedPart {
  const target = existingText(change, ctx, "edit");
  const { text, encoding } = target.decoded;
  const result = applyEdits(text, change.edits);
  if (result.kind === "problem") throw editFailure(change.path, result.problem);
  if (result.kind === "unchanged")
    return unchanged(target, ctx, result.reason === "same_text" ? SAME_TEXT : ALREADY_APPLIED);
  const bytes = encodeOrFail(result.text, encoding, change.path, "edit");
  return sealBytes(target, bytes, "edit", ctx, change.inPlace ?? false);
}

export function sealAppend(change: AppendChange, ctx: SealContext): SealedPart {
  const target = findTarget(ctx, change.path, "append to", {
    follow: true,
    maxBytes: limits.MAX_EDIT_FILE_BYTES,
  });
  if (target.before.kind === "absent") return sealWrite({ ...change, op: "write", overwrite: false }, ctx);
  const { decoded, ...found } = existingText(change, ctx, "append to");
  const ending = dominantEnding(decoded.text);
  const added = ending === undefined ? change.content : withEnding(change.content, ending);
  const bytes = encodeOrFail(decoded.text + added, decoded.encoding, change.path, "append to");
  const part = sealBytes(found, bytes, "append", ctx, false);
  const joined = decoded.text !== "" && !/[\r\n]$/.test(decoded.text);
  return joined ? { ...part, warnings: [...part.warnings, JOINED] } : part;
}

const SAME_TEXT = "The old and the new text are the same: nothing to change.";
const ALREADY_APPLIED =
  "The old text is not in the file, and the new text is: taken as an edit that was made before. Read the file if that is not so.";
const JOINED = "The file did not end in a newline, so the text continues its last line.";

interface TextTarget extends Target {
  readonly decoded: { readonly text: string; readonly encoding: EncodingName };
}

function existingText(change: EditChange | AppendChange, ctx: SealContext, verb: string): TextTarget {
  const target = findTarget(ctx, change.path, verb, { follow: true, maxBytes: limits.MAX_EDIT_FILE_BYTES });
  if (target.before.kind === "absent") {
    // Opening it makes the failure that names the nearest paths.
    ctx.scope.openFile(ctx.scope.locate(change.path, verb), verb)[Symbol.dispose]();
  }
  refuseObject(target, verb, ctx);
  refuseStale(target, change.ifHash, change.path, verb);
  const decoded = decodeText(target.bytes ?? new Uint8Array(), legacyOf(ctx));
  if (decoded.kind === "text") return { ...target, decoded };
  throw new Failure("not_text", `Cannot ${verb} "${quotable(change.path)}": ${decoded.reason}`, {
    hint: "write_file with encoding: base64 can replace the whole file.",
    details: { offset: decoded.offset },
  });
}

function sealBytes(
  target: Target,
  bytes: Uint8Array,
  operation: Operation,
  ctx: SealContext,
  inPlace: boolean,
): SealedPart {
  refuseObject(target, "write", ctx);
  if (target.bytes && Buffer.from(bytes).equals(target.bytes))
    return unchanged(target, ctx, "The file has exactly this content already.");
  const shown = { path: ctx.scope.show(target.at), absolute: ctx.scope.absolute(target.at) };
  const content = ctx.keep(bytes);
  const step: SealedStep = { op: "put", at: sealedPath(target.at), before: target.before, content, inPlace };
  const described = describeContent(shown, target.bytes, bytes, ctx.legacyEncoding);
  return {
    file: { operation, ...shown, ...described, hash: sha256(bytes) },
    steps: [step],
    warnings: warningsFor(target, inPlace),
  };
}

function unchanged(target: Target, ctx: SealContext, why: string): SealedPart {
  const shown = { path: ctx.scope.show(target.at), absolute: ctx.scope.absolute(target.at) };
  const hash = target.before.kind === "file" ? { hash: target.before.hash } : {};
  return { file: { operation: "none", ...shown, added: 0, removed: 0, ...hash }, steps: [], warnings: [why] };
}

function warningsFor(target: Target, inPlace: boolean): string[] {
  const { before, stat } = target;
  if (before.kind !== "file" || !stat) return [];
  const warnings: string[] = [];
  if (before.links > 1 && !inPlace)
    warnings.push(
      `${before.links} names share this file; replacing it leaves the others with the old content (in_place: true keeps them together).`,
    );
  if (inPlace) warnings.push("The file is written in place, which is not atomic.");
  if ((before.mode & 0o111) !== 0) warnings.push("The file is executable.");
  return warnings;
}

function refuseObject(target: Target, verb: string, ctx: SealContext): void {
  const { kind } = target.before;
  if (kind === "absent" || kind === "file") return;
  const what = `Cannot ${verb} "${ctx.scope.show(target.at)}"`;
  if (kind === "directory") throw new Failure("invalid_input", `${what}: it is a directory`);
  throw new Failure("denied", `${what}: it is not a regular file`);
}

function refuseStale(target: Target, ifHash: string | undefined, path: string, verb: string): void {
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
