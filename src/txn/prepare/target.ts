/**
 * Where a change lands, and what stands there after the earlier changes of the set. A link at the end is followed to the object
 * inside the root, because replacing the link would silently detach it; parents that are missing will be made. After earlier
 * changes a path is followed name by name through the overlay, because a directory on the way may have been made, moved or
 * taken away. What an earlier change has made `follows`; what that was made from on the disk is checked before the first step.
 *
 * Invariant: links are followed on the disk only where the set has changed nothing that a link could lead through. The commit
 * resolves every step again through the kernel; this only decides what is shown, and refuses early.
 */
import { Failure, limits, NEVER_CANCELLED } from "../../base/index.ts";
import { deepestThere, errnoOf, isReadOnly, type Located, refuseNoDirectory, type Scope } from "../../scope/index.ts";
import { inspect, type InspectOptions, tooLarge } from "../inspect.ts";
import { type Before, rootPathOf, type StepOrder } from "../model.ts";
import { afterCarrying, describeTarget, notElsewhere, refusal } from "./context.ts";
import type { ChangeTarget, OverlayEntry, PreparedPart, Preparing } from "./context.ts";
import { newDirectory } from "./describe.ts";

interface TargetOptions extends LookOptions {
  /** Follow a link at the end; without it the link itself is meant (move, delete). */
  readonly follow: boolean;
  /** The source of a copy is only read. */
  readonly readOnlyIsFine?: boolean;
}

/** @throws Failure for a path outside, denied, in a read-only root, or through a file or a dangling link */
export function findTarget(ctx: Preparing, path: string, verb: string, options: TargetOptions): ChangeTarget {
  const asked = ctx.scope.locate(path, verb);
  const at = ctx.overlay.isEmpty
    ? ctx.scope.innermost(withExistingParent(ctx.scope, asked, verb))
    : placeAfter(ctx, asked, verb);
  refuseReadOnly(ctx.scope, at, path, verb, options);
  const found = notElsewhere(look(ctx, at, verb, options), verb, ctx);
  const { kind } = found.before;
  // An absent place may become a directory, and what a link of the set leads to is not known yet.
  const isKnown = kind !== "absent" && !(kind === "symlink" && found.follows);
  if (asked.mustBeDirectory && isKnown) refuseNoDirectory(ctx.scope, found.at, verb, kind);
  if (found.before.kind !== "symlink" || !options.follow) return found;
  const real = followLink(ctx, found, verb, path);
  refuseReadOnly(ctx.scope, real, path, verb, options);
  const behind = notElsewhere(look(ctx, real, verb, options), verb, ctx);
  if (behind.before.kind === "absent" && behind.follows) throw danglingLink(verb, path);
  return behind;
}

/** Finds a file for new content, with the content that it has. */
export function findFile(ctx: Preparing, path: string, verb: string): ChangeTarget {
  const maxBytes = Math.min(limits.MAX_EDIT_FILE_BYTES, ctx.maxFileBytes ?? Infinity);
  return findTarget(ctx, path, verb, { follow: true, maxBytes });
}

function refuseReadOnly(scope: Scope, at: Located, path: string, verb: string, options: TargetOptions): void {
  if (!options.readOnlyIsFine && isReadOnly(scope, at)) throw refusal("denied", verb, path, "this root is read-only");
}

/** @throws Failure `not_found`, with the nearest paths, when nothing stands there */
export function refuseMissing(ctx: Preparing, target: ChangeTarget, path: string, verb: string): void {
  if (target.before.kind !== "absent") return;
  if (!target.follows) ctx.scope.lstat(ctx.scope.locate(path, verb), verb);
  const state = "after the operations before it, there is no such file or directory";
  throw refusal("not_found", verb, path, state);
}

/** Follows links in the parents that exist on the disk. */
function withExistingParent(scope: Scope, at: Located, verb: string): Located {
  try {
    using place = scope.place(at, verb);
    return { ...at, root: place.at.root, rel: place.at.rel };
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "not_found") throw thrown;
  }
  const names = at.rel.split("/");
  if (names.includes("..")) throw missingOnTheWay(at, verb);
  let found = at;
  const depth = deepestThere(names.length - 1, (level) => {
    const parent = { ...at, rel: names.slice(0, level).join("/"), mustBeDirectory: true };
    const real = realDirectory(scope, parent, verb);
    if (real) found = real;
    return real !== undefined;
  });
  if (depth === 0) return at;
  const rel = [found.rel, ...names.slice(depth)].filter((name) => name !== "").join("/");
  return { ...at, root: found.root, rel };
}

/** @returns where the directory really is; `undefined` when it is missing. @throws when something else is in the way */
function realDirectory(scope: Scope, at: Located, verb: string): Located | undefined {
  // A directory at which narrowed roots begin is like a root, so there is nothing to inspect.
  if (scope.isAtop(at)) return scope.resolve(at, verb);
  const { kind } = inspect(scope, at, verb, { cancel: NEVER_CANCELLED }).before;
  if (kind === "absent") return undefined;
  if (kind !== "directory" && kind !== "symlink") throw notDirectory(scope, at, at, verb);
  return scope.resolve(at, verb);
}

