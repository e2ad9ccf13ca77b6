/**
 * New content of one file: from what the caller asked and what stands there, the exact bytes afterwards, as one step. A
 * file keeps its encoding, BOM, line endings and missing final newline unless the caller gives whole new content. A
 * character that cannot be written in the encoding is refused with its place, never replaced.
 *
 * Of several changes of one file in a set the last one takes the place of those before it, so that what is shown is the
 * whole change; when something lies between, they stay apart and in order.
 */
import type { FileChange, Operation } from "../../approval/index.ts";
import { decodeBase64, type Failure, limits, sha256 } from "../../base/index.ts";
import {
  applyEdits,
  decodeText,
  dominantEnding,
  type EditProblem,
  encodeText,
  type EncodingName,
  findPlaceholder,
  isEncodingName,
  withEnding,
  withoutMark,
} from "../../text/index.ts";
import { rootPathOf } from "../model.ts";
import type { AppendChange, Before, EditChange, PreparedStep, PutName, StepOrder, WriteChange } from "../model.ts";
import { lossesAt } from "../tree-copy/metadata.ts";
import { namesOf, notForFile, orderOf, refusal, refuseObject, refuseStale, unchanged } from "./context.ts";
import type { ChangeTarget, PreparedPart, Preparing } from "./context.ts";
import { describeBytes, factsOf, newFileMode } from "./describe.ts";
import { findFile, prepareParents, refuseMissing } from "./target.ts";

export function prepareWrite(change: WriteChange, ctx: Preparing): PreparedPart {
  const { path, encoding, mode } = change;
  const target = findFile(ctx, path, "write");
  if (target.at.mustBeDirectory) throw notForFile(path, "write");
  const exists = target.before.kind !== "absent";
  if (exists && !change.overwrite) throw refusal("already_exists", "write", path, "it exists, and overwrite is false");
  refuseStale(target, change.ifHash, path, "write");
  const bytes = encoding === "base64" ? bytesOf(change) : encodeContent(change, target, ctx);
  if (target.bytes && encoding !== "base64") refusePlaceholder(change, target.bytes, ctx);
  return preparePut(target, bytes, ctx, { operation: exists ? "overwrite" : "create", mode });
}

export function prepareEdit(change: EditChange, ctx: Preparing): PreparedPart {
  const target = existingText(change, ctx, "edit");
  const { text, encoding } = target.decoded;
  const result = applyEdits(text, change.edits);
  if (result.kind === "problem") throw editFailure(change.path, result.problem);
  if (result.kind === "unchanged") {
    if (result.reason === "same_text") return unchanged(target, ctx, SAME_TEXT);
    takeAsMade(target, change.path, ctx);
    return unchanged(target, ctx, ALREADY_APPLIED);
  }
  const bytes = encodeOrFail(result.text, encoding, change.path, "edit");
  return preparePut(target, bytes, ctx, { operation: "edit", inPlace: change.inPlace ?? false });
}

export function prepareAppend(change: AppendChange, ctx: Preparing): PreparedPart {
  const { before } = findFile(ctx, change.path, "append to");
  if (before.kind === "absent") return prepareWrite({ ...change, op: "write", overwrite: false }, ctx);
  const { decoded, ...found } = existingText(change, ctx, "append to");
  const ending = dominantEnding(decoded.text);
  const added = ending === undefined ? change.content : withEnding(change.content, ending);
  const bytes = encodeOrFail(decoded.text + added, decoded.encoding, change.path, "append to");
  const part = preparePut(found, bytes, ctx, { operation: "append" });
  const joined = decoded.text !== "" && !/[\r\n]$/.test(decoded.text);
  return joined ? { ...part, warnings: [...part.warnings, JOINED] } : part;
}

/** Asks about content on the disk; what an earlier change of the same set has made is the caller's own. @throws Failure */
export function takeAsMade({ before, follows, relies = [] }: ChangeTarget, path: string, ctx: Preparing): void {
  const isOnDisk = !follows || relies.length > 0;
  if (before.kind === "file" && isOnDisk) ctx.takenAsMade?.(path, before.hash);
}

export const SAME_TEXT = "The old and the new text are the same: nothing to change.";
const ALREADY_APPLIED =
  "The old text is not in the file, and the new text is: taken as an edit that was made before. Read the file if that is not so.";
const JOINED = "The file did not end in a newline, so the text continues its last line.";

type TextTarget = ChangeTarget & { readonly decoded: { readonly text: string; readonly encoding: EncodingName } };

type FileAsked = Pick<EditChange, "path" | "ifHash">;

/** @throws Failure for what is no file, or not the content that `ifHash` names */
export function existingFile({ path, ifHash }: FileAsked, ctx: Preparing, verb: string): ChangeTarget {
  const target = findFile(ctx, path, verb);
  refuseMissing(ctx, target, path, verb);
  refuseObject(target, verb, ctx);
  refuseStale(target, ifHash, path, verb);
  return target;
}

