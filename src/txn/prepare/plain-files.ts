/**
 * Sealed steps in the words for people without a look at the disk: for lists, and where the roots cannot be looked at. Sizes are
 * what the steps say; there are no diffs.
 */
import { join } from "node:path";
import type { ObjectFacts, FileChange, Operation } from "../../approval/index.ts";
import { showName } from "../../scope/index.ts";
import { factsOf } from "./object-facts.ts";
import type { Before, SealedPath, SealedStep } from "../model.ts";

interface PlainContext {
  readonly roots: readonly { readonly path: string }[];
  /** Of new content, by its number. */
  readonly sizeOf: (index: number) => number;
}

export function plainFiles(steps: readonly SealedStep[], ctx: PlainContext): FileChange[] {
  return steps.map((step) => ({
    operation: operationOf(step),
    ...namesOf(step.at, ctx),
    ...("from" in step ? sourceOf(step.from, ctx) : {}),
    added: 0,
    removed: 0,
    ...sizesOf(step, ctx),
  }));
}

function operationOf(step: SealedStep): Operation {
  switch (step.op) {
    case "put":
      return step.before.kind === "absent" ? "create" : (step.as ?? "overwrite");
    case "make_directory":
      return "create_directory";
    case "move":
    case "copy":
      return step.op;
    case "remove":
    case "remove_directory":
      return "delete";
    case "restore":
      return "overwrite";
  }
}

function namesOf(at: SealedPath, { roots }: PlainContext): { path: string; absolute: string } {
  const absolute = join(roots[at.root]?.path ?? "/", at.rel);
  const path = at.root === 0 && at.rel !== "" ? showName(at.rel) : showName(absolute);
  return { path, absolute };
}

function sourceOf(from: SealedPath, ctx: PlainContext): Pick<FileChange, "source" | "source_absolute"> {
  const { path, absolute } = namesOf(from, ctx);
  return { source: path, source_absolute: absolute };
}

function sizesOf(
  step: SealedStep,
  { sizeOf }: PlainContext,
): Pick<FileChange, "size_before" | "size_after" | "before" | "after"> {
  const before = factsOf(step.before);
  const there = before ? { before } : {};
  if (step.op === "move" || step.op === "copy") {
    const after = factsOf(step.source);
    return { ...sizeBefore(step.source), ...there, ...(after ? { after } : {}) };
  }
  if (step.op !== "put") return { ...sizeBefore(step.before), ...there };
  const size = sizeOf(step.content);
  const after: ObjectFacts = { kind: "file", size, ...(step.mode === undefined ? {} : { mode: step.mode }) };
  return { ...sizeBefore(step.before), size_after: size, ...there, after };
}

function sizeBefore(before: Before): { readonly size_before?: number } {
  return before.kind === "file" ? { size_before: before.size } : {};
}
