/**
 * Directories, moves, copies and deletes. Moves and deletes act on a link itself; nothing is overwritten unless the
 * caller said so; a tree needs `recursive`, and is fingerprinted so that what is applied is what was shown.
 */
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import type { FileChange } from "../../approval/index.ts";
import type { CreateDirectoryChange, DeleteChange, RelocateChange, StepOrder } from "../model.ts";
import { standingOf, standingOver } from "./look.ts";
import { lookedFacts, newDirectory } from "./object-facts.ts";
import { missingParents, recordParents, sealParents } from "./parents.ts";
import { orderOf, type SealedPart, shownTarget } from "./part.ts";
import { sealedPath, type Sealing } from "./context.ts";
import { replacedDiff } from "./replaced-diff.ts";
import { findTarget, refuseMissing, type Target } from "./target.ts";
import { copyLosses, crossingLosses, keepingLosses, refuseMounted, type TreeSize } from "./losses.ts";
import { treeSize } from "./tree-size.ts";
import { walkView } from "./walk-view.ts";

export function sealCreateDirectory(change: CreateDirectoryChange, ctx: Sealing): SealedPart {
  const target = findTarget(ctx, change.path, "create the directory", { follow: true });
  const file = describe(target, ctx);
  if (target.before.kind === "directory")
    return { file: { ...file, operation: "none" }, steps: [], warnings: ["The directory exists already."] };
  if (target.before.kind !== "absent")
    throw new Failure(
      "already_exists",
      `Cannot create the directory "${quotable(change.path)}": something else has that name`,
    );
  return {
    file: {
      ...file,
      operation: "create_directory",
      after: newDirectory(),
      ...makesOf(target, orderOf(target), ctx),
    },
    steps: [{ op: "make_directory", at: sealedPath(target.at), before: target.before, ...orderOf(target) }],
    warnings: [],
    parents: sealParents(target, orderOf(target), ctx),
    record: () => {
      recordParents(target, ctx);
      ctx.overlay.set(target.at, { kind: "directory" });
    },
  };
}

export function sealDelete(change: DeleteChange, ctx: Sealing): SealedPart {
  const target = findTarget(ctx, change.path, "delete", { follow: false, ...AS_ONE });
  requirePresent(target, ctx, change.path, "delete");
  refuseHoldingRoot(target, ctx, change.path, "delete");
  refuseMounted(target, ctx, change.path, "delete");
  const inside = treeSize(target, ctx);
  if (target.before.kind === "directory" && inside.entries > 0 && !change.recursive)
    throw new Failure(
      "invalid_input",
      `Cannot delete "${quotable(change.path)}": the directory is not empty`,
      {
        hint: `Pass recursive: true to delete it with the ${inside.entries} entries in it.`,
        details: { entries: inside.entries, bytes: inside.bytes },
      },
    );
  const file: FileChange = {
    ...describe(target, ctx),
    operation: "delete",
    ...inside.size,
    ...beforeOf(target, inside, ctx),
  };
  const warnings = inside.entries > 0 ? [`${inside.entries} entries go with the directory.`] : [];
  warnings.push(...keepingLosses(target, inside, ctx));
  return {
    file,
    steps: [{ op: "remove", at: sealedPath(target.at), before: target.before, ...orderOf(target) }],
    warnings,
    tree: inside.tree,
    record: () => ctx.overlay.clear(target.at, isPassable(target)),
  };
}

/** What a link could lead through. */
function isPassable({ before }: Target): boolean {
  return before.kind === "directory" || before.kind === "symlink";
}

