/**
 * The files of a patch, in an order in which each of them meets what the patch was made for. Whatever fails in any file is
 * told at once, so that a caller can mend all of it in one step, and then nothing is changed.
 *
 * What was read or matched other than exactly is a warning, and makes the whole set one for a person to look at.
 */
import { Failure, limits } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import type { FilePatch } from "../../text/index.ts";
import type { PatchChange } from "../model.ts";
import { encodeContent } from "./new-content.ts";
import { orderPatch, type Turn } from "./order-patch.ts";
import { findGone, findMoved, missingSource, noteGone, noteMoved, noteThere } from "./patch-repeated.ts";
import { joinFailures } from "./patch-failure.ts";
import { refuseObject } from "./put.ts";
import type { SealedPart } from "./part.ts";
import { refuseStale, sealWrite } from "./content.ts";
import { executable, type PatchedPart, sealHunks } from "./patch-hunks.ts";
import { sealDelete, sealRelocate } from "./tree.ts";
import type { Sealing } from "./context.ts";
import { findTarget, refuseMissing, type Target } from "./target.ts";

/** One file of it, under the spelling of its path that is meant. */
interface PatchedFile<F extends FilePatch = FilePatch> {
  readonly file: F;
  readonly path: string;
  readonly ifHash: string | undefined;
  readonly overwrite: boolean;
}

interface Problem {
  readonly path: string;
  readonly failure: Failure;
  /** No problem if the patch turns out to be sent again. */
  readonly gone?: Target;
}

/** @throws Failure with every problem of every file in `details.problems` */
export function* sealPatch(change: PatchChange, ctx: Sealing): Generator<SealedPart> {
  refuseUnknownHashes(change);
  const problems: Problem[] = [];
  let unsaid = change.tolerances;
  let isRepeated = false;
  const asides: Asides = new Map();
  for (const turn of orderPatch(change.files.map((file) => chooseFile(file, change, ctx)))) {
    const { file, path } = turn.one;
    try {
      for (const one of sealTurn(turn, asides, ctx)) {
        const { isEvidence = false, ...part } = one;
        isRepeated ||= isEvidence;
        const tolerant = part.tolerant === true || change.tolerances.length > 0;
        yield { ...part, warnings: [...unsaid, ...part.warnings], tolerant };
        unsaid = [];
      }
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      const gone = file.kind === "delete" ? findGone(thrown, path, ctx) : undefined;
      problems.push(gone ? { path, failure: gone.failure, gone: gone.target } : { path, failure: thrown });
    }
  }
  const left = problems.filter(({ gone }) => !isRepeated || gone === undefined);
  if (left.length > 0) throw joinFailures(left);
  for (const { gone } of problems) if (gone) yield noteGone(gone, ctx);
}

function chooseFile(file: FilePatch, change: PatchChange, ctx: Sealing): PatchedFile {
  const path = choosePath(file, ctx);
  const ifHash = file.kind === "copy" ? hashOf(change, file.from) : hashOf(change, file.path);
  return { file, path, ifHash: ifHash ?? hashOf(change, path), overwrite: change.overwrite };
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

/** Where the files that wait aside are. */
type Asides = Map<PatchedFile, string>;

function* sealTurn({ one, what }: Turn<PatchedFile>, asides: Asides, ctx: Sealing): Generator<PatchedPart> {
  const { file, path, overwrite } = one;
  if (what === "whole" || file.kind !== "update") {
    yield* sealFile(one, ctx);
  } else if (what === "aside") {
    const aside = freeName(path, ctx);
    yield* sealUpdate({ ...one, file: { ...file, moveTo: aside }, overwrite: false }, ctx);
    asides.set(one, aside);
  } else {
    const source = asides.get(one);
    // Why it is not there has been said.
    if (source === undefined) return;
    const destination = file.moveTo ?? path;
    yield sealRelocate({ op: "move", source, destination, overwrite, recursive: false }, ctx);
  }
}

/** Nothing is left there when the patch is applied. */
function freeName(path: string, ctx: Sealing): string {
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  for (let number = 1; ; number++) {
    const name = `${directory}aside-${number}.tmp`;
    if (findTarget(ctx, name, "move to", { follow: false }).before.kind === "absent") return name;
  }
}

function* sealFile(one: PatchedFile, ctx: Sealing): Generator<PatchedPart> {
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
    case "copy":
      yield* sealCopy({ ...one, file }, ctx);
      return;
  }
}

