/**
 * Directories that are missing above what a change makes. Those that are missing on the disk too come to be with the
 * change; those that an earlier change of the set took away, or never had, are made by steps of their own, in order.
 */
import { deepestThere, type Located } from "../../scope/index.ts";
import { look } from "./look.ts";
import { newDirectory } from "./object-facts.ts";
import type { StepOrder } from "../model.ts";
import { shownTarget, type SealedPart } from "./part.ts";
import { sealedPath, type Sealing } from "./context.ts";
import type { Target } from "./target.ts";

/** For a step that does not follow: whoever applies it makes them. */
export function recordParents(target: Target, ctx: Sealing): void {
  for (const at of missingParents(target, ctx)) ctx.overlay.set(at, { kind: "directory", isImplied: true });
}

export function sealParents(target: Target, order: StepOrder, ctx: Sealing): SealedPart[] {
  if (!order.follows) return [];
  return missingParents(target, ctx).map((at) => ({
    file: {
      operation: "create_directory",
      ...shownTarget({ at }, ctx),
      added: 0,
      removed: 0,
      after: newDirectory(),
    },
    steps: [{ op: "make_directory", at: sealedPath(at), before: { kind: "absent" }, follows: true }],
    warnings: [],
    record: () => ctx.overlay.set(at, { kind: "directory" }),
  }));
}

/** The outermost first. */
export function missingParents(target: Pick<Target, "at" | "before">, ctx: Sealing): Located[] {
  if (target.before.kind !== "absent") return [];
  const names = target.at.rel.split("/").slice(0, -1);
  const levelAt = (level: number): Located => ({ ...target.at, rel: names.slice(0, level).join("/") });
  const there = deepestThere(names.length, (level) => {
    const at = levelAt(level);
    return ctx.scope.isAtop(at) || look(ctx, at, "create", {}).before.kind !== "absent";
  });
  return names.slice(there).map((_, n) => levelAt(there + n + 1));
}
