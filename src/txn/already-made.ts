/**
 * Tells whether the disk already holds what prepared steps would make, so that the answer to a stale proposal can say that
 * nothing is left to be done.
 *
 * Invariant: the answer is no in every case of doubt.
 */
import { Failure, sha256, type Cancel } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import { isUnchanged } from "./fingerprint.ts";
import { inspect } from "./inspect.ts";
import { locatedFrom, pathsOf, type Before, type PreparedStep, type RootPath } from "./model.ts";

export interface MadeContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  readonly content: (index: number) => Uint8Array;
}

export function isAlreadyMade(steps: readonly PreparedStep[], ctx: MadeContext): boolean {
  return steps.every((step, index) => isSuperseded(step.at, steps.slice(index + 1)) || stands(step, ctx));
}

/** A later step in the same place decides what is left there. */
function isSuperseded({ root, rel }: RootPath, later: readonly PreparedStep[]): boolean {
  return later.some((step) => pathsOf(step).some((path) => path.root === root && path.rel === rel));
}

function stands(step: PreparedStep, ctx: MadeContext): boolean {
  try {
    const now = beforeAt(step.at, ctx);
    switch (step.op) {
      case "put":
        return isContent(now, ctx.content(step.content), step.mode);
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

function isContent(now: Before, bytes: Uint8Array, mode: number | undefined): boolean {
  return now.kind === "file" && now.hash === sha256(bytes) && (mode === undefined || now.mode === mode);
}

function beforeAt(path: RootPath, { scope, cancel }: MadeContext): Before {
  return inspect(scope, locatedFrom(scope, path), "compare", { cancel, deep: true }).before;
}
