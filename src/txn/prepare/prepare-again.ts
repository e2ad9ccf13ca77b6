/**
 * What sealed steps would do now, computed anew from the steps, their content and the disk: each is sealed once more, in order, as
 * the change that it stands for. So whoever shows steps that come from the state folder shows what they do, by the code that
 * described them first.
 *
 * Invariant: where the second sealing does not come to the very same steps, `difference` says so, and they must not be applied.
 */
import { canonical, type FileChange } from "../../approval/index.ts";
import { Failure, limits } from "../../base/index.ts";
import { createOverlay } from "./overlay.ts";
import { addPart, namedWarnings } from "./prepare.ts";
import { sealBytes } from "./put.ts";
import type { SealedPart } from "./part.ts";
import { sealCreateDirectory, sealDelete, sealRelocate } from "./tree.ts";
import type { Before, Reliance, SealedPath, SealedStep } from "../model.ts";
import type { SealContext, Sealing } from "./context.ts";
import { findTarget, locatedFrom } from "./target.ts";

export interface Resealed {
  /** One for each step, in the same order. */
  readonly files: readonly FileChange[];
  readonly warnings: readonly string[];
  /** Why the steps do not fit what is there now. */
  readonly difference?: string;
}

/** @throws Failure when a step cannot be made at all */
export function resealSteps(
  steps: readonly SealedStep[],
  contentOf: (index: number) => Uint8Array,
  context: Omit<SealContext, "keep">,
): Resealed {
  const ctx: Sealing = { ...context, overlay: createOverlay(context.scope), keep: () => 0 };
  const parts: SealedPart[] = [];
  for (const step of steps) addPart(parts, resealOne(step, contentOf, ctx));
  const again = parts.flatMap((part) => part.steps);
  const at = steps.findIndex((step, index) => !isSameStep(step, again[index]));
  const isSame = at === -1 && again.length === steps.length && parts.length === steps.length;
  return {
    files: parts.map((part) => part.file),
    warnings: parts.flatMap((part) => namedWarnings(part, parts.length)),
    ...(isSame ? {} : { difference: differenceOf(steps[at], again[at], ctx) }),
  };
}

function resealOne(step: SealedStep, contentOf: (index: number) => Uint8Array, ctx: Sealing): SealedPart {
  const nameOf = (path: SealedPath): string => ctx.scope.show(locatedFrom(ctx.scope, path));
  const path = nameOf(step.at);
  switch (step.op) {
    case "put": {
      const target = findTarget(ctx, path, "write", { follow: true, maxBytes: limits.MAX_EDIT_FILE_BYTES });
      const { inPlace, mode, as = "overwrite" } = step;
      return sealBytes(target, contentOf(step.content), ctx, { operation: as, inPlace, mode });
    }
    case "make_directory":
      return sealCreateDirectory({ op: "create_directory", path }, ctx);
    case "move":
    case "copy": {
      const both = { source: nameOf(step.from), destination: path };
      return sealRelocate({ op: step.op, ...both, overwrite: true, recursive: true }, ctx);
    }
    case "remove":
      return sealDelete({ op: "delete", path, recursive: true }, ctx);
    case "restore":
    case "remove_directory":
      throw new Failure("conflict", `Cannot change "${path}": only an undo does that`);
  }
}

/** But for the number of its content, which is compared by what it is. */
function isSameStep(step: SealedStep, again: SealedStep | undefined): boolean {
  if (again?.op !== step.op) return false;
  return canonical(fixedPart(step)) === canonical(fixedPart(again)) && isSameGround(step, again);
}

function fixedPart(step: SealedStep): object {
  const { before: _before, relies: _relies, follows, ...rest } = step;
  if (rest.op === "put") return { ...rest, content: 0, follows };
  if (rest.op === "move" || rest.op === "copy") return { ...rest, source: rest.source.kind, follows };
  // One that is missing above another change is made in its order, whether the set has touched the place or not.
  return rest.op === "make_directory" ? rest : { ...rest, follows };
}

function isSameGround(step: SealedStep, again: SealedStep): boolean {
  if (!isSameBefore(step.before, again.before)) return false;
  if ("source" in step && "source" in again && !isSameBefore(step.source, again.source)) return false;
  // Nothing that is shown of it comes from what it lies on.
  if (step.op === "make_directory") return true;
  // What lies in a directory that has a step of its own is not relied on any more; to rely on more is only stricter.
  const [relies = [], others = []] = [step.relies, again.relies];
  return others.every((other) => relies.some((one) => isSameReliance(one, other)));
}

function isSameReliance(one: Reliance, other: Reliance): boolean {
  return canonical(one.at) === canonical(other.at) && isSameBefore(one.before, other.before);
}

/** To the letter: one that says less of what must be there would let more pass. */
function isSameBefore(one: Before, other: Before): boolean {
  if (one.kind === "absent" || other.kind === "absent") return one.kind === other.kind;
  return one.kind === other.kind && one.hash === other.hash;
}

function differenceOf(step: SealedStep | undefined, again: SealedStep | undefined, ctx: Sealing): string {
  const place = step ?? again;
  if (!place) return "the operations are not in the order in which they were made";
  const name = ctx.scope.show(locatedFrom(ctx.scope, place.at));
  return `"${name}" is not what it was when the change was made`;
}
