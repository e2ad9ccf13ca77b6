/**
 * New bytes for one file as a prepared step. Of several changes of one file in a set the last one takes the place of those
 * before it, so that what is shown is the whole change; when something lies between, they stay apart and in order.
 */
import type { FileChange, Operation } from "../../approval/index.ts";
import { Failure, sha256 } from "../../base/index.ts";
import { rootPathOf, type Before, type PreparedStep, type PutName, type StepOrder } from "../model.ts";
import { lossesAt } from "../tree-copy/metadata.ts";
import { describeTarget, orderOf } from "./context.ts";
import type { PreparedPart, Preparing, ChangeTarget } from "./context.ts";
import { describeBytes, factsOf, newFileMode } from "./describe.ts";
import { prepareParents } from "./target.ts";

interface PutOptions {
  readonly operation: Operation;
  readonly inPlace?: boolean;
  /** Permission bits afterwards. */
  readonly mode?: number | undefined;
}

export function preparePut(
  target: ChangeTarget,
  bytes: Uint8Array,
  ctx: Preparing,
  { operation: wanted, inPlace = false, mode: asked }: PutOptions,
): PreparedPart {
  refuseObject(target, "write", ctx);
  const { at, before: now } = target;
  const hasMode = asked === undefined || (now.kind === "file" && now.mode === asked);
  if (hasMode && target.bytes && Buffer.from(bytes).equals(target.bytes))
    return unchanged(target, ctx, "The file has exactly this content already.");
  const base = baseOf(target, inPlace);
  const { before, original, order, part: replaces } = base;
  if (hasMode && isBack(base, bytes)) return undone(target, ctx, replaces);
  const operation = nameOf(base, bytes, base.operation ?? wanted);
  const step: PutStep = {
    op: "put",
    at: rootPathOf(at),
    before,
    content: ctx.keep(bytes),
    inPlace,
    ...(operation === "create" ? {} : { as: operation }),
    ...modeOf(asked ?? base.mode, target, order),
    ...order,
  };
  const file = describePut(target, base, step, operation, bytes, ctx);
  const mode = asked ?? base.mode ?? (now.kind === "file" ? now.mode : 0o644);
  const made: Before = { kind: "file", hash: sha256(bytes), size: bytes.length, mode, links: 1 };
  const above = prepareParents(ctx, target, order);
  const merged = original ? { original } : {};
  return {
    file: { ...file, ...(inPlace ? { in_place: true } : {}), ...above.makes },
    steps: [step],
    warnings: warningsFor(target, inPlace, asked, ctx),
    ...(replaces === undefined ? {} : { replaces }),
    parents: above.parents,
    record: (part) => {
      above.record();
      ctx.overlay.set(at, { kind: "file", bytes, before: made, merge: { part, step, ...merged } });
    },
  };
}

type PutStep = PreparedStep & { readonly op: "put" };

function describePut(
  { at }: ChangeTarget,
  { before, original }: Base,
  { mode }: PutStep,
  operation: Operation,
  bytes: Uint8Array,
  { scope, legacyEncoding: legacy, diffContext: context, forPeople }: Preparing,
): FileChange {
  const shown = { path: scope.show(at), absolute: scope.absolute(at) };
  const maxBytes = forPeople ? Infinity : undefined;
  const told = describeBytes(shown, original, bytes, { legacy, context, maxBytes });
  const isShared = operation === "overwrite" && before.kind === "file" && before.links > 1;
  const facts = factsOf(before);
  const kept = before.kind === "file" ? before.mode : newFileMode();
  return {
    operation,
    ...shown,
    ...told.described,
    ...(isShared ? { shared: true } : {}),
    hash: sha256(bytes),
    ...(facts ? { before: { ...facts, ...(told.before ? { encoding: told.before } : {}) } } : {}),
    after: { kind: "file", size: bytes.length, mode: mode ?? kept, encoding: told.after },
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

/** The new bytes are compared with what stood there before the earlier changes, if this change can take their place. */
function baseOf(target: ChangeTarget, inPlace: boolean): Base {
  const { merge } = target;
  if (merge?.step.inPlace !== inPlace) return { before: target.before, original: target.bytes, order: orderOf(target) };
  const { part, step, original } = merge;
  const operation = step.before.kind === "absent" ? "create" : "edit";
  return { before: step.before, original, order: orderOf(step), part, operation, mode: step.mode };
}

/** An append only adds; after any other change the diff shows what goes. */
function nameOf({ before, original }: Base, bytes: Uint8Array, wanted: Operation): "create" | PutName {
  if (before.kind === "absent") return "create";
  if (wanted !== "append") return wanted === "overwrite" ? wanted : "edit";
  const isLonger = original !== undefined && Buffer.from(bytes.subarray(0, original.length)).equals(original);
  return isLonger ? wanted : "edit";
}

/** Whether these bytes undo the earlier change of the set. */
function isBack({ part, mode, order, original }: Base, bytes: Uint8Array): boolean {
  if (part === undefined || mode !== undefined || order.follows) return false;
  return original !== undefined && Buffer.from(bytes).equals(original);
}

/** A file that an earlier step has put there is replaced as a whole, so its mode goes with the step. */
function modeOf(mode: number | undefined, { before }: ChangeTarget, order: StepOrder): { mode?: number } {
  if (mode !== undefined) return { mode };
  return order.follows && before.kind === "file" ? { mode: before.mode } : {};
}

/** The earlier change and this one together leave the file as it is. */
function undone(target: ChangeTarget, ctx: Preparing, part: number | undefined): PreparedPart {
  return {
    ...unchanged(target, ctx, "The operations on this file leave it as it is."),
    ...(part === undefined ? {} : { replaces: part }),
    record: () => ctx.overlay.forget(target.at),
  };
}

export function unchanged(target: ChangeTarget, ctx: Preparing, why: string): PreparedPart {
  const hash = target.before.kind === "file" ? { hash: target.before.hash } : {};
  const file: FileChange = { ...describeTarget(target, ctx, "none"), ...hash };
  return { file, steps: [], warnings: [why] };
}

function warningsFor(
  { before, stat, at }: ChangeTarget,
  inPlace: boolean,
  mode: number | undefined,
  { scope }: Preparing,
): string[] {
  const isExecutable = before.kind === "file" && (before.mode & 0o111) !== 0;
  const becomesExecutable = mode === undefined ? isExecutable : (mode & 0o111) !== 0;
  const warnings: string[] = [];
  if (isExecutable !== becomesExecutable)
    warnings.push(isExecutable ? "The file stops being executable." : "The file becomes executable.");
  if (before.kind !== "file") return warnings;
  if (stat && before.links > 1 && !inPlace)
    warnings.push(
      `${before.links} names share this file; replacing it leaves the others with the old content (edit_file with in_place: true keeps them together).`,
    );
  if (stat && inPlace) warnings.push("The file is written in place, which is not atomic.");
  if (stat && isExecutable) warnings.push("The file is executable.");
  return inPlace ? warnings : [...warnings, ...lossesAt(scope, at)];
}

export function refuseObject({ before: { kind }, at }: ChangeTarget, verb: string, { scope }: Preparing): void {
  if (kind === "absent" || kind === "file") return;
  const what = `Cannot ${verb} "${scope.show(at)}"`;
  if (kind === "directory") throw new Failure("invalid_input", `${what}: it is a directory`);
  throw new Failure("denied", `${what}: it is not a regular file`);
}