/** @throws Failure for a path through something that is no directory, out of the roots, or under a deny rule */
function placeAfter(ctx: Preparing, asked: Located, verb: string): Located {
  const { scope } = ctx;
  const names = asked.rel === "" ? [] : asked.rel.split("/");
  let way: Way = { at: { ...asked, rel: "" }, isMissing: false };
  for (const [index, name] of names.entries()) {
    if (name === "..") {
      way = { at: parentOnTheWay(ctx, way, asked, verb), isMissing: false };
      continue;
    }
    const at = scope.innermost({ ...way.at, rel: way.at.rel === "" ? name : `${way.at.rel}/${name}` });
    if (scope.denies(at)) throw refusal("denied", verb, asked.asked, "a deny rule of this host covers it");
    const isEnd = way.isMissing || index === names.length - 1 || scope.isAtop(at);
    // A root inside another one is open, so it exists and is no link.
    if (at.rel === "") way = { at, isMissing: false };
    else way = isEnd ? { at, isMissing: way.isMissing } : enter(ctx, at, asked, verb);
  }
  if (way.isMissing && names.includes("..")) throw missingOnTheWay(asked, verb);
  // A root has no place of its own: `place` refuses it with the reason.
  if (way.at.rel === "" || scope.isAtop(way.at)) scope.place(way.at, verb)[Symbol.dispose]();
  return way.at;
}

interface Way {
  readonly at: Located;
  /** Nothing is there, so nothing is below. */
  readonly isMissing: boolean;
}

/** Goes into a directory on the way, through a link as the disk has it. */
function enter(ctx: Preparing, at: Located, asked: Located, verb: string): Way {
  const found = look(ctx, at, verb, {});
  if (found.before.kind === "absent") return { at, isMissing: true };
  if (found.before.kind === "directory") return { at, isMissing: false };
  if (found.before.kind !== "symlink") throw notDirectory(ctx.scope, at, asked, verb);
  const real = followLink(ctx, found, verb, asked.asked);
  const isKnown = real.rel === "" || ctx.scope.isAtop(real);
  if (!isKnown && look(ctx, real, verb, {}).before.kind !== "directory")
    throw notDirectory(ctx.scope, real, asked, verb);
  return { at: real, isMissing: false };
}

/** Every directory on the way has its real path, so the parent is the name before. */
function parentOnTheWay(ctx: Preparing, { at, isMissing }: Way, asked: Located, verb: string): Located {
  if (isMissing) throw missingOnTheWay(asked, verb);
  const { root, rel } = at.rel === "" ? inAskedRoot(ctx.scope, at, asked) : at;
  if (rel === "") throw refusal("outside_scope", verb, asked.asked, "it is outside the roots");
  return ctx.scope.innermost({ ...at, root, rel: rel.slice(0, Math.max(0, rel.lastIndexOf("/"))) });
}

/** The path of an inner root within the root that was asked for. */
function inAskedRoot(scope: Scope, at: Located, { root }: Located): Located {
  const outer = `${root.handle.canonical}/`;
  const path = scope.absolute(at);
  return path.startsWith(outer) ? { ...at, root, rel: path.slice(outer.length) } : at;
}

function missingOnTheWay({ asked }: Located, verb: string): Failure {
  return refusal("not_found", verb, asked, "a directory on the way is missing");
}

function notDirectory(scope: Scope, at: Located, { asked }: Located, verb: string): Failure {
  return refusal("not_found", verb, asked, `"${scope.show(at)}" is not a directory`);
}

/** Directories that are missing above the target, the outermost first. */
function missingParents(ctx: Preparing, target: ChangeTarget): Located[] {
  if (target.before.kind !== "absent") return [];
  const names = target.at.rel.split("/").slice(0, -1);
  const levelAt = (level: number): Located => ({ ...target.at, rel: names.slice(0, level).join("/") });
  const there = deepestThere(names.length, (level) => {
    const at = levelAt(level);
    return ctx.scope.isAtop(at) || look(ctx, at, "create", {}).before.kind !== "absent";
  });
  return names.slice(there).map((_, n) => levelAt(there + n + 1));
}

interface MissingParents {
  /** How many directories are made with the change itself. */
  readonly makes: { readonly makes?: number };
  readonly parents: readonly PreparedPart[];
  readonly record: () => void;
}

/**
 * The directories that are missing above the target. Those that an earlier change of the set took away, or never had, are made
 * by steps of their own, in order; those that are missing on the disk, with the change itself, by whoever applies the step.
 */
