/**
 * One file of a patch: its hunks and its mode, placed on the file as it is after the changes before, and whether that was
 * done before: the answer to a patch may have been lost, and then it is sent again. By these rules, and told:
 *
 *   add      the file is there with exactly this content
 *   update   the new lines of a hunk stand there once, and its old ones nowhere (`text/place/find-applied.ts`)
 *   move     nothing is at the source, and a file is at the destination; its hunks are looked for there. Without hunks there
 *            is nothing to compare but the hash that the caller may have sent, which `overwrite` then needs
 *   delete   nothing is there, and another part of the same patch was found done. Alone it proves nothing, for no byte on
 *            the disk says that this file ever was; then the path is more likely misspelt, and the patch is refused
 */
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import { applyHunks, type FilePatch } from "../../text/index.ts";
import type { Before } from "../model.ts";
import {
  encodeContent,
  encodeOrFail,
  existingFile,
  existingText,
  preparePut,
  prepareWrite,
  SAME_TEXT,
  takeAsMade,
} from "./content.ts";
import { refusal, refuseObject, refuseStale, unchanged } from "./context.ts";
import type { ChangeTarget, PreparedPart, Preparing } from "./context.ts";
import { type FilePatchProblem, hinted, hunkFailure } from "./patch-failures.ts";
import { refuseDisorder } from "./plain-patch.ts";
import { findFile, findTarget, refuseMissing } from "./target.ts";
import { prepareDelete, prepareRelocate } from "./tree.ts";

/** One file of a patch, under the spelling of its path that is meant. */
export interface PatchedFile<F extends FilePatch = FilePatch> {
  readonly file: F;
  readonly path: string;
  readonly ifHash: string | undefined;
  readonly overwrite: boolean;
}

type Patched<Kind extends FilePatch["kind"]> = PatchedFile<FilePatch & { kind: Kind }>;
type HunksOf = Omit<Patched<"update" | "copy">, "overwrite">;

/** @throws Failure with every hunk that has no place */
function prepareHunks({ file, path, ifHash }: HunksOf, ctx: Preparing): PreparedPart {
  if (file.hunks.length === 0) {
    const target = existingFile({ path, ifHash }, ctx, "patch");
    const mode = modeOf(file.mode, target.before);
    return preparePut(target, bytesOf(target), ctx, { operation: "edit", mode });
  }
  const target = existingText({ path, ifHash }, ctx, "patch");
  const { text, encoding } = withMark(target.decoded);
  const result = applyHunks(text, file.hunks);
  if (result.kind === "failed") throw hunkFailure(path, result.hunks);
  if (ctx.manner?.plainPatch && result.kind === "applied") refuseDisorder(path, result.placements);
  const mode = modeOf(file.mode, target.before);
  const isSame = result.kind === "unchanged";
  const isEvidence = isSame ? result.reason === "already_applied" : result.isPartly === true;
  if (isSame && isEvidence) takeAsMade(target, path, ctx);
  if (isSame && mode === undefined) return isEvidence ? noteThere(target, ctx) : unchanged(target, ctx, SAME_TEXT);
  const bytes = isSame ? bytesOf(target) : encodeOrFail(result.text, encoding, path, "patch");
  const part = preparePut(target, bytes, ctx, { operation: "edit", mode });
  const tolerances = isSame ? [] : result.tolerances;
  const warnings = [...tolerances, ...part.warnings];
  return { ...part, warnings, tolerant: tolerances.length > 0, isEvidence };
}

type Decoded = ReturnType<typeof existingText>["decoded"];

/** A hunk may take the mark of UTF-8 away, and then it has to be a character of the text. */
function withMark({ text, encoding }: Decoded): Decoded {
  return encoding === "utf-8-bom" ? { text: `\ufeff${text}`, encoding: "utf-8" } : { text, encoding };
}

function bytesOf(target: ChangeTarget): Uint8Array {
  return target.bytes ?? new Uint8Array();
}

/** Lets everybody who may read the file execute it, or nobody. @returns `undefined` when it is so already */
function modeOf(wanted: HunksOf["file"]["mode"], before: Before): number | undefined {
  if (wanted === undefined || before.kind !== "file") return undefined;
  const mode = wanted === "100755" ? executable(before) : before.mode & ~0o111;
  return mode === before.mode ? undefined : mode;
}

function executable(before: Before): number {
  return before.kind === "file" ? before.mode | ((before.mode & 0o444) >> 2) : 0o755;
}