/** @throws Failure for what is no text file, or not the content that `ifHash` names */
export function existingText(asked: FileAsked, ctx: Preparing, verb: string): TextTarget {
  const target = existingFile(asked, ctx, verb);
  const decoded = decodeText(target.bytes ?? new Uint8Array(), legacyOf(ctx));
  if (decoded.kind === "text") return { ...target, decoded };
  const { reason, offset, lacksLegacy } = decoded;
  const whole = "write_file with encoding: base64 can replace the whole file";
  const codePage = "If it is in an old code page, the operator can name that with --legacy-encoding; ";
  throw refusal("not_text", verb, asked.path, `${reason} (byte offset ${offset})`, {
    hint: `${lacksLegacy ? codePage : ""}${whole}.`,
    details: { offset },
  });
}

export function editFailure(path: string, problem: EditProblem): Failure {
  const { code, message, hint, lines, nearest, edit, details } = problem;
  const isOfText = code === "ambiguous" || code === "no_match";
  return refusal(isOfText ? code : "invalid_input", "edit", path, message, {
    hint,
    details: { edit, ...(lines ? { lines } : {}), ...(nearest ? { nearest } : {}), ...details },
  });
}

/** The bytes of new text: in the encoding that is asked for, else in that of the file, else in UTF-8. */
export function encodeContent(
  { path, content, encoding: asked }: Pick<WriteChange, "path" | "content" | "encoding">,
  target: ChangeTarget,
  ctx: Preparing,
): Uint8Array {
  if (asked !== undefined && !isEncodingName(asked))
    throw refusal("invalid_input", "write", path, `the encoding ${JSON.stringify(asked)} is not known`);
  const present = target.bytes && decodeText(target.bytes, legacyOf(ctx));
  const encoding = asked ?? (present?.kind === "text" ? present.encoding : "utf-8");
  return encodeOrFail(withoutMark(content, encoding), encoding, path, "write");
}

export function encodeOrFail(text: string, encoding: EncodingName, path: string, verb: string): Uint8Array {
  const encoded = encodeText(text, encoding);
  if (encoded.kind === "bytes") {
    const { length } = encoded.bytes;
    if (length <= limits.MAX_WRITE_BYTES) return encoded.bytes;
    const state = `the new content has ${length} bytes, and ${limits.MAX_WRITE_BYTES} is the most`;
    throw refusal("too_large", verb, path, state);
  }
  const { character, offset } = encoded;
  const way = character.isWellFormed()
    ? "leave it out, or write the file with encoding: utf-8"
    : "it is half of a pair, which no encoding can write: give the whole character, or leave it out";
  throw refusal("not_text", verb, path, `${JSON.stringify(character)} cannot be written in ${encoding}`, {
    hint: `The character stands at index ${offset} of the new text; ${way}.`,
    details: { offset },
  });
}

function bytesOf({ path, content }: WriteChange): Uint8Array {
  const bytes = decodeBase64(content);
  if (!bytes) throw refusal("invalid_input", "write", path, "the content is not base64");
  return bytes;
}

/** A placeholder such as "the rest stays" in new content would delete the rest. */
function refusePlaceholder({ path, content }: WriteChange, old: Uint8Array, ctx: Preparing): void {
  const decoded = decodeText(old, legacyOf(ctx));
  const found = decoded.kind === "text" ? findPlaceholder(content, decoded.text) : undefined;
  if (!found) return;
  const state = `line ${found.line} is a placeholder (${JSON.stringify(found.text)}), and would delete what it stands for`;
  throw refusal("invalid_input", "write", path, state, {
    hint: "Write the whole content, or use edit_file for a part of it.",
  });
}

function legacyOf({ legacyEncoding }: Preparing): Parameters<typeof decodeText>[1] {
  return legacyEncoding === undefined ? {} : { legacy: legacyEncoding };
}

