/**
 * What prepared steps would do now, for people: computed anew from the steps, their content and the disk, by the code
 * that prepared them first. So whoever shows steps that come from the state folder shows what they do. Where the roots
 * cannot be looked at, and in lists, the steps alone are put into words. When they do not fit any more, the answer to
 * the stale proposal tells what they would change now, or that nothing is left to be changed.
 *
 * Invariant: where the second preparing does not come to the very same steps, `difference` says so, and they must not
 * be applied.
 */
import { join } from "node:path";
import { canonical, type FileChange, type ObjectFacts, type Operation } from "../../approval/index.ts";
import { type Cancel, Failure, limits, sha256 } from "../../base/index.ts";
import { type Scope, showName } from "../../scope/index.ts";
import { truncateUtf8 } from "../../text/index.ts";
import { isUnchanged } from "../fingerprint.ts";
import { inspect } from "../inspect.ts";
import { keyOf, locatedFrom, pathsOf } from "../model.ts";
import type { Before, PreparedChanges, PreparedStep, RootPath } from "../model.ts";
import { createOverlay, type HideKeys, type PrepareContext, type PreparedPart, type Preparing } from "./context.ts";
import { describeContent, factsOf } from "./describe.ts";
import { addPart, warningsOf } from "./prepare.ts";
import { preparePut } from "./content.ts";
import { findFile } from "./target.ts";
import { prepareCreateDirectory, prepareDelete, prepareRelocate } from "./tree.ts";

export interface PreparedAgain {
  /** One for each step, in the same order. */
  readonly files: readonly FileChange[];
  readonly warnings: readonly string[];
  /** Why the steps do not fit what is there now. */
  readonly difference?: string;
}

type ContentOf = (index: number) => Uint8Array;

/** @throws Failure when a step cannot be made at all */
export function prepareAgain(
  steps: readonly PreparedStep[],
  contentOf: ContentOf,
  context: Omit<PrepareContext, "keep">,
): PreparedAgain {
  const ctx: Preparing = { ...context, overlay: createOverlay(context.scope), keep: () => 0 };
  const parts: PreparedPart[] = [];
  for (const step of steps) addPart(parts, prepareStep(step, contentOf, ctx));
  const again = parts.flatMap((part) => part.steps);
  const at = steps.findIndex((step, index) => !isSameStep(step, again[index]));
  const isSame = at === -1 && again.length === steps.length && parts.length === steps.length;
  return {
    files: parts.map((part) => part.file),
    warnings: warningsOf(parts),
    ...(isSame ? {} : { difference: differenceOf(steps[at] ?? again[at], ctx) }),
  };
}

/** Prepares a step as the change that it stands for. */
function prepareStep(step: PreparedStep, contentOf: ContentOf, ctx: Preparing): PreparedPart {
  const nameOf = (path: RootPath): string => ctx.scope.show(locatedFrom(ctx.scope, path));
  const path = nameOf(step.at);
  switch (step.op) {
    case "put": {
      const { inPlace, mode, as: operation = "overwrite" } = step;
      const target = findFile(ctx, path, "write");
      return preparePut(target, contentOf(step.content), ctx, { operation, inPlace, mode });
    }
    case "make_directory":
      return prepareCreateDirectory({ op: "create_directory", path }, ctx);
    case "move":
    case "copy": {
      const both = { source: nameOf(step.from), destination: path };
      return prepareRelocate({ op: step.op, ...both, overwrite: true, recursive: true }, ctx);
    }
    case "remove":
      return prepareDelete({ op: "delete", path, recursive: true }, ctx);
    case "restore":
    case "remove_directory":
      throw new Failure("conflict", `Cannot change "${path}": only an undo does that`);
  }
}

/** The indexes of contents may differ, because the contents themselves are compared. */
function isSameStep(step: PreparedStep, again: PreparedStep | undefined): boolean {
  if (again?.op !== step.op) return false;
  return canonical(fixedPart(step)) === canonical(fixedPart(again)) && isSameGround(step, again);
}

function fixedPart(step: PreparedStep): object {
  const { before: _before, relies: _relies, follows, ...rest } = step;
  if (rest.op === "put") return { ...rest, content: 0, follows };
  if (rest.op === "move" || rest.op === "copy") return { ...rest, source: rest.source.kind, follows };
  // One that is missing above another change is made in its order, whether the set has touched the place or not.
  return rest.op === "make_directory" ? rest : { ...rest, follows };
}

function isSameGround(step: PreparedStep, again: PreparedStep): boolean {
  if (!isSameBefore(step.before, again.before)) return false;
  if ("source" in step && "source" in again && !isSameBefore(step.source, again.source)) return false;
  // What is shown of a new directory does not depend on what it relies on.
  if (step.op === "make_directory") return true;
  // What lies in a directory that has a step of its own is not relied on any more; to rely on more is only stricter.
  const [relies = [], others = []] = [step.relies, again.relies];
  return others.every(({ at, before }) =>
    relies.some((one) => canonical(one.at) === canonical(at) && isSameBefore(one.before, before)),
  );
}