const THERE = "What the patch would make is there already: taken as a change that was made before.";
const GONE = "There is no such file, and other parts of the patch are there already: taken as deleted before.";

function noteThere(target: ChangeTarget, ctx: Preparing): PreparedPart {
  return { ...unchanged(target, ctx, THERE), tolerant: true, isEvidence: true };
}

export function noteGone(target: ChangeTarget, ctx: Preparing): PreparedPart {
  return { ...unchanged(target, ctx, GONE), tolerant: true };
}

/** Whether the file looks moved. @throws Failure `stale` when a hash was sent that the file there does not have */
function isMovedBefore({ file, path, ifHash, overwrite }: Patched<"update">, ctx: Preparing): boolean {
  const source = findTarget(ctx, path, "move", { follow: false });
  if (source.before.kind !== "absent" || source.follows) return false;
  const moved = findTarget(ctx, file.moveTo ?? path, "move to", { follow: false });
  if (moved.before.kind !== "file" || moved.follows) return false;
  const hasHunks = file.hunks.length > 0;
  refuseStale(hasHunks ? source : moved, ifHash, path, "move");
  return hasHunks || ifHash !== undefined || !overwrite;
}

/** What is left to be done where the file was moved to before, most often nothing. */
function prepareMovedBefore(one: Patched<"update">, ctx: Preparing): PreparedPart {
  const { file, path } = one;
  const isCompared = file.hunks.length > 0;
  try {
    const there = file.moveTo ?? path;
    const part =
      isCompared || file.mode !== undefined
        ? prepareHunks({ file, path: there, ifHash: undefined }, ctx)
        : noteThere(findTarget(ctx, there, "move", { follow: true }), ctx);
    const doubt = isCompared ? "" : " There was nothing to compare its content with.";
    const note = `There is no "${quotable(path)}", and this file is: taken as moved before.${doubt}`;
    const rest = part.steps.length > 0 || isCompared ? part.warnings : [];
    return { ...part, warnings: [note, ...rest], tolerant: true, isEvidence: true };
  } catch (thrown) {
    throw thrown instanceof Failure && thrown.code !== "stale" ? missingSource(one, ctx) : thrown;
  }
}

/** The failure when the file at the destination is another one, so that the source is what is missing. */
function missingSource({ file, path }: Patched<"update">, ctx: Preparing): Failure {
  const there = quotable(file.moveTo ?? path);
  try {
    refuseMissing(ctx, findTarget(ctx, path, "move", { follow: false }), path, "move");
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return hinted(thrown, `"${there}" is there, but does not hold what the patch makes.`);
  }
  throw new Error("the source is there");
}

/** Judges a delete that failed: where nothing is there, the patch may be a repeat. */
export function judgeRemoval(failure: Failure, path: string, ctx: Preparing): FilePatchProblem {
  if (failure.code !== "not_found") return { path, failure };
  const gone = findTarget(ctx, path, "delete", { follow: false });
  if (gone.before.kind !== "absent" || gone.follows) return { path, failure };
  const hint = "If an earlier call deleted it, leave it out of the patch.";
  return { path, failure: hinted(failure, hint), gone };
}

export function prepareFile(one: PatchedFile, ctx: Preparing): Iterable<PreparedPart> {
  const { file } = one;
  switch (file.kind) {
    case "add":
      return [prepareAdd({ ...one, file }, ctx)];
    case "replace":
      return [prepareReplace({ ...one, file }, ctx)];
    case "delete":
      return [prepareRemoval({ ...one, file }, ctx)];
    case "update":
      return prepareUpdate({ ...one, file }, ctx);
    case "copy":
      return prepareCopy({ ...one, file }, ctx);
  }
}

function prepareAdd({ file, path, ifHash, overwrite }: Patched<"add">, ctx: Preparing): PreparedPart {
  const target = findFile(ctx, path, "add");
  const change = { path, content: file.content };
  const isThere = target.bytes && Buffer.from(encodeContent(change, target, ctx)).equals(target.bytes);
  if (isThere) return noteThere(target, ctx);
  if (target.before.kind !== "absent" && !overwrite)
    throw refusal("already_exists", "add", path, "something is there already", {
      hint: "Use *** Update File to change it, or pass overwrite: true to replace it.",
    });
  const mode = file.executable ? executable(target.before) : undefined;
  return prepareWrite({ op: "write", ...change, overwrite, ifHash, mode }, ctx);
}