export function prepareParents(ctx: Preparing, target: ChangeTarget, { follows }: StepOrder): MissingParents {
  const missing = missingParents(ctx, target);
  const parents = missing.map((at): PreparedPart => ({
    file: { ...describeTarget({ at }, ctx, "create_directory"), after: newDirectory() },
    steps: [{ op: "make_directory", at: rootPathOf(at), before: { kind: "absent" }, follows: true }],
    warnings: [],
    record: () => ctx.overlay.set(at, { kind: "directory" }),
  }));
  if (follows) return { makes: {}, parents, record: () => undefined };
  const record = (): void => missing.forEach((at) => ctx.overlay.set(at, { kind: "directory", isImplied: true }));
  return { makes: missing.length === 0 ? {} : { makes: missing.length }, parents: [], record };
}

type LookOptions = Omit<InspectOptions, "cancel">;

/** @param at a place without links on its way */
function look(ctx: Preparing, at: Located, verb: string, options: LookOptions): ChangeTarget {
  const entry = ctx.overlay.nearest(at);
  if (entry) return lookThrough(ctx, entry, at, verb, options);
  const found = { ...inspect(ctx.scope, at, verb, { cancel: ctx.cancel, ...options }), at, origin: at };
  const isChangedBelow = found.before.kind === "directory" && ctx.overlay.below(at).length > 0;
  if (!isChangedBelow) return found;
  return {
    ...found,
    follows: true,
    relies: options.deep ? [{ at: rootPathOf(at), before: found.before }] : [],
  };
}

function lookThrough(
  ctx: Preparing,
  { at: above, standing }: OverlayEntry,
  at: Located,
  verb: string,
  options: LookOptions,
): ChangeTarget {
  const absent: ChangeTarget = { at, before: { kind: "absent" }, follows: true };
  const rest = ctx.scope.absolute(at).slice(ctx.scope.absolute(above).length);
  switch (standing.kind) {
    case "absent":
      return absent;
    case "directory":
      if (rest === "") return { at, before: NEW_DIRECTORY, follows: true };
      // The first file in the directory makes it, so this target needs no earlier step.
      return standing.isImplied ? { at, before: { kind: "absent" } } : absent;
    case "file": {
      if (rest !== "") return absent;
      const { bytes, before, merge } = standing;
      const { maxBytes = Infinity } = options;
      if (bytes.length > maxBytes) throw tooLarge(ctx.scope, at, verb, bytes.length, maxBytes);
      return { at, before, bytes, follows: true, ...(merge ? { merge } : {}) };
    }
    case "disk": {
      const origin = ctx.scope.innermost({ ...standing.from, rel: standing.from.rel + rest });
      const { stat, ...found } = inspect(ctx.scope, origin, verb, { cancel: ctx.cancel, ...options });
      // A directory that was only looked at in passing has no hash that could differ.
      const isRelied = found.before.kind !== "directory" || found.before.hash !== "";
      return {
        ...found,
        at,
        before: afterCarrying(found.before, standing, rest === ""),
        // A copy has another inode than its origin, and so has an object that was moved to another mount.
        ...(stat && !standing.isCopy ? { stat } : {}),
        origin,
        follows: true,
        relies: isRelied ? [{ at: rootPathOf(origin), before: found.before }] : [],
      };
    }
  }
}

const NEW_DIRECTORY: Before = { kind: "directory", hash: "", size: 0, mode: 0o755, links: 0 };

/**
 * Finds the object behind a link, by the disk.
 * @throws Failure `denied` for a link that leads nowhere, and where the set has changed what links lead through
 */
function followLink(ctx: Preparing, link: ChangeTarget, verb: string, path: string): Located {
  if (link.follows || ctx.overlay.hasDisplaced) throw unsafeLink(ctx, link.at, verb, path);
  let real: Located;
  try {
    real = ctx.scope.innermost(ctx.scope.resolve(link.at, verb));
  } catch (thrown) {
    const missing = thrown instanceof Failure ? thrown.code === "not_found" : errnoOf(thrown) === "ENOENT";
    throw missing ? danglingLink(verb, path) : thrown;
  }
  // An earlier operation may have put a link where the target of this one was.
  const isLinkNow = ctx.overlay.nearest(real) && look(ctx, real, verb, {}).before.kind === "symlink";
  if (isLinkNow) throw unsafeLink(ctx, link.at, verb, path);
  return real;
}

function unsafeLink(ctx: Preparing, at: Located, verb: string, path: string): Failure {
  const state = `it leads through the link "${ctx.scope.show(at)}", and an earlier operation moved, made or removed a link or a directory`;
  return refusal("denied", verb, path, state, {
    hint: "Give the path without the link, or make these changes one after the other.",
    retry: "changed",
  });
}

function danglingLink(verb: string, path: string): Failure {
  return refusal("denied", verb, path, "it is a link to something that does not exist", {
    hint: "Delete the link first, or create the file that it points to.",
    retry: "changed",
  });
}
