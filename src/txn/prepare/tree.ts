/**
 * Directories, moves, copies and deletes. Moves and deletes act on a link itself; nothing is overwritten unless the
 * caller said so; a tree needs `recursive`, and is fingerprinted so that what is applied is what was shown.
 */
import type { FileChange } from "../../approval/index.ts";
import { Failure, type FailureCode, type FailureExtra } from "../../base/index.ts";
import { holdsRoot, isReadOnly, quotable } from "../../scope/index.ts";
import { rootPathOf } from "../model.ts";
import type { CreateDirectoryChange, DeleteChange, RelocateChange, StepOrder } from "../model.ts";
import type { SharedName } from "../hard-links.ts";
import { describeTarget, modeOfCopy, namesOf, notForFile, orderOf, refusal, withMode } from "./context.ts";
import type { ChangeTarget, PreparedPart, Preparing, Standing } from "./context.ts";
import {
  contentsOf,
  copyLosses,
  crossingLosses,
  keepingLosses,
  lookedFacts,
  newDirectory,
  refuseMounted,
  replacedDiff,
  type TreeContents,
  walkView,
} from "./describe.ts";
import { findTarget, prepareParents, refuseMissing } from "./target.ts";

export function prepareCreateDirectory({ path }: CreateDirectoryChange, ctx: Preparing): PreparedPart {
  const verb = "create the directory";
  const target = findTarget(ctx, path, verb, { follow: true });
  const { at, before } = target;
  if (before.kind === "directory") {
    const file = describeTarget(target, ctx, "none");
    return { file, steps: [], warnings: ["The directory exists already."] };
  }
  if (before.kind !== "absent")
    throw refusal("already_exists", verb, path, "something else has that name", {
      hint: "Choose another name, or move what is there first.",
    });
  const order = orderOf(target);
  const above = prepareParents(ctx, target, order);
  return {
    file: {
      ...describeTarget(target, ctx, "create_directory"),
      after: newDirectory(),
      ...above.makes,
    },
    steps: [{ op: "make_directory", at: rootPathOf(at), before, ...order }],
    warnings: [],
    parents: above.parents,
    record: () => {
      above.record();
      ctx.overlay.set(at, { kind: "directory" });
    },
  };
}

/** A tree is fingerprinted; a file is not read more than is needed. */
const AS_ONE = { follow: false, deep: true, told: "cheap" } as const;

export function prepareDelete({ path, recursive }: DeleteChange, ctx: Preparing): PreparedPart {
  const target = findTarget(ctx, path, "delete", AS_ONE);
  requirePresent(target, ctx, path, "delete");
  refuseTakingAlong(target, ctx, path, "delete");
  const inside = contentsOf(ctx, target);
  const { entries, bytes } = inside;
  const use = useOf(ctx, "delete", target, inside);
  if (target.before.kind === "directory" && entries > 0 && !recursive)
    throw refusal("invalid_input", "delete", path, "the directory is not empty", {
      hint: `Pass recursive: true to delete it with the ${entries} entries in it.`,
      details: { entries, bytes },
    });
  const warnings = entries > 0 ? [`${entries} entries go with the directory.`] : [];
  return {
    file: {
      ...describeTarget(target, ctx, "delete"),
      ...inside.size,
      ...beforeOf(target, inside, ctx),
    },
    steps: [{ op: "remove", at: rootPathOf(target.at), before: target.before, ...orderOf(target) }],
    warnings: [...warnings, ...keepingLosses(ctx, target, inside)],
    tree: inside.tree,
    record: () => {
      ctx.overlay.shared.note(use);
      ctx.overlay.clear(target.at, isPassable(target));
    },
  };
}

/** @throws Failure where an earlier change has written into a file in it by another name */
function useOf(
  ctx: Preparing,
  verb: string,
  target: ChangeTarget,
  inside: TreeContents,
  more: readonly SharedName[] = [],
): { readonly names: readonly SharedName[]; readonly inPlace: false } {
  const use = { names: [...namesOf(target, ctx), ...inside.tree.shared, ...more], inPlace: false } as const;
  ctx.overlay.shared.refuse(use, verb, ctx.scope.show(target.at));
  return use;
}

