/**
 * Where a change lands. A link at the end is followed to the object inside the root, because replacing the link would
 * silently detach it; parents that are missing will be made, through the handle of the deepest one that exists.
 */
import { Failure, type Cancel } from "../base/index.ts";
import { errnoOf, quotable, type Located, type Scope } from "../scope/index.ts";
import type { LegacyEncoding } from "../text/index.ts";
import { inspect, type Inspected } from "./inspect.ts";
import type { SealedPath } from "./sealed.ts";

export interface Target extends Inspected {
  /** Links resolved; parents may be missing. */
  readonly at: Located;
}

export interface SealContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  readonly legacyEncoding?: LegacyEncoding;
  readonly progress: (done: number, total: number | undefined, what: string) => void;
  /** The device of the undo store: only what lies on it is kept when it is deleted. */
  readonly undoDevice?: bigint;
  /** Keeps new content with the proposal and returns its index. */
  readonly keep: (bytes: Uint8Array) => number;
}

export interface TargetOptions {
  /** Follow a link at the end; without it the link itself is meant (move, delete). */
  readonly follow: boolean;
  readonly maxBytes?: number;
  readonly deep?: boolean;
  /** The source of a copy is only read. */
  readonly readOnlyIsFine?: boolean;
}

/** @throws Failure for a path outside, denied, in a read-only root, or through a file or a dangling link */
export function findTarget(ctx: SealContext, path: string, verb: string, options: TargetOptions): Target {
  const asked = ctx.scope.locate(path, verb);
  const at = ctx.scope.innermost(withExistingParent(ctx.scope, asked, verb));
  refuseReadOnly(at, path, verb, options);
  const found = inspect(ctx.scope, at, verb, { cancel: ctx.cancel, ...options });
  if (found.before.kind !== "symlink" || !options.follow) return { ...found, at };
  const real = ctx.scope.innermost(followLink(ctx.scope, at, verb, path));
  refuseReadOnly(real, path, verb, options);
  return { ...inspect(ctx.scope, real, verb, { cancel: ctx.cancel, ...options }), at: real };
}

function refuseReadOnly(at: Located, path: string, verb: string, options: TargetOptions): void {
  if (at.root.readOnly && !options.readOnlyIsFine)
    throw new Failure("denied", `Cannot ${verb} "${quotable(path)}": this root is read-only`);
}

export function sealedPath(at: Located): SealedPath {
  return { root: at.root.index, rel: at.rel };
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

function followLink(scope: Scope, at: Located, verb: string, path: string): Located {
  try {
    return scope.resolve(at, verb);
  } catch (thrown) {
    const missing = thrown instanceof Failure ? thrown.code === "not_found" : errnoOf(thrown) === "ENOENT";
    if (!missing) throw thrown;
    throw new Failure(
      "denied",
      `Cannot ${verb} "${quotable(path)}": it is a link to something that does not exist`,
      {
        hint: "Delete the link first, or create the file that it points to.",
        retry: "changed",
      },
    );
  }
}