function prepareReplace({ file, path, ifHash }: Patched<"replace">, ctx: Preparing): PreparedPart {
  const target = findFile(ctx, path, "replace");
  refuseMissing(ctx, target, path, "replace");
  const mode = file.executable ? executable(target.before) : undefined;
  return prepareWrite({ op: "write", path, content: file.content, overwrite: true, ifHash, mode }, ctx);
}

function prepareRemoval({ file, path, ifHash }: Patched<"delete">, ctx: Preparing): PreparedPart {
  const target = findTarget(ctx, path, "delete", { follow: false });
  if (target.before.kind === "directory")
    throw refusal("invalid_input", "delete", path, "it is a directory", {
      hint: "A patch deletes files; use delete with recursive: true for a directory.",
    });
  refuseStale(target, ifHash, path, "delete");
  // The hunk of a deleted link has where it leads.
  if (file.hunks && target.before.kind === "file") refuseRest(file.hunks, path, ctx);
  return prepareDelete({ op: "delete", path, recursive: false }, ctx);
}

/** As git: a diff deletes a file that holds what the diff says, and nothing else. */
function refuseRest(hunks: HunksOf["file"]["hunks"], path: string, ctx: Preparing): void {
  const { text } = existingText({ path, ifHash: undefined }, ctx, "delete").decoded;
  const result = applyHunks(text, hunks);
  if (result.kind === "failed") throw hunkFailure(path, result.hunks);
  if (result.kind === "applied" && result.text === "") return;
  throw refusal("invalid_input", "delete", path, "the patch does not remove all of its lines", {
    hint: "Read the file again and let the hunk remove every line, or use *** Delete File or the tool delete.",
  });
}

/** Changes the content first, under the old name; the move then takes it along. */
export function* prepareUpdate(one: Patched<"update">, ctx: Preparing): Generator<PreparedPart> {
  const { file, path, overwrite } = one;
  const { moveTo = path } = file;
  const isMoved = moveTo !== path;
  if (isMoved && isMovedBefore(one, ctx)) {
    yield prepareMovedBefore(one, ctx);
    return;
  }
  const changesContent = file.hunks.length > 0 || file.mode !== undefined;
  if (changesContent || !isMoved) yield prepareHunks(one, ctx);
  if (!isMoved) return;
  const source = findTarget(ctx, path, "move", { follow: true });
  refuseMissing(ctx, source, path, "move");
  refuseObject(source, "move", ctx);
  if (!changesContent) refuseStale(source, one.ifHash, path, "move");
  yield move(path, moveTo, overwrite, ctx);
}

/** Copies first; the new content comes second, on the copy. */
function* prepareCopy(one: Patched<"copy">, ctx: Preparing): Generator<PreparedPart> {
  const { file, path, ifHash, overwrite } = one;
  const source = findTarget(ctx, file.from, "copy", { follow: false, readOnlyIsFine: true });
  const before = findCopied(one, source, ctx);
  if (before) {
    yield noteThere(before, ctx);
    return;
  }
  refuseMissing(ctx, source, file.from, "copy");
  refuseObject(source, "copy", ctx);
  refuseStale(source, ifHash, file.from, "copy");
  const copy = { op: "copy" as const, source: file.from, destination: path, overwrite, recursive: false };
  yield prepareRelocate(copy, ctx);
  const changes = file.hunks.length > 0 || file.mode !== undefined;
  if (changes) yield prepareHunks({ file, path, ifHash: undefined }, ctx);
}

/** Finds a file that the same patch made before: it holds what the hunks make or, without hunks, what the source holds. */
function findCopied({ file, path }: Patched<"copy">, source: ChangeTarget, ctx: Preparing): ChangeTarget | undefined {
  const there = findTarget(ctx, path, "copy to", { follow: false });
  if (there.before.kind !== "file" || there.follows) return undefined;
  if (file.hunks.length === 0)
    return source.before.kind === "file" && source.before.hash === there.before.hash ? there : undefined;
  try {
    return prepareHunks({ file, path, ifHash: undefined }, ctx).steps.length === 0 ? there : undefined;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code !== "stale") return undefined;
    throw thrown;
  }
}

export function move(source: string, destination: string, overwrite: boolean, ctx: Preparing): PreparedPart {
  return prepareRelocate({ op: "move", source, destination, overwrite, recursive: false }, ctx);
}
