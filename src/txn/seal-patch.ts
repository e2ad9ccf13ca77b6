/**
 * The files of a patch. Hunks are placed strictly, on the file as it is after the changes before; whatever fails in any
 * file is told at once, so that a caller can mend all of it in one step, and then nothing is changed.
 *
 * What was read or matched other than exactly is a warning, and makes the whole set one for a person to look at.
 */
import { Failure, limits } from "../base/index.ts";
import { quotable } from "../scope/index.ts";
import { applyHunks, type FilePatch, type HunkProblem } from "../text/index.ts";
import type { PatchChange } from "./change-set.ts";
import { encodeContent, encodeOrFail } from "./new-content.ts";
import { refuseObject, sealBytes, unchanged } from "./seal-bytes.ts";
import type { SealedPart } from "./sealed-part.ts";
import { ALREADY_APPLIED_HUNKS, existingText, refuseStale, SAME_TEXT, sealWrite } from "./seal-content.ts";
import { sealDelete, sealRelocate } from "./seal-tree.ts";
import type { Before } from "./sealed.ts";
import type { Sealing } from "./sealing.ts";
import { findTarget, refuseMissing, type Target } from "./target.ts";

/** One file of it, under the spelling of its path that is meant. */
interface PatchedFile<F extends FilePatch = FilePatch> {
  readonly file: F;
  readonly path: string;
  readonly ifHash: string | undefined;
  readonly overwrite: boolean;
}

/** @throws Failure with every problem of every file in `details.problems` */
export function* sealPatch(change: PatchChange, ctx: Sealing): Generator<SealedPart> {
  refuseUnknownHashes(change);
  const failures: { readonly path: string; readonly failure: Failure }[] = [];
  let unsaid = change.tolerances;
  for (const file of change.files) {
    const path = choosePath(file, ctx);
    const ifHash = hashOf(change, file.path) ?? hashOf(change, path);
    try {
      for (const part of sealFile({ file, path, ifHash, overwrite: change.overwrite }, ctx)) {
        const tolerant = part.tolerant === true || change.tolerances.length > 0;
        yield { ...part, warnings: [...unsaid, ...part.warnings], tolerant };
        unsaid = [];
      }
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      failures.push({ path, failure: thrown });
    }
  }
  if (failures.length > 0) throw allOf(failures);
}

function hashOf({ ifHashes }: PatchChange, path: string): string | undefined {
  return Object.hasOwn(ifHashes, path) ? ifHashes[path] : undefined;
}

/** The first spelling that exists; the first of all when none does. */
function choosePath(file: FilePatch, ctx: Sealing): string {
  const existing = file.candidatesForPath?.find((path) => {
    try {
      return findTarget(ctx, path, "patch", { follow: false }).before.kind !== "absent";
    } catch (thrown) {
      if (thrown instanceof Failure) return false;
      throw thrown;
    }
  });
  return existing ?? file.path;
}

function* sealFile(one: PatchedFile, ctx: Sealing): Generator<SealedPart> {
  const { file } = one;
  switch (file.kind) {
    case "add":
      yield sealAdd({ ...one, file }, ctx);
      return;
    case "replace":
      yield sealReplace({ ...one, file }, ctx);
      return;
    case "delete":
      yield sealRemoval(one, ctx);
      return;
    case "update":
      yield* sealUpdate({ ...one, file }, ctx);
      return;
  }
}

function sealAdd(
  { file, path, ifHash, overwrite }: PatchedFile<FilePatch & { kind: "add" }>,
  ctx: Sealing,
): SealedPart {
  const target = findTarget(ctx, path, "add", { follow: true, maxBytes: limits.MAX_EDIT_FILE_BYTES });
  const change = { path, content: file.content };
  const isThere = target.bytes && Buffer.from(encodeContent(change, target, ctx)).equals(target.bytes);
  if (isThere) return unchanged(target, ctx, ALREADY_APPLIED_HUNKS);
  if (target.before.kind !== "absent" && !overwrite)
    throw new Failure("already_exists", `Cannot add "${quotable(path)}": something is there already`, {
      hint: "Use *** Update File to change it, or pass overwrite: true to replace it.",
    });
  const mode = file.executable ? executable(target.before) : undefined;
  return sealWrite({ op: "write", ...change, overwrite, ifHash, mode }, ctx);
}

function sealReplace(
  { file, path, ifHash }: PatchedFile<FilePatch & { kind: "replace" }>,
  ctx: Sealing,
): SealedPart {
  const target = findTarget(ctx, path, "replace", { follow: true, maxBytes: limits.MAX_EDIT_FILE_BYTES });
  refuseMissing(ctx, target, path, "replace");
  const mode = file.executable ? executable(target.before) : undefined;
  return sealWrite({ op: "write", path, content: file.content, overwrite: true, ifHash, mode }, ctx);
}

function sealRemoval({ path, ifHash }: PatchedFile, ctx: Sealing): SealedPart {
  const target = findTarget(ctx, path, "delete", { follow: false });
  if (target.before.kind === "directory")
    throw new Failure("invalid_input", `Cannot delete "${quotable(path)}": it is a directory`, {
      hint: "A patch deletes files; use delete with recursive: true for a directory.",
    });
  refuseStale(target, ifHash, path, "delete");
  return sealDelete({ op: "delete", path, recursive: false }, ctx);
}

