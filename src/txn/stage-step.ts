/**
 * Everything that a step needs beside its target before anything is renamed: new content in a temporary file in the
 * same directory, a copied tree under a temporary name, missing parents. What is staged and not used is discarded.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  rmdirSync,
  writeSync,
} from "node:fs";
import { Failure, newId } from "../base/index.ts";
import { errnoOf, failureOf, fsName, type Located, type Place } from "../scope/index.ts";
import type { CommitContext } from "./commit.ts";
import { copyObject } from "./copy-object.ts";
import type { SealedStep } from "./sealed.ts";
import { locatedFrom } from "./target.ts";

export interface StagedStep {
  readonly step: SealedStep;
  readonly place: Place;
  /** Where the new object waits, for node:fs; absent when nothing is staged. */
  readonly temporary?: string | Buffer;
  /** Directories that were made for it, outermost first. */
  readonly madeParents: readonly Made[];
}

interface Made {
  readonly entry: string | Buffer;
  keep: boolean;
}

export function stageStep(step: SealedStep, ctx: CommitContext, held: DisposableStack): StagedStep {
  const at = locatedFrom(ctx.scope, step.at);
  const madeParents: Made[] = [];
  try {
    makeParents(at, ctx, madeParents, held);
    const place = held.use(ctx.scope.place(at, "change"));
    refuseMovedAway(ctx, place, at);
    const temporary = stageObject(step, place, ctx, held);
    return { step, place, madeParents, ...(temporary === undefined ? {} : { temporary }) };
  } catch (thrown) {
    removeMade(madeParents);
    throw failureOf(thrown, ctx.scope, at, "change");
  }
}

/** Removes what was staged and not used. */
export function discard(staged: StagedStep): void {
  if (staged.temporary !== undefined) rmSync(staged.temporary, { recursive: true, force: true });
  removeMade(staged.madeParents);
}

/** A short random name: the target's own name plus a suffix may be too long. */
export function temporaryBeside(place: Place): string | Buffer {
  return fsName(`${place.parent.path}/.${newId("ringfence")}.tmp`);
}

/** A sealed path has no links on its way; if one is there now, it leads to another place than the one that was shown. */
export function refuseMovedAway(ctx: CommitContext, place: Place, at: Located): void {
  if (place.at.rel === at.rel && place.at.root === at.root) return;
  throw new Failure(
    "stale",
    `Cannot apply the change of "${ctx.scope.show(at)}": a directory on the way was replaced since the proposal was made`,
  );
}

function stageObject(
  step: SealedStep,
  place: Place,
  ctx: CommitContext,
  held: DisposableStack,
): string | Buffer | undefined {
  if (step.op === "put" && !step.inPlace) return stageContent(step, place, ctx);
  if (step.op !== "copy") return undefined;
  const from = locatedFrom(ctx.scope, step.from);
  const source = held.use(ctx.scope.place(from, "copy"));
  refuseMovedAway(ctx, source, from);
  const temporary = temporaryBeside(place);
  copyObject(ctx.scope, source, temporary, { cancel: ctx.cancel });
  return temporary;
}

function stageContent(step: SealedStep & { op: "put" }, place: Place, ctx: CommitContext): string | Buffer {
  const temporary = temporaryBeside(place);
  const isNew = step.before.kind !== "file";
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(temporary, flags, isNew ? 0o666 : 0o600);
  try {
    writeAll(fd, ctx.content(step.content));
    if (!isNew) keepOwnerAndMode(fd, place);
    fsyncSync(fd);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  } finally {
    closeSync(fd);
  }
  return temporary;
}

export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
}

/** Owner before mode: changing the owner clears set-id bits. */
function keepOwnerAndMode(fd: number, place: Place): void {
  const stat = lstatSync(place.entry);
  try {
    fchownSync(fd, stat.uid, stat.gid);
  } catch (thrown) {
    if (errnoOf(thrown) !== "EPERM") throw thrown;
  }
  fchmodSync(fd, stat.mode & 0o7777);
}

function makeParents(at: Located, ctx: CommitContext, made: Made[], held: DisposableStack): void {
  const names = at.rel.split("/");
  for (let depth = 1; depth < names.length; depth++) {
    const parentAt = { ...at, rel: names.slice(0, depth).join("/") };
    if (ctx.scope.isAtop(parentAt)) continue;
    const parent = held.use(ctx.scope.place(parentAt, "create"));
    if (lstatSync(parent.entry, { throwIfNoEntry: false })) continue;
    mkdirSync(parent.entry);
    made.push({ entry: parent.entry, keep: false });
  }
}

function removeMade(made: readonly Made[]): void {
  for (const { entry, keep } of [...made].reverse()) {
    if (keep) continue;
    try {
      rmdirSync(entry);
    } catch {
      // Somebody put something into it; it is theirs now.
    }
  }
}