/** Compares exactly: a precondition that says less would let more pass. */
function isSameBefore(one: Before, other: Before): boolean {
  if (one.kind === "absent" || other.kind === "absent") return one.kind === other.kind;
  return one.kind === other.kind && one.hash === other.hash;
}

function differenceOf(step: PreparedStep | undefined, { scope }: Preparing): string {
  if (!step) return "the operations are not in the order in which they were made";
  return `"${scope.show(locatedFrom(scope, step.at))}" is not what it was when the change was made`;
}

interface PlainContext {
  readonly roots: readonly { readonly path: string }[];
  /** The size of new content, by its number. */
  readonly sizeOf: (index: number) => number;
}

/** Describes steps without looking at the disk: sizes are those in the steps, and there are no diffs. */
export function plainFiles(steps: readonly PreparedStep[], ctx: PlainContext): FileChange[] {
  return steps.map((step) => {
    const source = "from" in step ? namesOf(step.from, ctx) : undefined;
    return {
      operation: operationOf(step),
      ...namesOf(step.at, ctx),
      ...(source ? { source: source.path, source_absolute: source.absolute } : {}),
      added: 0,
      removed: 0,
      ...sizesOf(step, ctx),
    };
  });
}

function operationOf(step: PreparedStep): Operation {
  switch (step.op) {
    case "put":
      return step.before.kind === "absent" ? "create" : (step.as ?? "overwrite");
    case "make_directory":
      return "create_directory";
    case "move":
    case "copy":
      return step.op;
    case "remove":
    case "remove_directory":
      return "delete";
    case "restore":
      return "overwrite";
  }
}

function namesOf({ root, rel }: RootPath, { roots }: PlainContext): { path: string; absolute: string } {
  const absolute = join(roots[root]?.path ?? "/", rel);
  return { path: showName(root === 0 && rel !== "" ? rel : absolute), absolute };
}

function sizesOf(step: PreparedStep, { sizeOf }: PlainContext): Partial<FileChange> {
  const relocated = step.op === "move" || step.op === "copy" ? step.source : undefined;
  const measured = relocated ?? step.before;
  const sizeBefore = measured.kind === "file" ? { size_before: measured.size } : {};
  const [facts, moved] = [factsOf(step.before), relocated && factsOf(relocated)];
  const before = facts ? { before: facts } : {};
  if (step.op !== "put") return { ...sizeBefore, ...before, ...(moved ? { after: moved } : {}) };
  const size = sizeOf(step.content);
  const after: ObjectFacts = { kind: "file", size, ...(step.mode === undefined ? {} : { mode: step.mode }) };
  return { ...sizeBefore, size_after: size, ...before, after };
}

interface StepsContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  readonly content: ContentOf;
  /** As `PrepareContext` has it. */
  readonly hideKeys?: HideKeys | undefined;
}

/** The diff from what stands there to what the steps would put, for the answer to a stale proposal; never a reason to fail. */
export function currentDiff({ steps }: PreparedChanges, { scope, cancel, content, hideKeys }: StepsContext): string {
  let text = "";
  for (const step of steps) {
    // What an earlier step leaves is not on the disk to be compared with.
    if (step.op !== "put" || step.follows) continue;
    try {
      const at = locatedFrom(scope, step.at);
      const { bytes } = inspect(scope, at, "compare", { cancel, maxBytes: limits.MAX_EDIT_FILE_BYTES });
      const told = describeContent({ path: scope.show(at) }, bytes, content(step.content), { hideKeys });
      text += told.told_diff ?? told.diff ?? "";
    } catch {
      // The failure itself tells; the diff is only a help.
    }
  }
  return truncateUtf8(text, limits.MAX_DIFF_BYTES).text;
}

/**
 * Tells whether the disk already holds what the steps would make, so that the answer to a stale proposal can say that nothing
 * is left to be done. In a case of doubt it does not.
 */
export function isAlreadyMade(steps: readonly PreparedStep[], ctx: StepsContext): boolean {
  // A later step in the same place decides what is left there.
  const isSuperseded = (key: string, index: number): boolean =>
    steps.slice(index + 1).some((later) => pathsOf(later).map(keyOf).includes(key));
  return steps.every((step, index) => isSuperseded(keyOf(step.at), index) || isMade(step, ctx));
}

function isMade(step: PreparedStep, ctx: StepsContext): boolean {
  try {
    const now = beforeAt(step.at, ctx);
    switch (step.op) {
      case "put":
        return holds(now, ctx.content(step.content), step.mode);
      case "make_directory":
        return now.kind === "directory";
      case "remove":
        return now.kind === "absent";
      case "move":
        return beforeAt(step.from, ctx).kind === "absent" && isUnchanged(step.source, now);
      case "copy":
        return isUnchanged(step.source, now);
      case "restore":
      case "remove_directory":
        return false;
    }
  } catch (thrown) {
    if (thrown instanceof Failure) return false;
    throw thrown;
  }
}

function holds(now: Before, bytes: Uint8Array, mode: number | undefined): boolean {
  return now.kind === "file" && now.hash === sha256(bytes) && (mode === undefined || now.mode === mode);
}

function beforeAt(path: RootPath, { scope, cancel }: StepsContext): Before {
  return inspect(scope, locatedFrom(scope, path), "compare", { cancel, deep: true }).before;
}
