/**
 * One step onto the disk, and how to take it back. Each is a single rename, link or mkdir on a held handle; what it
 * displaces waits beside it until the whole commit has succeeded.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
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
import { refuseMovedAway, temporaryBeside, writeAll, type StagedStep } from "./stage-step.ts";
import type { SealedStep } from "./sealed.ts";
import { locatedFrom } from "./target.ts";

export interface AppliedStep {
  takeBack(): void;
  /** After the last step succeeded: the displaced object goes to the undo store or is dropped. */
  finish(): void;
}

export function applyStep(
  staged: StagedStep,
  ctx: CommitContext,
  transaction: string,
  held: DisposableStack,
): AppliedStep {
  const { step, place } = staged;
  try {
    const applied = applyOne(staged, ctx, transaction, held);
    syncDirectory(place);
    return applied;
  } catch (thrown) {
    throw failureOf(thrown, ctx.scope, locatedFrom(ctx.scope, step.at), "change");
  }
}

function applyOne(
  staged: StagedStep,
  ctx: CommitContext,
  transaction: string,
  held: DisposableStack,
): AppliedStep {
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
      return move(step, place, ctx, held);
  }
}

const NOTHING: AppliedStep = { takeBack: () => undefined, finish: () => undefined };

function replace(place: Place, temporary: string | Buffer, exists: boolean): AppliedStep {
  if (!exists) {
    createOnly(temporary, place.entry);
    return { takeBack: () => rmSync(place.entry, { recursive: true, force: true }), finish: () => undefined };
  }
  const old = keepOld(place);
  try {
    renameSync(temporary, place.entry);
  } catch (thrown) {
    rmSync(old, { force: true });
    throw thrown;
  }
  return { takeBack: () => renameSync(old, place.entry), finish: () => rmSync(old, { force: true }) };
}

/** A second name for the old inode, so that the target is never missing; a copy where the file system has no links. */
function keepOld(place: Place): string | Buffer {
  const old = temporaryBeside(place);
  try {
    linkSync(place.entry, old);
  } catch (thrown) {
    if (!hasNoLinks(thrown)) throw thrown;
    copyFileSync(place.entry, old, constants.COPYFILE_EXCL);
  }
  return old;
}

/** A link fails when the name was taken meanwhile, which a rename would not; directories cannot be linked. */
function createOnly(temporary: string | Buffer, entry: string | Buffer): void {
  if (lstatSync(temporary).isFile()) {
    try {
      linkSync(temporary, entry);
      unlinkSync(temporary);
      return;
    } catch (thrown) {
      if (!hasNoLinks(thrown)) throw thrown;
    }
  }
  if (lstatSync(entry, { throwIfNoEntry: false }))
    throw Object.assign(new Error("EEXIST"), { code: "EEXIST" });
  renameSync(temporary, entry);
}

/** FAT and some network file systems. */
function hasNoLinks(thrown: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(thrown) ?? "");
}

function writeInPlace(step: SealedStep & { op: "put" }, place: Place, ctx: CommitContext): AppliedStep {
  const flags = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const put = (bytes: Uint8Array): Uint8Array => {
    const fd = openSync(place.entry, flags);
    try {
      if (!fstatSync(fd).isFile())
        throw new Failure("stale", "Cannot write in place: it is no file any more");
      const old = readFileSync(fd);
      writeAll(fd, bytes);
      ftruncateSync(fd, bytes.length);
      fsyncSync(fd);
      return old;
    } finally {
      closeSync(fd);
    }
  };
  const old = put(ctx.content(step.content));
  return { takeBack: () => void put(old), finish: () => undefined };
}

function remove(place: Place, ctx: CommitContext, transaction: string): AppliedStep {
  const aside = temporaryBeside(place);
  renameSync(place.entry, aside);
  try {
    const kept = keepForUndo(aside, ctx.undoFolder(transaction), ctx.scope.absolute(place.at));
    return { takeBack: () => renameSync(kept.from, place.entry), finish: () => kept.finish() };
  } catch (thrown) {
    renameSync(aside, place.entry);
    throw thrown;
  }
}

function move(
  step: SealedStep & { op: "move" },
  place: Place,
  ctx: CommitContext,
  held: DisposableStack,
): AppliedStep {
  const from = locatedFrom(ctx.scope, step.from);
  const source = held.use(ctx.scope.place(from, "move"));
  refuseMovedAway(ctx, source, from);
  const old = step.before.kind === "absent" ? undefined : keepOld(place);
  if (old === undefined && lstatSync(place.entry, { throwIfNoEntry: false }))
    throw new Failure("stale", `Cannot move to "${ctx.scope.show(place.at)}": something is there now`);
  const restoreOld = (): void => (old === undefined ? undefined : renameSync(old, place.entry));
  let aside: string | Buffer | undefined;
  try {
    aside = renameOrCopy(source, place, ctx);
    syncDirectory(source);
  } catch (thrown) {
    if (old !== undefined) rmSync(old, { force: true });
    throw thrown;
  }
  return {
    takeBack: () => {
      if (aside === undefined) renameSync(place.entry, source.entry);
      else {
        renameSync(aside, source.entry);
        rmSync(place.entry, { recursive: true, force: true });
      }
      restoreOld();
    },
    finish: () => {
      if (old !== undefined) rmSync(old, { force: true });
      if (aside !== undefined) rmSync(aside, { recursive: true, force: true });
    },
  };
}

/**
 * A rename, or between devices a durable copy that is renamed into place while the source is put aside under a
 * temporary name, which is returned: it is removed only when the whole commit has succeeded.
 */
function renameOrCopy(source: Place, place: Place, ctx: CommitContext): string | Buffer | undefined {
  try {
    renameSync(source.entry, place.entry);
    return undefined;
  } catch (thrown) {
    if (errnoOf(thrown) !== "EXDEV") throw thrown;
  }
  const temporary = temporaryBeside(place);
  copyObject(ctx.scope, source, temporary, { cancel: ctx.cancel, whole: true });
  const aside = temporaryBeside(source);
  renameSync(source.entry, aside);
  try {
    renameSync(temporary, place.entry);
  } catch (thrown) {
    renameSync(aside, source.entry);
    rmSync(temporary, { recursive: true, force: true });
    throw thrown;
  }
  return aside;
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
