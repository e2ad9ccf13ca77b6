/**
 * New bytes for one file as a sealed step. Of several changes of one file in a set the last one takes the place of those
 * before it, so that what is shown is the whole change; when something lies between, they stay apart and in order.
 */
import { Failure, sha256 } from "../base/index.ts";
import { describeContent } from "./describe.ts";
import { lossesAt } from "./keep-metadata.ts";
import { beforeOf } from "./look.ts";
import type { Standing } from "./overlay.ts";
import { recordParents, sealParents } from "./seal-parents.ts";
import type { Before, Operation, SealedFile, SealedStep, StepOrder } from "./sealed.ts";
import { orderOf, shownTarget, type SealedPart } from "./sealed-part.ts";
import { sealedPath, type Sealing } from "./sealing.ts";
import type { Target } from "./target.ts";

export interface PutOptions {
  readonly operation: Operation;
  readonly inPlace?: boolean;
  /** Permission bits afterwards. */
  readonly mode?: number | undefined;
}

export function sealBytes(target: Target, bytes: Uint8Array, ctx: Sealing, options: PutOptions): SealedPart {
  refuseObject(target, "write", ctx);
  const { inPlace = false } = options;
  const hasMode =
    options.mode === undefined || (target.before.kind === "file" && target.before.mode === options.mode);
  if (hasMode && target.bytes && Buffer.from(bytes).equals(target.bytes))
    return unchanged(target, ctx, "The file has exactly this content already.");
  const base = baseOf(target, inPlace);
  if (hasMode && isBack(base, bytes)) return takenBack(target, ctx, base.part);
  const mode = options.mode ?? base.mode;
  const shown = shownTarget(target, ctx);
  const step: SealedStep & { op: "put" } = {
    op: "put",
    at: sealedPath(target.at),
    before: base.before,
    content: ctx.keep(bytes),
    inPlace,
    ...modePart(mode, target, base.order),
    ...base.order,
  };
  const described = describeContent(shown, base.original, bytes, ctx.legacyEncoding, ctx.diffContext);
  const operation = base.operation ?? options.operation;
  const isShared = operation === "overwrite" && base.before.kind === "file" && base.before.links > 1;
  const standing: Standing = { kind: "file", bytes, before: beforeOf(bytes, target.before, mode) };
  return {
    file: { operation, ...shown, ...described, ...(isShared ? { shared: true } : {}), hash: sha256(bytes) },
    steps: [step],
    warnings: [...warningsFor(target, inPlace), ...(inPlace ? [] : lossesOf(target, ctx))],
    ...(base.part === undefined ? {} : { replaces: base.part }),
    parents: sealParents(target, base.order, ctx),
    record: (part) => {
      recordParents(target, ctx);
      const original = base.original ? { original: base.original } : {};
      ctx.overlay.set(target.at, { ...standing, merge: { part, step, ...original } });
    },
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

/** What the new bytes are compared with: what stood there before the earlier changes, if those can be left out. */
function baseOf(target: Target, inPlace: boolean): Base {
  const { merge } = target;
  if (merge?.step.inPlace !== inPlace)
    return { before: target.before, original: target.bytes, order: orderOf(target) };
  const { part, step, original } = merge;
  const operation = step.before.kind === "absent" ? "create" : "edit";
  return { before: step.before, original, order: orderOf(step), part, operation, mode: step.mode };
}

/** Whether these bytes undo the earlier change of the set. */
function isBack(base: Base, bytes: Uint8Array): boolean {
  if (base.part === undefined || base.mode !== undefined || base.order.follows) return false;
  return base.original !== undefined && Buffer.from(bytes).equals(base.original);
}

/** A file that an earlier step has put there is replaced as a whole, so its mode goes with the step. */
function modePart(mode: number | undefined, target: Target, order: StepOrder): { mode?: number } {
  if (mode !== undefined) return { mode };
  return order.follows && target.before.kind === "file" ? { mode: target.before.mode } : {};
}

/** The earlier change and this one together leave the file as it is. */
function takenBack(target: Target, ctx: Sealing, part: number | undefined): SealedPart {
  const none = unchanged(target, ctx, "The operations on this file leave it as it is.");
  return {
    ...none,
    ...(part === undefined ? {} : { replaces: part }),
    record: () => ctx.overlay.forget(target.at),
  };
}

export function unchanged(target: Target, ctx: Sealing, why: string): SealedPart {
  const hash = target.before.kind === "file" ? { hash: target.before.hash } : {};
  const file: SealedFile = {
    operation: "none",
    ...shownTarget(target, ctx),
    added: 0,
    removed: 0,
    ...hash,
  };
  return { file, steps: [], warnings: [why] };
}

/** What a new inode will not have of the old one. */
function lossesOf(target: Target, { scope }: Sealing): string[] {
  return target.before.kind === "file" ? lossesAt(scope, target.at) : [];
}

function warningsFor(target: Target, inPlace: boolean): string[] {
  const { before, stat } = target;
  if (before.kind !== "file" || !stat) return [];
  const warnings: string[] = [];
  if (before.links > 1 && !inPlace)
    warnings.push(
      `${before.links} names share this file; replacing it leaves the others with the old content (edit_file with in_place: true keeps them together).`,
    );
  if (inPlace) warnings.push("The file is written in place, which is not atomic.");
  if ((before.mode & 0o111) !== 0) warnings.push("The file is executable.");
  return warnings;
}

export function refuseObject(target: Target, verb: string, ctx: Sealing): void {
  const { kind } = target.before;
  if (kind === "absent" || kind === "file") return;
  const what = `Cannot ${verb} "${ctx.scope.show(target.at)}"`;
  if (kind === "directory") throw new Failure("invalid_input", `${what}: it is a directory`);
  throw new Failure("denied", `${what}: it is not a regular file`);
}
