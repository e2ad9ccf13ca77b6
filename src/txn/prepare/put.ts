/**
 * New bytes for one file as a sealed step. Of several changes of one file in a set the last one takes the place of those
 * before it, so that what is shown is the whole change; when something lies between, they stay apart and in order.
 */
import { Failure, sha256 } from "../../base/index.ts";
import type { FileChange, Operation } from "../../approval/index.ts";
import { describeBytes, type DescribedBytes } from "./describe.ts";
import { lossesAt } from "../tree-copy/metadata.ts";
import { beforeOf } from "./look.ts";
import type { Standing } from "./overlay.ts";
import { missingParents, recordParents, sealParents } from "./parents.ts";
import type { Before, PutName, SealedStep, StepOrder } from "../model.ts";
import { factsOf, newFileMode } from "./object-facts.ts";
import { orderOf, type SealedPart, shownTarget } from "./part.ts";
import { sealedPath, type Sealing } from "./context.ts";
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
  const operation = nameOf(base, bytes, base.operation ?? options.operation);
  const step: SealedStep & { op: "put" } = {
    op: "put",
    at: sealedPath(target.at),
    before: base.before,
    content: ctx.keep(bytes),
    inPlace,
    ...(isPutName(operation) ? { as: operation } : {}),
    ...modePart(mode, target, base.order),
    ...base.order,
  };
  const { legacyEncoding: legacy, diffContext: context } = ctx;
  const maxBytes = ctx.forPeople ? Infinity : undefined;
  const told = describeBytes(shown, base.original, bytes, { legacy, context, maxBytes });
  const isShared = operation === "overwrite" && base.before.kind === "file" && base.before.links > 1;
  const standing: Standing = { kind: "file", bytes, before: beforeOf(bytes, target.before, mode) };
  return {
    file: {
      operation,
      ...shown,
      ...told.described,
      ...(isShared ? { shared: true } : {}),
      hash: sha256(bytes),
      ...objectsOf(base, bytes, step, told),
      ...(inPlace ? { in_place: true } : {}),
      ...(step.follows ? {} : makesOf(target, ctx)),
    },
    steps: [step],
    warnings: [...warningsFor(target, inPlace, options.mode), ...(inPlace ? [] : lossesOf(target, ctx))],
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

/** An append adds to what is there; of anything else the diff tells what goes. */
function nameOf({ before, original }: Base, bytes: Uint8Array, wanted: Operation): Operation {
  if (before.kind === "absent") return "create";
  if (wanted !== "append") return wanted === "overwrite" ? wanted : "edit";
  const isLonger = original !== undefined && Buffer.from(bytes.subarray(0, original.length)).equals(original);
  return isLonger ? wanted : "edit";
}

function isPutName(operation: Operation): operation is PutName {
  return operation === "overwrite" || operation === "edit" || operation === "append";
}

function objectsOf(
  { before }: Base,
  bytes: Uint8Array,
  { mode }: { readonly mode?: number },
  { before: was, after: encoding }: DescribedBytes,
): Pick<FileChange, "before" | "after"> {
  const kept = before.kind === "file" ? before.mode : newFileMode();
  const after = { kind: "file" as const, size: bytes.length, mode: mode ?? kept, encoding };
  const facts = factsOf(before);
  if (!facts) return { after };
  return { before: { ...facts, ...(was === undefined ? {} : { encoding: was }) }, after };
}

/** Whoever puts the file there makes them. */
function makesOf(target: Target, ctx: Sealing): Pick<FileChange, "makes"> {
  const makes = missingParents(target, ctx).length;
  return makes === 0 ? {} : { makes };
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
  const file: FileChange = {
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

function warningsFor(target: Target, inPlace: boolean, mode: number | undefined): string[] {
  const { before, stat } = target;
  const warnings = modeWarnings(before, mode);
  if (before.kind !== "file" || !stat) return warnings;
  if (before.links > 1 && !inPlace)
    warnings.push(
      `${before.links} names share this file; replacing it leaves the others with the old content (edit_file with in_place: true keeps them together).`,
    );
  if (inPlace) warnings.push("The file is written in place, which is not atomic.");
  if ((before.mode & 0o111) !== 0) warnings.push("The file is executable.");
  return warnings;
}

function modeWarnings(before: Before, mode: number | undefined): string[] {
  if (mode === undefined) return [];
  const [was, is] = [before.kind === "file" && (before.mode & 0o111) !== 0, (mode & 0o111) !== 0];
  if (was === is) return [];
  return [is ? "The file becomes executable." : "The file stops being executable."];
}

export function refuseObject(target: Target, verb: string, ctx: Sealing): void {
  const { kind } = target.before;
  if (kind === "absent" || kind === "file") return;
  const what = `Cannot ${verb} "${ctx.scope.show(target.at)}"`;
  if (kind === "directory") throw new Failure("invalid_input", `${what}: it is a directory`);
  throw new Failure("denied", `${what}: it is not a regular file`);
}
