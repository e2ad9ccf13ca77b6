/**
 * Where a change lands. A link at the end is followed to the object inside the root, because replacing the link would
 * silently detach it; parents that are missing will be made, through the handle of the deepest one that exists.
 */
import { Failure } from "../../base/index.ts";
import { quotable, type Located, type Scope } from "../../scope/index.ts";
import { inspect, type Telling } from "../inspect.ts";
import { danglingLink, followLink, look, type Looked } from "./look.ts";
import type { SealedPath } from "../model.ts";
import type { Sealing } from "./context.ts";
import { placeAfter } from "./place-after.ts";

export interface Target extends Looked {
  /** Links resolved; parents may be missing. */
  readonly at: Located;
}

export interface TargetOptions {
  /** Follow a link at the end; without it the link itself is meant (move, delete). */
  readonly follow: boolean;
  readonly maxBytes?: number;
  readonly deep?: boolean;
  readonly told?: Telling;
  /** The source of a copy is only read. */
  readonly readOnlyIsFine?: boolean;
}

/** @throws Failure for a path outside, denied, in a read-only root, or through a file or a dangling link */
export function findTarget(ctx: Sealing, path: string, verb: string, options: TargetOptions): Target {
  const asked = ctx.scope.locate(path, verb);
  const at = ctx.overlay.isEmpty
    ? ctx.scope.innermost(withExistingParent(ctx.scope, asked, verb))
    : placeAfter(ctx, asked, verb);
  refuseReadOnly(at, path, verb, options);
  const found = look(ctx, at, verb, options);
  if (found.before.kind !== "symlink" || !options.follow) return { ...found, at };
  const real = followLink(ctx, at, found, verb, path);
  refuseReadOnly(real, path, verb, options);
  const behind = look(ctx, real, verb, options);
  if (behind.before.kind === "absent" && behind.follows) throw danglingLink(verb, path);
  return { ...behind, at: real };
}

function refuseReadOnly(at: Located, path: string, verb: string, options: TargetOptions): void {
  if (at.root.readOnly && !options.readOnlyIsFine)
    throw new Failure("denied", `Cannot ${verb} "${quotable(path)}": this root is read-only`);
}

/** Nothing stands there: the failure names the nearest paths. @throws Failure `not_found` */
export function refuseMissing(ctx: Sealing, target: Target, path: string, verb: string): void {
  if (target.before.kind !== "absent") return;
  if (!target.follows) ctx.scope.lstat(ctx.scope.locate(path, verb), verb);
  throw new Failure(
    "not_found",
    `Cannot ${verb} "${quotable(path)}": after the operations before it, there is no such file or directory`,
  );
}

/** The located form of a sealed path, for the apply side. */
export function locatedFrom(scope: Scope, path: SealedPath): Located {
  const root = scope.roots[path.root];
  if (!root) throw new Failure("conflict", "Cannot apply the proposal: one of its roots is not open here");
  return { root, rel: path.rel, mustBeDirectory: false, asked: path.rel };
}

/** The same path with links in its existing parents resolved. */
function withExistingParent(scope: Scope, at: Located, verb: string): Located {
  try {
    using place = scope.place(at, verb);
    return { ...at, root: place.at.root, rel: place.at.rel };
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "not_found") throw thrown;
  }
  const names = at.rel.split("/");
  if (names.includes(".."))
    throw new Failure(
      "not_found",
      `Cannot ${verb} "${quotable(at.asked)}": a directory on the way is missing`,
    );
  // Where a directory is missing, all below it are: halving finds the deepest that exists in a few looks.
  let [found, depth]: [Located | undefined, number] = [undefined, 0];
  for (let [low, high] = [1, names.length - 1]; low <= high;) {
    const middle = (low + high) >> 1;
    const parent: Located = { ...at, rel: names.slice(0, middle).join("/"), mustBeDirectory: true };
    const real = realDirectory(scope, parent, verb);
    if (real) [found, depth, low] = [real, middle, middle + 1];
    else high = middle - 1;
  }
  if (!found) return at;
  const rel = [found.rel, ...names.slice(depth)].filter((name) => name !== "").join("/");
  return { ...at, root: found.root, rel };
}

/** The directory where it really is; `undefined` when it is missing; a failure when something else is in the way. */
function realDirectory(scope: Scope, at: Located, verb: string): Located | undefined {
  // Where narrowed roots begin there is nothing to look at: like a root, it is there or nothing is.
  if (scope.isAtop(at)) return scope.resolve(at, verb);
  const kind = inspect(scope, at, verb, { cancel: { state: () => "none" } }).before.kind;
  if (kind === "absent") return undefined;
  if (kind !== "directory" && kind !== "symlink")
    throw new Failure(
      "not_found",
      `Cannot ${verb} "${quotable(at.asked)}": "${scope.show(at)}" is not a directory`,
    );
  const real = scope.resolve(at, verb);
  return real;
}
