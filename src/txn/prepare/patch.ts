/**
 * The files of a patch, in an order in which each of them meets what the patch was made for. Whatever fails in any file is
 * told at once, so that a caller can mend all of it in one step, and then nothing is changed.
 *
 * What was read or matched other than exactly is a warning, and makes the whole set one for a person to look at; so does a
 * part that was found done before.
 */
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import type { FilePatch } from "../../text/index.ts";
import type { PatchChange } from "../model.ts";
import { encodeContent, prepareWrite, refuseStale } from "./content.ts";
import { refusal, type PreparedPart, type Preparing, type ChangeTarget } from "./context.ts";
import { orderPatch, type PatchTurn } from "./order-patch.ts";
import {
  executable,
  isMovedBefore,
  joinFailures,
  judgeRemoval,
  noteGone,
  noteThere,
  prepareHunks,
  prepareMovedBefore,
} from "./patch-file.ts";
import type { PatchedFile, FilePatchProblem } from "./patch-file.ts";
import { refuseObject } from "./put.ts";
import { findFile, findTarget, refuseMissing } from "./target.ts";
import { prepareDelete, prepareRelocate } from "./tree.ts";

/** @throws Failure with every problem of every file in `details.problems` */
export function* preparePatch(change: PatchChange, ctx: Preparing): Generator<PreparedPart> {
  refuseUnknownHashes(change);
  const problems: FilePatchProblem[] = [];
  let unsaid = change.tolerances;
  let isRepeated = false;
  const asides: Asides = new Map();
  for (const turn of orderPatch(change.files.map((file) => chooseFile(file, change, ctx)))) {
    const { file, path } = turn.one;
    try {
      for (const { isEvidence = false, ...part } of prepareTurn(turn, asides, ctx)) {
        isRepeated ||= isEvidence;
        const tolerant = part.tolerant === true || change.tolerances.length > 0;
        yield { ...part, warnings: [...unsaid, ...part.warnings], tolerant };
        unsaid = [];
      }
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      const isRemoval = file.kind === "delete";
      problems.push(isRemoval ? judgeRemoval(thrown, path, ctx) : { path, failure: thrown });
    }
  }
  const left = problems.filter(({ gone }) => !isRepeated || gone === undefined);
  if (left.length > 0) throw joinFailures(left);
  for (const { gone } of problems) if (gone) yield noteGone(gone, ctx);
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

function chooseFile(file: FilePatch, change: PatchChange, ctx: Preparing): PatchedFile {
  const { ifHashes, overwrite } = change;
  const path = choosePath(file, ctx);
  const hashOf = (name: string): string | undefined => (Object.hasOwn(ifHashes, name) ? ifHashes[name] : undefined);
  const ifHash = hashOf(file.kind === "copy" ? file.from : file.path) ?? hashOf(path);
  return { file, path, ifHash, overwrite };
}

/** The first spelling that exists; the first of all when none does. */
function choosePath(file: FilePatch, ctx: Preparing): string {
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

/** The names under which files wait aside. */
type Asides = Map<PatchedFile, string>;

function* prepareTurn({ one, what }: PatchTurn<PatchedFile>, asides: Asides, ctx: Preparing): Generator<PreparedPart> {
  const { file, path, overwrite } = one;
  if (what === "whole" || file.kind !== "update") {
    yield* prepareFile(one, ctx);
  } else if (what === "aside") {
    const aside = freeName(path, ctx);
    yield* prepareUpdate({ ...one, file: { ...file, moveTo: aside }, overwrite: false }, ctx);
    asides.set(one, aside);
  } else {
    const source = asides.get(one);
    // The move aside has failed, and its failure is known.
    if (source === undefined) return;
    yield move(source, file.moveTo ?? path, overwrite, ctx);
  }
}

/** A free name; nothing will be left there when the whole patch is applied. */
function freeName(path: string, ctx: Preparing): string {
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  for (let number = 1; ; number++) {
    const name = `${directory}aside-${number}.tmp`;
    if (findTarget(ctx, name, "move to", { follow: false }).before.kind === "absent") return name;
  }
}

function move(source: string, destination: string, overwrite: boolean, ctx: Preparing): PreparedPart {
  return prepareRelocate({ op: "move", source, destination, overwrite, recursive: false }, ctx);
}

function prepareFile(one: PatchedFile, ctx: Preparing): Iterable<PreparedPart> {
  const { file } = one;
  switch (file.kind) {
    case "add":
      return [prepareAdd({ ...one, file }, ctx)];
    case "replace":
      return [prepareReplace({ ...one, file }, ctx)];
    case "delete":
      return [prepareRemoval(one, ctx)];
    case "update":
      return prepareUpdate({ ...one, file }, ctx);
    case "copy":
      return prepareCopy({ ...one, file }, ctx);
  }
}

type Patched<Kind extends FilePatch["kind"]> = PatchedFile<FilePatch & { kind: Kind }>;

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

function prepareRemoval({ path, ifHash }: PatchedFile, ctx: Preparing): PreparedPart {
  const target = findTarget(ctx, path, "delete", { follow: false });
  if (target.before.kind === "directory")
    throw refusal("invalid_input", "delete", path, "it is a directory", {
      hint: "A patch deletes files; use delete with recursive: true for a directory.",
    });
  refuseStale(target, ifHash, path, "delete");
  return prepareDelete({ op: "delete", path, recursive: false }, ctx);
}

/** Changes the content first, under the old name; the move then takes it along. */
function* prepareUpdate(one: Patched<"update">, ctx: Preparing): Generator<PreparedPart> {
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