export function preparePut(
  target: ChangeTarget,
  bytes: Uint8Array,
  ctx: Preparing,
  options: { readonly operation: Operation; readonly inPlace?: boolean; readonly mode?: number | undefined },
): PreparedPart {
  refuseObject(target, "write", ctx);
  const { operation: wanted, inPlace = false, mode: asked } = options;
  const { at, before: now } = target;
  const hasMode = asked === undefined || (now.kind === "file" && now.mode === asked);
  if (hasMode && target.bytes && Buffer.from(bytes).equals(target.bytes))
    return unchanged(target, ctx, "The file has exactly this content already.");
  const base = baseOf(target, inPlace);
  const { before, original, order, part: replaces } = base;
  const isOwn = hasMode && replaces !== undefined && base.mode === undefined && !order.follows;
  // This change and the earlier one together leave the file as it is.
  if (isOwn && original && Buffer.from(bytes).equals(original))
    return {
      ...unchanged(target, ctx, "The operations on this file leave it as it is."),
      replaces,
      record: () => ctx.overlay.forget(at),
    };
  const use = { names: namesOf(target, ctx), inPlace };
  ctx.overlay.shared.refuse(use, "edit", ctx.scope.show(at));
  const operation = nameOf(base, bytes, base.operation ?? wanted);
  const step: PutStep = {
    op: "put",
    at: rootPathOf(at),
    before,
    content: ctx.keep(bytes),
    inPlace,
    ...(operation === "create" ? {} : { as: operation }),
    ...modeOf(asked ?? base.mode, target, order),
    ...order,
  };
  const file = describePut(target, base, step, operation, bytes, ctx);
  const mode = asked ?? base.mode ?? (now.kind === "file" ? now.mode : newFileMode());
  const made: Before = { kind: "file", hash: file.hash ?? sha256(bytes), size: bytes.length, mode, links: 1 };
  const above = prepareParents(ctx, target, order);
  return {
    file: { ...file, ...(inPlace ? { in_place: true } : {}), ...above.makes },
    steps: [step],
    warnings: warningsFor(target, inPlace, asked, ctx),
    ...(replaces === undefined ? {} : { replaces }),
    parents: above.parents,
    record: (part) => {
      above.record();
      ctx.overlay.shared.note(use);
      const merge = { part, step, ...(original ? { original } : {}) };
      ctx.overlay.set(at, { kind: "file", bytes, before: made, merge });
    },
  };
}

type PutStep = PreparedStep & { readonly op: "put" };

function describePut(
  { at }: ChangeTarget,
  { before, original }: Base,
  { mode }: PutStep,
  operation: Operation,
  bytes: Uint8Array,
  { scope, legacyEncoding: legacy, diffContext: context, forPeople, hideKeys }: Preparing,
): FileChange {
  const shown = { path: scope.show(at), absolute: scope.absolute(at) };
  const maxBytes = forPeople ? Infinity : undefined;
  const told = describeBytes(shown, original, bytes, { legacy, context, maxBytes, hideKeys });
  const isShared = operation === "overwrite" && before.kind === "file" && before.links > 1;
  const facts = factsOf(before);
  const kept = before.kind === "file" ? before.mode : newFileMode();
  return {
    operation,
    ...shown,
    ...told.described,
    ...(isShared ? { shared: true } : {}),
    hash: sha256(bytes),
    ...(facts ? { before: { ...facts, ...(told.before ? { encoding: told.before } : {}) } } : {}),
    after: { kind: "file", size: bytes.length, mode: mode ?? kept, encoding: told.after },
  };
}

interface Base {
  readonly before: Before;
  readonly original: Uint8Array | undefined;
  readonly order: StepOrder;
  readonly part?: number;
  readonly operation?: Operation;
  readonly mode?: number | undefined;
}

/** The new bytes are compared with what stood there before the earlier changes, if this change can take their place. */
function baseOf(target: ChangeTarget, inPlace: boolean): Base {
  const { merge } = target;
  if (merge?.step.inPlace !== inPlace) return { before: target.before, original: target.bytes, order: orderOf(target) };
  const { part, step, original } = merge;
  const operation = step.before.kind === "absent" ? "create" : "edit";
  return { before: step.before, original, order: orderOf(step), part, operation, mode: step.mode };
}

/** An append only adds; after any other change the diff shows what goes. */
function nameOf({ before, original }: Base, bytes: Uint8Array, wanted: Operation): "create" | PutName {
  if (before.kind === "absent") return "create";
  if (wanted !== "append") return wanted === "overwrite" ? wanted : "edit";
  const isLonger = original !== undefined && Buffer.from(bytes.subarray(0, original.length)).equals(original);
  return isLonger ? wanted : "edit";
}

/** A file that an earlier step has put there is replaced as a whole, so its mode goes with the step. */
function modeOf(mode: number | undefined, { before }: ChangeTarget, order: StepOrder): { mode?: number } {
  if (mode !== undefined) return { mode };
  return order.follows && before.kind === "file" ? { mode: before.mode } : {};
}

function warningsFor(
  { before, stat, at }: ChangeTarget,
  inPlace: boolean,
  mode: number | undefined,
  { scope }: Preparing,
): string[] {
  const isExecutable = before.kind === "file" && (before.mode & 0o111) !== 0;
  const becomesExecutable = mode === undefined ? isExecutable : (mode & 0o111) !== 0;
  const warnings: string[] = [];
  if (isExecutable !== becomesExecutable)
    warnings.push(isExecutable ? "The file stops being executable." : "The file becomes executable.");
  if (before.kind !== "file") return warnings;
  if (stat && before.links > 1 && !inPlace)
    warnings.push(
      `${before.links} names share this file; replacing it leaves the others with the old content (edit_file with in_place: true keeps them together).`,
    );
  if (stat && inPlace) warnings.push("The file is written in place, which is not atomic.");
  if (stat && isExecutable) warnings.push("The file is executable.");
  return inPlace ? warnings : [...warnings, ...lossesAt(scope, at)];
}