/** Whether a link could lead through it. */
function isPassable({ before }: ChangeTarget): boolean {
  return before.kind === "directory" || before.kind === "symlink";
}

export function prepareRelocate(change: RelocateChange, ctx: Preparing): PreparedPart {
  const { op } = change;
  // A copy only reads its source, which may lie in a read-only root; a link is copied as the link.
  const source = findTarget(ctx, change.source, op, { ...AS_ONE, readOnlyIsFine: op === "copy" });
  requirePresent(source, ctx, change.source, op);
  if (op === "move") refuseTakingAlong(source, ctx, change.source, op);
  const target = findTarget(ctx, change.destination, `${op} to`, AS_ONE);
  refuseRelocation(source, target, change, ctx);
  const inside = contentsOf(ctx, source);
  const replaced = contentsOf(ctx, target);
  const use = useOf(ctx, op, source, inside, namesOf(target, ctx));
  const moved = lookedFacts(source, ctx.scope, inside);
  const order = orderOfBoth(source, target);
  const above = prepareParents(ctx, target, order);
  const file: FileChange = {
    ...describeTarget(target, ctx, op),
    source: ctx.scope.show(source.at),
    source_absolute: ctx.scope.absolute(source.at),
    ...inside.size,
    ...beforeOf(target, replaced, ctx),
    ...(moved ? { after: moved } : {}),
    ...above.makes,
    ...replacedDiff(ctx, source, target),
  };
  const overwritten =
    target.before.kind === "absent"
      ? []
      : [`It replaces what is at ${file.path}.`, ...keepingLosses(ctx, target, replaced)];
  const losses = op === "move" ? crossingLosses : copyLosses;
  const [from, at] = [rootPathOf(source.at), rootPathOf(target.at)];
  return {
    file,
    steps: [{ op, from, at, source: source.before, before: target.before, ...order }],
    warnings: [...overwritten, ...losses(ctx, source, target, inside)],
    tree: inside.tree,
    parents: above.parents,
    record: () => {
      above.record();
      ctx.overlay.shared.note(use);
      recordRelocation(source, target, op === "copy", ctx);
    },
  };
}

function orderOfBoth(source: ChangeTarget, target: ChangeTarget): StepOrder {
  if (!source.follows && !target.follows) return {};
  // A step that follows is not checked at the start, so an end that the set has not touched is relied on.
  const relies = [source, target].flatMap((end) =>
    end.follows ? (end.relies ?? []) : [{ at: rootPathOf(end.at), before: end.before }],
  );
  return orderOf({ follows: true, relies });
}

function recordRelocation(source: ChangeTarget, target: ChangeTarget, isCopy: boolean, ctx: Preparing): void {
  const own = ctx.overlay.nearest(source.at)?.standing;
  if (isPassable(target)) ctx.overlay.clear(target.at, true);
  const standing = standingOf(source, own);
  // A copy in the place of a file keeps what that file has besides its content.
  const { before: over } = target;
  const modeThere = over.kind === "file" ? (): number => over.mode : modeOfCopy;
  const carried = isCopy ? withMode(standing, modeThere) : standing;
  ctx.overlay.carry(source.at, target.at, carried, isCopy);
  if (!isCopy) ctx.overlay.clear(source.at, isPassable(source));
}

/** What the overlay will hold at the destination for what moves or is copied. */
function standingOf({ origin, stat, before }: ChangeTarget, own: Standing | undefined): Standing {
  if (!origin) return own ?? { kind: "absent" };
  const mode = before.kind === "file" ? { mode: before.mode } : {};
  return { kind: "disk", from: origin, isCopy: stat === undefined, ...mode };
}

function beforeOf(target: ChangeTarget, inside: TreeContents, ctx: Preparing): Pick<FileChange, "before"> {
  const before = lookedFacts(target, ctx.scope, inside);
  return before ? { before } : {};
}

function requirePresent(target: ChangeTarget, ctx: Preparing, path: string, verb: string): void {
  refuseMissing(ctx, target, path, verb);
  if (target.at.rel === "") throw refusal("denied", verb, path, "it is the root itself");
}

