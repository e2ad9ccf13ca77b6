/**
 * What stands at a place after the earlier changes of the set: `inspect`, through the overlay; and what lies below it. What
 * an earlier change has made `follows`; what that was made from on the disk is relied on, and checked before the first step.
 *
 * Invariant: links are followed on the disk only where the set has changed nothing that a link could lead through.
 */
import type { BigIntStats } from "node:fs";
import { Failure } from "../../base/index.ts";
import { errnoOf, type Located } from "../../scope/index.ts";
import { sizeOnly } from "../fingerprint.ts";
import { inspect, tooLarge, type InspectOptions } from "../inspect.ts";
import { rootPathOf, type Before } from "../model.ts";
import { walkTree } from "../tree-copy/tree.ts";
import { refusal, type OverlayEntry, type Preparing, type ChangeTarget } from "./context.ts";

export type LookOptions = Omit<InspectOptions, "cancel">;

/** @param at a place without links on its way */
export function look(ctx: Preparing, at: Located, verb: string, options: LookOptions): ChangeTarget {
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
      const known = sizeOnly(found.before);
      const hasMode = rest === "" && standing.mode !== undefined && known.kind === "file";
      return {
        ...found,
        at,
        before: hasMode ? { ...known, mode: standing.mode } : known,
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
export function followLink(ctx: Preparing, link: ChangeTarget, verb: string, path: string): Located {
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

export function danglingLink(verb: string, path: string): Failure {
  return refusal("denied", verb, path, "it is a link to something that does not exist", {
    hint: "Delete the link first, or create the file that it points to.",
    retry: "changed",
  });
}

export interface ViewEntry {
  /** Path below the top. */
  readonly below: string;
  /** The size of a file; 0 for anything else. */
  readonly bytes: number;
  /** Known for what lies on the disk. */
  readonly stat?: BigIntStats;
}

/**
 * Walks what lies below a directory after the earlier changes: the disk's entries, without those that a change has taken
 * away or covered, and with those that one has made or brought there.
 * @throws Failure `too_large`, `denied` as `walkTree` does, also for what is covered
 */
export function* walkView(ctx: Preparing, top: ChangeTarget): Generator<ViewEntry> {
  const prefix = `${ctx.scope.absolute(top.at)}/`;
  if (top.origin) yield* walkDisk(ctx, top.origin, top.at, prefix);
  for (const { at, standing } of ctx.overlay.below(top.at)) {
    if (standing.kind === "absent") continue;
    const below = ctx.scope.absolute(at).slice(prefix.length);
    if (standing.kind !== "disk") {
      yield { below, bytes: standing.kind === "file" ? standing.bytes.length : 0 };
      continue;
    }
    const stat = ctx.scope.lstat(standing.from, "walk");
    yield { below, bytes: stat.isFile() ? Number(stat.size) : 0, stat };
    if (stat.isDirectory()) yield* walkDisk(ctx, standing.from, at, prefix);
  }
}

/** What lies on the disk below `origin`, as it will be found below `at`. */
function* walkDisk(ctx: Preparing, origin: Located, at: Located, prefix: string): Generator<ViewEntry> {
  const own = ctx.overlay.nearest(at);
  for (const { below, stat } of walkTree(ctx.scope, origin, ctx.cancel)) {
    const there = { ...at, rel: at.rel === "" ? below : `${at.rel}/${below}` };
    if (ctx.overlay.nearest(there) !== own) continue;
    const shown = ctx.scope.absolute(there).slice(prefix.length);
    yield { below: shown, bytes: stat.isFile() ? Number(stat.size) : 0, stat };
  }
}
