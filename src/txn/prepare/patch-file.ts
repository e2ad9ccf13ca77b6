/**
 * One file of a patch: its hunks and its mode, placed on the file as it is after the changes before, and whether that was
 * done before: the answer to a patch may have been lost, and then it is sent again. By these rules, and told:
 *
 *   add      the file is there with exactly this content
 *   update   the new lines of a hunk stand there once, and its old ones nowhere (`text/place/choose-place.ts`)
 *   move     nothing is at the source, and a file is at the destination; its hunks are looked for there. Without hunks there
 *            is nothing to compare but the hash that the caller may have sent, which `overwrite` then needs
 *   delete   nothing is there, and another part of the same patch was found done. Alone it proves nothing, for no byte on
 *            the disk says that this file ever was; then the path is more likely misspelt, and the patch is refused
 */
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import { applyHunks, type FilePatch, type Hunk, type HunkProblem } from "../../text/index.ts";
import type { Before } from "../model.ts";
import { encodeOrFail, existingFile, existingText, refuseStale, SAME_TEXT, takeAsMade } from "./content.ts";
import { refusal, type PreparedPart, type Preparing, type ChangeTarget } from "./context.ts";
import { preparePut, unchanged } from "./put.ts";
import { findTarget, refuseMissing } from "./target.ts";

/** One file of a patch, under the spelling of its path that is meant. */
export interface PatchedFile<F extends FilePatch = FilePatch> {
  readonly file: F;
  readonly path: string;
  readonly ifHash: string | undefined;
  readonly overwrite: boolean;
}

type GitMode = "100644" | "100755";

interface HunksOf {
  readonly file: { readonly hunks: readonly Hunk[]; readonly mode?: GitMode };
  readonly path: string;
  readonly ifHash: string | undefined;
}

/** @throws Failure with every hunk that has no place */
export function prepareHunks({ file, path, ifHash }: HunksOf, ctx: Preparing): PreparedPart {
  if (file.hunks.length === 0) {
    const target = existingFile({ path, ifHash }, ctx, "patch");
    const mode = modeOf(file.mode, target.before);
    return preparePut(target, bytesOf(target), ctx, { operation: "edit", mode });
  }
  const target = existingText({ path, ifHash }, ctx, "patch");
  const { text, encoding } = target.decoded;
  const result = applyHunks(text, file.hunks);
  if (result.kind === "failed") throw hunkFailure(path, result.hunks);
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

function bytesOf(target: ChangeTarget): Uint8Array {
  return target.bytes ?? new Uint8Array();
}

/** Lets everybody who may read the file execute it, or nobody. @returns `undefined` when it is so already */
function modeOf(wanted: GitMode | undefined, before: Before): number | undefined {
  if (wanted === undefined || before.kind !== "file") return undefined;
  const mode = wanted === "100755" ? executable(before) : before.mode & ~0o111;
  return mode === before.mode ? undefined : mode;
}

export function executable(before: Before): number {
  return before.kind === "file" ? before.mode | ((before.mode & 0o444) >> 2) : 0o755;
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
  return refusal(code, "patch", path, first?.message ?? "a hunk fails", {
    ...(first ? { hint: first.hint } : {}),
    details: { problems },
  });
}

const THERE = "What the patch would make is there already: taken as a change that was made before.";
const GONE = "There is no such file, and other parts of the patch are there already: taken as deleted before.";

export function noteThere(target: ChangeTarget, ctx: Preparing): PreparedPart {
  return { ...unchanged(target, ctx, THERE), tolerant: true, isEvidence: true };
}

export function noteGone(target: ChangeTarget, ctx: Preparing): PreparedPart {
  return { ...unchanged(target, ctx, GONE), tolerant: true };
}

type MovedFile = PatchedFile<FilePatch & { kind: "update" }>;

/** Whether the file looks moved. @throws Failure `stale` when a hash was sent that the file there does not have */
export function isMovedBefore({ file, path, ifHash, overwrite }: MovedFile, ctx: Preparing): boolean {
  const source = findTarget(ctx, path, "move", { follow: false });
  if (source.before.kind !== "absent" || source.follows) return false;
  const moved = findTarget(ctx, file.moveTo ?? path, "move to", { follow: false });
  if (moved.before.kind !== "file" || moved.follows) return false;
  const hasHunks = file.hunks.length > 0;
  refuseStale(hasHunks ? source : moved, ifHash, path, "move");
  return hasHunks || ifHash !== undefined || !overwrite;
}

/** What is left to be done where the file was moved to before, most often nothing. */
export function prepareMovedBefore(one: MovedFile, ctx: Preparing): PreparedPart {
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
function missingSource({ file, path }: MovedFile, ctx: Preparing): Failure {
  const there = quotable(file.moveTo ?? path);
  try {
    refuseMissing(ctx, findTarget(ctx, path, "move", { follow: false }), path, "move");
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return hinted(thrown, `"${there}" is there, but does not hold what the patch makes.`);
  }
  throw new Error("the source is there");
}

function hinted({ data: { code, message, hint, ...more } }: Failure, first: string): Failure {
  return new Failure(code, message, { ...more, hint: `${first} ${hint}` });
}

export interface FilePatchProblem {
  readonly path: string;
  readonly failure: Failure;
  /** The place of a missing file; no problem if the patch turns out to be a repeat. */
  readonly gone?: ChangeTarget;
}

/** Judges a delete that failed: where nothing is there, the patch may be a repeat. */
export function judgeRemoval(failure: Failure, path: string, ctx: Preparing): FilePatchProblem {
  if (failure.code !== "not_found") return { path, failure };
  const gone = findTarget(ctx, path, "delete", { follow: false });
  if (gone.before.kind !== "absent" || gone.follows) return { path, failure };
  const hint = "If an earlier call deleted it, leave it out of the patch.";
  return { path, failure: hinted(failure, hint), gone };
}

const MAX_TOLD = 5;

/**
 * Joins the failures of all files, so that a caller can mend all of it in one step. The message is that of the first, the
 * hint names a few others, and all stand in `details.problems`.
 */
export function joinFailures(failures: readonly FilePatchProblem[]): Failure {
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
