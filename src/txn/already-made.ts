/**
 * Whether what sealed steps would make stands on the disk already, made by somebody else or by hand. For the answer to a stale
 * proposal: who has their change need not make it again.
 *
 * Invariant: a doubt means no.
 */
import { Failure, sha256, type Cancel } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import { inspect, isUnchanged } from "./inspect.ts";
import { pathsOf, type Before, type SealedPath, type SealedStep } from "./sealed.ts";
import { locatedFrom } from "./target.ts";

export interface MadeContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  readonly content: (index: number) => Uint8Array;
}

export function isAlreadyMade(steps: readonly SealedStep[], ctx: MadeContext): boolean {
  return steps.every((step, index) => isSuperseded(step.at, steps.slice(index + 1)) || stands(step, ctx));
}

/** What a later step does in the same place is what is left there in the end. */
function isSuperseded({ root, rel }: SealedPath, later: readonly SealedStep[]): boolean {
  return later.some((step) => pathsOf(step).some((path) => path.root === root && path.rel === rel));
}

function stands(step: SealedStep, ctx: MadeContext): boolean {
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

function beforeAt(path: SealedPath, { scope, cancel }: MadeContext): Before {
  return inspect(scope, locatedFrom(scope, path), "compare", { cancel, deep: true }).before;
}