export function sealRelocate(change: RelocateChange, ctx: Sealing): SealedPart {
  const source = change.op === "move" ? movedSource(change, ctx) : copiedSource(change, ctx);
  requirePresent(source, ctx, change.source, change.op);
  if (change.op === "move") {
    refuseHoldingRoot(source, ctx, change.source, "move");
    refuseMounted(source, ctx, change.source, "move");
  }
  const target = findTarget(ctx, change.destination, `${change.op} to`, { follow: false, ...AS_ONE });
  refuseNesting(source, target, change);
  const isTree = source.before.kind === "directory";
  if (change.op === "copy" && isTree && !change.recursive)
    throw new Failure("invalid_input", `Cannot copy "${quotable(change.source)}": it is a directory`, {
      hint: "Pass recursive: true to copy it with all that is in it.",
    });
  if (change.op === "copy" && source.before.kind === "other")
    throw new Failure(
      "denied",
      `Cannot copy "${quotable(change.source)}": only files, links and directories can be copied`,
    );
  refuseSameInode(source, target, change);
  refuseOverwrite(source, target, change, ctx);
  refuseDeniedInside(source, target, change, ctx);
  const shownSource = ctx.scope.show(source.at);
  const inside = treeSize(source, ctx);
  const moved = lookedFacts(source, ctx.scope, inside);
  const file: FileChange = {
    ...describe(target, ctx),
    operation: change.op,
    source: shownSource,
    source_absolute: ctx.scope.absolute(source.at),
    ...inside.size,
    ...beforeOf(target, treeSize(target, ctx), ctx),
    ...(moved ? { after: moved } : {}),
    ...makesOf(target, orderOfBoth(source, target), ctx),
    ...replacedDiff(source, target, ctx),
  };
  const losses = change.op === "move" ? crossingLosses : copyLosses;
  const warnings = [...overwritten(target, file.path, ctx), ...losses(source, target, inside, ctx)];
  const order = orderOfBoth(source, target);
  const step = {
    op: change.op,
    from: sealedPath(source.at),
    at: sealedPath(target.at),
    source: source.before,
    before: target.before,
    ...order,
  };
  return {
    file,
    steps: [step],
    warnings,
    tree: inside.tree,
    parents: sealParents(target, order, ctx),
    record: () => recordRelocation(source, target, change.op === "copy", ctx),
  };
}

function overwritten(target: Target, path: string, ctx: Sealing): string[] {
  if (target.before.kind === "absent") return [];
  return [`It replaces what is at ${path}.`, ...keepingLosses(target, treeSize(target, ctx), ctx)];
}

/** A tree by what is in it, a file without reading more of it than is needed. */
const AS_ONE = { deep: true, told: "cheap" } as const;

function orderOfBoth(source: Target, target: Target): StepOrder {
  if (!source.follows && !target.follows) return {};
  // The step as a whole is not looked for at the start, so the end that the set has not touched is relied on.
  const relied = [source, target].flatMap((end) =>
    end.follows ? (end.relies ?? []) : [{ at: sealedPath(end.at), before: end.before }],
  );
  return orderOf({ follows: true, relies: relied });
}

function recordRelocation(source: Target, target: Target, isCopy: boolean, ctx: Sealing): void {
  recordParents(target, ctx);
  const own = ctx.overlay.nearest(source.at)?.standing;
  if (isPassable(target)) ctx.overlay.clear(target.at, true);
  const standing = standingOf(source, own);
  const carried = isCopy ? standingOver(standing, target.before) : standing;
  ctx.overlay.carry(source.at, target.at, carried, isCopy);
  if (!isCopy) ctx.overlay.clear(source.at, isPassable(source));
}

function movedSource(change: RelocateChange, ctx: Sealing): Target {
  return findTarget(ctx, change.source, "move", { follow: false, ...AS_ONE });
}

/** A copy only reads its source, which may lie in a read-only root; a link is copied as the link. */
function copiedSource(change: RelocateChange, ctx: Sealing): Target {
  return findTarget(ctx, change.source, "copy", { follow: false, ...AS_ONE, readOnlyIsFine: true });
}

function refuseNesting(source: Target, target: Target, change: RelocateChange): void {
  const what = `Cannot ${change.op} "${quotable(change.source)}" to "${quotable(change.destination)}"`;
  if (source.at.root.index !== target.at.root.index) return;
  if (source.at.rel === target.at.rel) throw new Failure("invalid_input", `${what}: both are the same`);
  if (source.before.kind === "directory" && target.at.rel.startsWith(`${source.at.rel}/`))
    throw new Failure("invalid_input", `${what}: the destination lies inside the source`);
  if (source.at.rel.startsWith(`${target.at.rel}/`))
    throw new Failure("invalid_input", `${what}: the source lies inside the destination`);
}