/** The content first, under its old name; the move then takes it along. */
function* sealUpdate(one: PatchedFile<FilePatch & { kind: "update" }>, ctx: Sealing): Generator<SealedPart> {
  const { file, path, overwrite } = one;
  const isMoved = file.moveTo !== undefined && file.moveTo !== path;
  const changesContent = file.hunks.length > 0 || file.mode !== undefined;
  if (changesContent || !isMoved) yield sealHunks(one, ctx);
  if (!isMoved) return;
  const source = findTarget(ctx, path, "move", { follow: true });
  refuseMissing(ctx, source, path, "move");
  refuseObject(source, "move", ctx);
  if (!changesContent) refuseStale(source, one.ifHash, path, "move");
  const destination = file.moveTo ?? path;
  yield sealRelocate({ op: "move", source: path, destination, overwrite, recursive: false }, ctx);
}

function sealHunks(
  { file, path, ifHash }: PatchedFile<FilePatch & { kind: "update" }>,
  ctx: Sealing,
): SealedPart {
  if (file.hunks.length === 0) return sealModeOnly(file.mode, path, ifHash, ctx);
  const target = existingText({ path, ifHash }, ctx, "patch");
  const { text, encoding } = target.decoded;
  const result = applyHunks(text, file.hunks);
  if (result.kind === "failed") throw hunkFailure(path, result.hunks);
  const mode = modeOf(file.mode, target.before);
  const isSame = result.kind === "unchanged";
  if (isSame && mode === undefined)
    return unchanged(target, ctx, result.reason === "same_text" ? SAME_TEXT : ALREADY_APPLIED_HUNKS);
  const bytes = isSame ? bytesOf(target) : encodeOrFail(result.text, encoding, path, "patch");
  const part = sealBytes(target, bytes, ctx, { operation: "edit", mode });
  const tolerances = isSame ? [] : result.tolerances;
  const warnings = [...tolerances, ...modeWarnings(file.mode, target), ...part.warnings];
  return { ...part, warnings, tolerant: tolerances.length > 0 };
}

function sealModeOnly(
  wanted: "100644" | "100755" | undefined,
  path: string,
  ifHash: string | undefined,
  ctx: Sealing,
): SealedPart {
  const target = findTarget(ctx, path, "patch", { follow: true, maxBytes: limits.MAX_EDIT_FILE_BYTES });
  refuseMissing(ctx, target, path, "patch");
  refuseObject(target, "patch", ctx);
  refuseStale(target, ifHash, path, "patch");
  const mode = modeOf(wanted, target.before);
  const part = sealBytes(target, bytesOf(target), ctx, { operation: "edit", mode });
  return { ...part, warnings: [...modeWarnings(wanted, target), ...part.warnings] };
}

function bytesOf(target: Target): Uint8Array {
  return target.bytes ?? new Uint8Array();
}

/** Who may read it may then execute it; `undefined` when the file is so already. */
function modeOf(wanted: "100644" | "100755" | undefined, before: Before): number | undefined {
  if (wanted === undefined || before.kind !== "file") return undefined;
  const mode = wanted === "100755" ? executable(before) : before.mode & ~0o111;
  return mode === before.mode ? undefined : mode;
}

function executable(before: Before): number {
  return before.kind === "file" ? before.mode | ((before.mode & 0o444) >> 2) : 0o755;
}

function modeWarnings(wanted: "100644" | "100755" | undefined, target: Target): string[] {
  if (modeOf(wanted, target.before) === undefined) return [];
  return [wanted === "100755" ? "The file becomes executable." : "The file stops being executable."];
}

function refuseUnknownHashes({ ifHashes, files }: PatchChange): void {
  const names = files.flatMap((file) => [file.path, ...(file.candidatesForPath ?? [])]);
  const unknown = Object.keys(ifHashes).find((path) => !names.includes(path));
  if (unknown === undefined) return;
  throw new Failure(
    "invalid_input",
    `Cannot apply the patch: if_hashes names "${quotable(unknown)}", which is no file of the patch`,
    { candidates: files.map((file) => file.path) },
  );
}

function hunkFailure(path: string, hunks: readonly HunkProblem[]): Failure {
  const [first] = hunks;
  const code = first?.code === "no_match" || first?.code === "ambiguous" ? first.code : "invalid_input";
  const problems = hunks.map(({ hunk, at, ...problem }) => ({
    file: path,
    hunk: hunk + 1,
    patch_line: at,
    ...problem,
  }));
  return new Failure(code, `Cannot patch "${quotable(path)}": ${first?.message ?? "a hunk fails"}`, {
    ...(first ? { hint: first.hint } : {}),
    details: { problems },
  });
}

const MAX_TOLD = 5;

/** The first one speaks; the others are named in its hint, and all stand in the details. */
function allOf(failures: readonly { readonly path: string; readonly failure: Failure }[]): Failure {
  const problems = failures.flatMap(({ path, failure: { data } }) => {
    const own = data.details?.["problems"];
    if (Array.isArray(own)) return own as { file: string; message: string }[];
    return [{ file: path, code: data.code, message: data.message, hint: data.hint, ...data.details }];
  });
  const [first] = failures;
  if (!first) throw new Error("no failure");
  const { code, message, hint, ...more } = first.failure.data;
  const others = problems.slice(1, MAX_TOLD).map((one) => `${quotable(one.file)}: ${one.message}`);
  const left = problems.length - 1 - others.length;
  const also = [...others, ...(left > 0 ? [`${left} more`] : [])].join("; ");
  return new Failure(code, message, {
    ...more,
    hint: also === "" ? hint : `${hint} Also: ${also}.`,
    details: { ...more.details, problems },
  });
}
