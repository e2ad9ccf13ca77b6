/**
 * A change set in, exact bytes and preconditions out. Everything is decided here; applying only checks and writes.
 */
import { Failure } from "../base/index.ts";
import type { Change, ChangeSet } from "./change-set.ts";
import { summarise } from "./describe.ts";
import { sealAppend, sealEdit, sealWrite, type SealedPart } from "./seal-content.ts";
import { sealCreateDirectory, sealDelete, sealRelocate } from "./seal-tree.ts";
import type { Sealed, SealedPath, SealedStep } from "./sealed.ts";
import type { SealContext } from "./target.ts";

/** @throws Failure of any change; the set is whole or nothing */
export function sealChanges(set: ChangeSet, ctx: SealContext): Sealed {
  const parts = set.changes.map((change) => sealOne(change, ctx));
  const steps = parts.flatMap((part) => part.steps);
  refuseOverlap(steps);
  const files = parts.map((part) => part.file);
  return {
    summary: summarise(files),
    files,
    steps,
    warnings: parts.flatMap((part) => part.warnings),
    bytes: files.reduce((sum, file) => sum + (file.hash === undefined ? 0 : (file.size_after ?? 0)), 0),
  };
}

function sealOne(change: Change, ctx: SealContext): SealedPart {
  switch (change.op) {
    case "write":
      return sealWrite(change, ctx);
    case "edit":
      return sealEdit(change, ctx);
    case "append":
      return sealAppend(change, ctx);
    case "create_directory":
      return sealCreateDirectory(change, ctx);
    case "move":
    case "copy":
      return sealRelocate(change, ctx);
    case "delete":
      return sealDelete(change, ctx);
  }
}

/** Each change is sealed against the disk, so two of one set may not touch the same place. */
function refuseOverlap(steps: readonly SealedStep[]): void {
  const seen: SealedPath[] = [];
  for (const step of steps) {
    for (const path of step.op === "move" ? [step.from, step.at] : [step.at]) {
      if (seen.some((other) => overlaps(other, path)))
        throw new Failure("conflict", `Cannot make these changes as one: two of them touch "${path.rel}"`, {
          hint: "Make them one after the other, or as one change of that file.",
        });
      seen.push(path);
    }
  }
}

function overlaps(a: SealedPath, b: SealedPath): boolean {
  if (a.root !== b.root) return false;
  return a.rel === b.rel || a.rel.startsWith(`${b.rel}/`) || b.rel.startsWith(`${a.rel}/`);
}
