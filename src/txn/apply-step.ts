/**
 * One step onto the disk, and how to take it back. Each is a single rename, link or mkdir on a held handle; what it
 * displaces waits beside it until the whole commit has succeeded.
 */
import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { Failure } from "../base/index.ts";
import { errnoOf, failureOf, fsName, type Place } from "../scope/index.ts";
import type { CommitContext } from "./commit.ts";
import { copyObject } from "./copy-object.ts";
import { keepForUndo } from "./keep-for-undo.ts";
import { temporaryBeside, writeAll, type StagedStep } from "./stage-step.ts";
import type { SealedStep } from "./sealed.ts";
import { locatedFrom } from "./target.ts";

export interface AppliedStep {
  takeBack(): void;
  /** After the last step succeeded: the displaced object goes to the undo store or is dropped. */
  finish(): void;
}

export function applyStep(staged: StagedStep, ctx: CommitContext, transaction: string): AppliedStep {
  const { step, place } = staged;
  try {
    const applied = applyOne(staged, ctx, transaction);
    syncDirectory(place);
    return applied;
  } catch (thrown) {
    throw failureOf(thrown, ctx.scope, locatedFrom(ctx.scope, step.at), "change");
  }
}

function applyOne(staged: StagedStep, ctx: CommitContext, transaction: string): AppliedStep {
  const { step, place, temporary } = staged;
  switch (step.op) {
    case "put":
      return temporary === undefined
        ? writeInPlace(step, place, ctx)
        : replace(place, temporary, step.before.kind !== "absent");
    case "copy":
      return temporary === undefined ? NOTHING : replace(place, temporary, step.before.kind !== "absent");
    case "make_directory":
      mkdirSync(place.entry);
      return { takeBack: () => rmdirSync(place.entry), finish: () => undefined };
    case "remove":
      return remove(place, ctx, transaction);
    case "move":
      return move(step, place, ctx);
  }
}

const NOTHING: AppliedStep = { takeBack: () => undefined, finish: () => undefined };

function replace(place: Place, temporary: string | Buffer, exists: boolean): AppliedStep {
  if (!exists) {
    createOnly(temporary, place.entry);
    return { takeBack: () => rmSync(place.entry, { recursive: true, force: true }), finish: () => undefined };
  }
  const old = temporaryBeside(place);
  // A second name for the old inode first, so that the target is never missing.
  linkSync(place.entry, old);
  renameSync(temporary, place.entry);
  return {
    takeBack: () => renameSync(old, place.entry),
    finish: () => rmSync(old, { force: true }),
  };
}

/** A link fails when the name was taken meanwhile, which a rename would not; directories cannot be linked. */
function createOnly(temporary: string | Buffer, entry: string | Buffer): void {
  if (lstatSync(temporary).isFile()) {
    linkSync(temporary, entry);
    unlinkSync(temporary);
    return;
  }
  if (lstatSync(entry, { throwIfNoEntry: false }))
    throw Object.assign(new Error("EEXIST"), { code: "EEXIST" });
  renameSync(temporary, entry);
}

function writeInPlace(step: SealedStep & { op: "put" }, place: Place, ctx: CommitContext): AppliedStep {
  const old = readFileSync(place.entry);
  const put = (bytes: Uint8Array): void => {
    const fd = openSync(place.entry, constants.O_WRONLY | constants.O_NOFOLLOW);
    try {
      writeAll(fd, bytes);
      ftruncateSync(fd, bytes.length);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  };
  put(ctx.content(step.content));
  return { takeBack: () => put(old), finish: () => undefined };
}

function remove(place: Place, ctx: CommitContext, transaction: string): AppliedStep {
  const aside = temporaryBeside(place);
  renameSync(place.entry, aside);
  return {
    takeBack: () => renameSync(aside, place.entry),
    finish: () =>
      keepForUndo({
        scope: ctx.scope,
        place,
        aside,
        folder: ctx.undoFolder(transaction),
        cancel: ctx.cancel,
      }),
  };
}

function move(step: SealedStep & { op: "move" }, place: Place, ctx: CommitContext): AppliedStep {
  using source = ctx.scope.place(locatedFrom(ctx.scope, step.from), "move");
  const old = step.before.kind === "absent" ? undefined : temporaryBeside(place);
  if (old === undefined && lstatSync(place.entry, { throwIfNoEntry: false }))
    throw new Failure("stale", `Cannot move to "${ctx.scope.show(place.at)}": something is there now`);
  if (old !== undefined) linkSync(place.entry, old);
  const crossed = renameOrCopy(source, place, ctx);
  syncDirectory(source);
  const backTo = { root: step.from.root, rel: step.from.rel };
  return {
    takeBack: () => {
      using home = ctx.scope.place(locatedFrom(ctx.scope, backTo), "move");
      if (crossed) copyObject(ctx.scope, place, home.entry, ctx.cancel);
      else renameSync(place.entry, home.entry);
      if (crossed) rmSync(place.entry, { recursive: true, force: true });
      if (old !== undefined) renameSync(old, place.entry);
    },
    finish: () => old !== undefined && rmSync(old, { force: true }),
  };
}

/** A rename, or between devices a copy under a temporary name that is renamed, and then the removal of the source. */
function renameOrCopy(source: Place, place: Place, ctx: CommitContext): boolean {
  try {
    renameSync(source.entry, place.entry);
    return false;
  } catch (thrown) {
    if (errnoOf(thrown) !== "EXDEV") throw thrown;
  }
  const temporary = temporaryBeside(place);
  copyObject(ctx.scope, source, temporary, ctx.cancel);
  renameSync(temporary, place.entry);
  rmSync(source.entry, { recursive: true, force: true });
  return true;
}

/** The rename is durable only when its directory is. Windows has no such call, and needs none. */
function syncDirectory(place: Place): void {
  if (process.platform === "win32") return;
  const fd = openSync(fsName(place.parent.path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