/** A root inside the tree has rules of its own, which would go with it. */
function refuseHoldingRoot(target: Target, ctx: Sealing, path: string, verb: string): void {
  const tree = `${ctx.scope.absolute(target.at)}/`;
  if (ctx.scope.roots.some((root) => `${root.handle.canonical}/`.startsWith(tree)))
    throw new Failure("denied", `Cannot ${verb} "${quotable(path)}": another root lies in it`);
}

/** What is allowed where it lies may have a name that is denied where it would come to lie. */
function refuseDeniedInside(source: Target, target: Target, change: RelocateChange, ctx: Sealing): void {
  if (source.before.kind !== "directory") return;
  for (const { below } of walkView(ctx, source)) {
    const to = { ...target.at, rel: `${target.at.rel}/${below}` };
    if (!ctx.scope.denies(to)) continue;
    throw new Failure(
      "denied",
      `Cannot ${change.op} "${quotable(change.source)}" to "${quotable(change.destination)}": a deny rule of this host covers something in it there`,
    );
  }
}

/** rename(2) between two names of one file does nothing and says that it succeeded. */
function refuseSameInode(source: Target, target: Target, change: RelocateChange): void {
  if (!source.stat || !target.stat) return;
  if (source.stat.dev !== target.stat.dev || source.stat.ino !== target.stat.ino) return;
  const what = `Cannot ${change.op} "${quotable(change.source)}" to "${quotable(change.destination)}"`;
  if (source.before.kind === "file" && source.before.links > 1)
    throw new Failure("invalid_input", `${what}: both are names of one file`, {
      hint: "Delete the name that you do not want.",
    });
  throw new Failure("invalid_input", `${what}: for this file system both are the same name`, {
    hint:
      change.op === "move"
        ? "To change how the name is written, move it to a third name first, and from there in a second call. Deleting either name deletes it."
        : "Choose another name.",
  });
}

function refuseOverwrite(source: Target, target: Target, change: RelocateChange, ctx: Sealing): void {
  if (target.before.kind === "absent") return;
  const what = `Cannot ${change.op} to "${quotable(change.destination)}"`;
  if (target.before.kind === "directory")
    throw new Failure("already_exists", `${what}: a directory has that name`, {
      hint: "Give the full destination, with the new name; to replace a directory, delete it first.",
    });
  if (!change.overwrite) {
    refuseLinkOut(target, change, ctx);
    throw new Failure("already_exists", `${what}: it exists, and overwrite is false`);
  }
  if (source.before.kind === "directory")
    throw new Failure("already_exists", `${what}: a file cannot be replaced by a directory`);
}

/** Without overwrite the place behind a link is meant, and one outside is told as such. */
function refuseLinkOut(target: Target, change: RelocateChange, ctx: Sealing): void {
  if (target.before.kind !== "symlink" || target.follows) return;
  try {
    ctx.scope.resolve(target.at, `${change.op} to`);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "outside_scope") throw thrown;
    // A link that leads nowhere is in the way like any other.
  }
}

function requirePresent(target: Target, ctx: Sealing, path: string, verb: string): void {
  refuseMissing(ctx, target, path, verb);
  if (target.at.rel === "")
    throw new Failure("denied", `Cannot ${verb} "${quotable(path)}": it is the root itself`);
}

function describe(target: Target, ctx: Sealing): Omit<FileChange, "operation"> & { operation: "none" } {
  return {
    operation: "none",
    ...shownTarget(target, ctx),
    added: 0,
    removed: 0,
  };
}

/** What stands there is named, with what is in it. */
function beforeOf(target: Target, inside: TreeSize, ctx: Sealing): Pick<FileChange, "before"> {
  const before = lookedFacts(target, ctx.scope, inside);
  return before ? { before } : {};
}

/** Where there is an order they have steps of their own. */
function makesOf(target: Target, order: StepOrder, ctx: Sealing): Pick<FileChange, "makes"> {
  const makes = order.follows ? 0 : missingParents(target, ctx).length;
  return makes === 0 ? {} : { makes };
}