/** A root inside the tree has rules of its own, which would go with it; so would a mount. */
function refuseTakingAlong(target: ChangeTarget, ctx: Preparing, path: string, verb: string): void {
  if (holdsRoot(ctx.scope, target.at)) throw refusal("denied", verb, path, "another root lies in it");
  refuseMounted(ctx, target, path, verb);
}

/** Refuses a move or copy for any reason, in the order in which callers are told. */
function refuseRelocation(source: ChangeTarget, target: ChangeTarget, change: RelocateChange, ctx: Preparing): void {
  const { op, recursive } = change;
  const [{ at: from, before }, to] = [source, target.at];
  const refused = (code: FailureCode, state: string, extra: FailureExtra = {}): Failure => {
    const what = `Cannot ${op} "${quotable(change.source)}" to "${quotable(change.destination)}"`;
    return new Failure(code, `${what}: ${state}`, extra);
  };
  if (from.root.index === to.root.index) {
    if (from.rel === to.rel) throw refused("invalid_input", "both are the same");
    if (before.kind === "directory" && to.rel.startsWith(`${from.rel}/`))
      throw refused("invalid_input", "the destination lies inside the source");
    if (from.rel.startsWith(`${to.rel}/`)) throw refused("invalid_input", "the source lies inside the destination");
  }
  if (to.mustBeDirectory && before.kind !== "directory" && target.before.kind === "absent")
    throw notForFile(change.destination, `${op} to`);
  if (op === "copy" && before.kind === "directory" && !recursive)
    throw refusal("invalid_input", op, change.source, "it is a directory", {
      hint: "Pass recursive: true to copy it with all that is in it.",
    });
  if (op === "copy" && before.kind === "other")
    throw refusal("denied", op, change.source, "only files, links and directories can be copied");
  // rename(2) between two names of one file does nothing and says that it succeeded.
  if (isSameInode(source, target)) {
    if (before.kind === "file" && before.links > 1)
      throw refused("invalid_input", "both are names of one file", {
        hint: "Delete the name that you do not want.",
      });
    throw refused("invalid_input", "for this file system both are the same name", {
      hint: op === "move" ? RENAME_IN_TWO_STEPS : "Choose another name.",
    });
  }
  refuseOverwrite(source, target, change, ctx);
  if (before.kind !== "directory") return;
  // A name may be allowed where it lies and denied where it would come to lie.
  for (const { below } of walkView(ctx, source)) {
    const there = { ...to, rel: `${to.rel}/${below}` };
    if (ctx.scope.denies(there)) throw refused("denied", "a deny rule of this host covers something in it there");
    if (isReadOnly(ctx.scope, there)) throw refused("denied", "something in it would lie in a read-only root there");
  }
}

const RENAME_IN_TWO_STEPS =
  "To change how the name is written, move it to a third name first, and from there in a second call. Deleting either name deletes it.";

function isSameInode({ stat: one }: ChangeTarget, { stat: other }: ChangeTarget): boolean {
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

function refuseOverwrite(source: ChangeTarget, target: ChangeTarget, change: RelocateChange, ctx: Preparing): void {
  if (target.before.kind === "absent") return;
  const refused = (state: string, extra: FailureExtra = {}): Failure =>
    refusal("already_exists", `${change.op} to`, change.destination, state, extra);
  if (target.before.kind === "directory")
    throw refused("a directory has that name", {
      hint: "Give the full destination, with the new name; to replace a directory, delete it first.",
    });
  if (!change.overwrite) {
    refuseLinkOut(target, change, ctx);
    throw refused("it exists, and overwrite is false");
  }
  if (source.before.kind === "directory")
    throw refused("a file cannot be replaced by a directory", {
      hint: "Choose another name, or delete the file first.",
    });
}

/** Without overwrite, the object behind a link is meant, and one outside the roots is refused as such. */
function refuseLinkOut(target: ChangeTarget, change: RelocateChange, ctx: Preparing): void {
  if (target.before.kind !== "symlink" || target.follows) return;
  try {
    ctx.scope.resolve(target.at, `${change.op} to`);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "outside_scope") throw thrown;
    // A link that leads nowhere is in the way like any other.
  }
}
