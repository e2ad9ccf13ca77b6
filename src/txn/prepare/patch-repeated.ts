/**
 * What of a patch was done before: its answer may have been lost, and then it is sent again. By these rules, and told:
 *
 *   add      the file is there with exactly this content
 *   update   the new lines of a hunk stand there once, and its old ones nowhere (`find-applied.ts`)
 *   move     nothing is at the source, and a file is at the destination. Its hunks are looked for there. Without hunks
 *            there is nothing to compare but the hash that the caller may have sent; so with `overwrite`, where the
 *            file may be the one that was to be replaced, that hash is needed
 *   delete   nothing is there, and another part of the same patch was found done. Alone it proves nothing, for no byte on
 *            the disk says that this file ever was; then the path is more likely misspelt, and the patch is refused
 *
 * What is left is applied. A part that was left out makes the set one for a person to look at, as every tolerance does.
 */
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import type { FilePatch } from "../../text/index.ts";
import { unchanged } from "./put.ts";
import { ALREADY_APPLIED_HUNKS, refuseStale } from "./content.ts";
import type { SealedPart } from "./part.ts";
import type { Sealing } from "./context.ts";
import { findTarget, refuseMissing, type Target } from "./target.ts";

interface MovedFile {
  readonly file: FilePatch & { kind: "update" };
  readonly path: string;
  readonly ifHash: string | undefined;
  readonly overwrite: boolean;
}

/** Whether it looks moved. @throws Failure `stale` when a hash was sent that the file there does not have */
export function findMoved({ file, path, ifHash, overwrite }: MovedFile, ctx: Sealing): boolean {
  const source = findTarget(ctx, path, "move", { follow: false });
  if (source.before.kind !== "absent" || source.follows) return false;
  const moved = findTarget(ctx, file.moveTo ?? path, "move to", { follow: false });
  if (moved.before.kind !== "file" || moved.follows) return false;
  if (file.hunks.length > 0) refuseStale(source, ifHash, path, "move");
  else refuseStale(moved, ifHash, path, "move");
  return file.hunks.length > 0 || ifHash !== undefined || !overwrite;
}

export function noteMoved(
  { file, path }: MovedFile,
  part: SealedPart,
): SealedPart & { readonly isEvidence: true } {
  const isCompared = file.hunks.length > 0;
  const doubt = isCompared ? "" : " There was nothing to compare its content with.";
  const note = `There is no "${quotable(path)}", and this file is: taken as moved before.${doubt}`;
  const rest = part.steps.length > 0 || isCompared ? part.warnings : [];
  return { ...part, warnings: [note, ...rest], tolerant: true, isEvidence: true };
}

/** The file at the destination is another one: then the source is what is missing. */
export function missingSource({ file, path }: MovedFile, ctx: Sealing): Failure {
  try {
    refuseMissing(ctx, findTarget(ctx, path, "move", { follow: false }), path, "move");
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return hinted(
      thrown,
      `"${quotable(file.moveTo ?? path)}" is there, but does not hold what the patch makes.`,
    );
  }
  throw new Error("the source is there");
}

function hinted(failure: Failure, first: string): Failure {
  const { code, message, hint, ...more } = failure.data;
  return new Failure(code, message, { ...more, hint: `${first} ${hint}` });
}

export function noteThere(target: Target, ctx: Sealing): SealedPart {
  return { ...unchanged(target, ctx, ALREADY_APPLIED_HUNKS), tolerant: true };
}

/** A file that could not be deleted because nothing is there: what to say if it was done before, and if not. */
export function findGone(
  failure: Failure,
  path: string,
  ctx: Sealing,
): { readonly target: Target; readonly failure: Failure } | undefined {
  if (failure.code !== "not_found") return undefined;
  const target = findTarget(ctx, path, "delete", { follow: false });
  if (target.before.kind !== "absent" || target.follows) return undefined;
  return { target, failure: hinted(failure, "If an earlier call deleted it, leave it out of the patch.") };
}

export function noteGone(target: Target, ctx: Sealing): SealedPart {
  return { ...unchanged(target, ctx, GONE), tolerant: true };
}

const GONE =
  "There is no such file, and other parts of the patch are there already: taken as deleted before.";