function sealAdd(
  { file, path, ifHash, overwrite }: PatchedFile<FilePatch & { kind: "add" }>,
  ctx: Sealing,
): PatchedPart {
  const target = findTarget(ctx, path, "add", { follow: true, maxBytes: limits.MAX_EDIT_FILE_BYTES });
  const change = { path, content: file.content };
  const isThere = target.bytes && Buffer.from(encodeContent(change, target, ctx)).equals(target.bytes);
  if (isThere) return { ...noteThere(target, ctx), isEvidence: true };
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
function* sealUpdate(one: PatchedFile<FilePatch & { kind: "update" }>, ctx: Sealing): Generator<PatchedPart> {
  const { file, path, overwrite } = one;
  const isMoved = file.moveTo !== undefined && file.moveTo !== path;
  if (isMoved && findMoved(one, ctx)) {
    yield sealMoved(one, ctx);
    return;
  }
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

/** What is left to be done where the file was moved to before, most often nothing. */
function sealMoved(one: PatchedFile<FilePatch & { kind: "update" }>, ctx: Sealing): PatchedPart {
  const { file, path } = one;
  const there = { ...one, path: file.moveTo ?? path, ifHash: undefined };
  try {
    const isPure = file.hunks.length === 0 && file.mode === undefined;
    const part = isPure
      ? noteThere(findTarget(ctx, there.path, "move", { follow: true }), ctx)
      : sealHunks(there, ctx);
    return noteMoved(one, part);
  } catch (thrown) {
    throw thrown instanceof Failure ? missingSource(one, ctx) : thrown;
  }
}

/** The content that the patch gives it second, on the copy. */
function* sealCopy(one: PatchedFile<FilePatch & { kind: "copy" }>, ctx: Sealing): Generator<PatchedPart> {
  const { file, path, ifHash, overwrite } = one;
  const source = findTarget(ctx, file.from, "copy", { follow: false, readOnlyIsFine: true });
  const before = findCopied(one, source, ctx);
  if (before) {
    yield { ...noteThere(before, ctx), isEvidence: true };
    return;
  }
  refuseMissing(ctx, source, file.from, "copy");
  refuseObject(source, "copy", ctx);
  refuseStale(source, ifHash, file.from, "copy");
  yield sealRelocate({ op: "copy", source: file.from, destination: path, overwrite, recursive: false }, ctx);
  const changes = file.hunks.length > 0 || file.mode !== undefined;
  if (changes) yield sealHunks({ file, path, ifHash: undefined }, ctx);
}

/** The file that was made by the same patch before: it holds what the hunks make, or without hunks what the source holds. */
function findCopied(
  { file, path }: PatchedFile<FilePatch & { kind: "copy" }>,
  source: Target,
  ctx: Sealing,
): Target | undefined {
  const there = findTarget(ctx, path, "copy to", { follow: false });
  if (there.before.kind !== "file" || there.follows) return undefined;
  if (file.hunks.length === 0)
    return source.before.kind === "file" && source.before.hash === there.before.hash ? there : undefined;
  try {
    return sealHunks({ file, path, ifHash: undefined }, ctx).steps.length === 0 ? there : undefined;
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

function refuseUnknownHashes({ ifHashes, files }: PatchChange): void {
  const names = files.flatMap((file) => [
    file.path,
    ...(file.candidatesForPath ?? []),
    ...(file.kind === "copy" ? [file.from] : []),
  ]);
  const unknown = Object.keys(ifHashes).find((path) => !names.includes(path));
  if (unknown === undefined) return;
  throw new Failure(
    "invalid_input",
    `Cannot apply the patch: if_hashes names "${quotable(unknown)}", which is no file of the patch`,
    { candidates: files.map((file) => file.path) },
  );
}
