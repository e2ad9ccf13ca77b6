/**
 * What a transaction will do to the disk, in the form that the journal keeps: every operation, every name that is used on
 * the way, and which roots it is about. All of it is known before the first byte is written.
 */
import { Failure, sha256 } from "../../base/index.ts";
import { isMark, rootIdentities, withoutChangeTime } from "../fingerprint.ts";
import { hashOfKept, inspect, mountAbove } from "../inspect.ts";
import { inDirectory, isAtOrBelow, locatedFrom, parentOf, pathsOf } from "../model.ts";
import type { Before, PreparedChanges, PreparedStep, RootPath } from "../model.ts";
import type { JournalBegin, PlannedOperation, PutSource, TransactionNote } from "../records.ts";
import { besideName, type Contents, type Disk } from "./disk.ts";
import { missingParents } from "./stage.ts";

export function planTransaction(
  disk: Disk,
  { steps }: PreparedChanges,
  about: TransactionNote,
  contents: Contents,
  more: Pick<JournalBegin, "directories" | "answer">,
): JournalBegin {
  const acts = planOperations(disk, steps, contents);
  const early = acts.filter(({ late }) => !late);
  const parents = missingParents(disk, early);
  return {
    kind: "begin",
    // Diffs are for approval; the history can compute them again.
    about: { ...about, files: about.files.map(({ diff: _diff, ...file }) => file) },
    steps,
    acts,
    parents,
    roots: rootIdentities(disk.scope),
    isSingle: acts.length === 1 && parents.length === 0 && acts.every(isAtomic),
    ...more,
  };
}

/** A single system call does it, so a crash leaves it done or not done without a journal on the disk. */
function isAtomic(op: PlannedOperation): boolean {
  return op.act !== "rewrite" && !(op.act === "move" && (op.across || op.replaces));
}

function planOperations(disk: Disk, steps: readonly PreparedStep[], contents: Contents): PlannedOperation[] {
  const isMixed = takesAlong(steps);
  const mountOf = (path: RootPath): string | undefined => mountAbove(disk.scope, locatedFrom(disk.scope, path));
  return steps.map((step, index) => {
    const { at } = step;
    const replaces = step.before.kind !== "absent";
    const late = isMixed || (step.follows ?? false);
    const staged = inDirectory(parentOf(at), besideName(disk.transaction, index, "staged"));
    const put = (source: PutSource, after: string | undefined): PlannedOperation => {
      const known = after === undefined ? {} : { after };
      return { act: "put", at, replaces, late, staged, source, ...known };
    };
    switch (step.op) {
      case "put": {
        const { content, mode } = step;
        const after = sha256(contents(content));
        if (step.inPlace && step.before.kind === "file")
          return { act: "rewrite", at, content, before: step.before.hash, after, late };
        return put({ kind: "content", content, ...(mode === undefined ? {} : { mode }) }, after);
      }
      case "copy": {
        const { from, source } = step;
        const after = source.kind === "file" && !isMark(source.hash) ? source.hash : undefined;
        return put({ kind: "copy", from }, after);
      }
      case "restore": {
        const { transaction, name } = step;
        const after = hashOfKept(disk.history.objectOf(transaction, name));
        return put({ kind: "kept", transaction, name }, after);
      }
      case "make_directory":
      case "remove":
        return { act: step.op, at, late };
      case "remove_directory": {
        const mode = step.before.kind === "absent" ? 0o755 : step.before.mode;
        return { act: "remove_directory", at, mode, late, ...(step.made ? { made: step.made } : {}) };
      }
      case "move": {
        const across = mountOf(step.from) !== mountOf(at);
        return { act: "move", from: step.from, at, replaces, late, staged, across };
      }
    }
  });
}

/** A tree that is copied or moved would take along what is staged in it; then nothing is staged before its turn. */
function takesAlong(steps: readonly PreparedStep[]): boolean {
  const harmless = new Set<string>(["put", "make_directory", "remove_directory"]);
  return steps.some(
    (step) =>
      (step.follows && !harmless.has(step.op)) ||
      (step.op === "copy" &&
        step.source.kind === "directory" &&
        steps.some((other) => other !== step && pathsOf(other).some((path) => isAtOrBelow(path, step.from)))),
  );
}

/** Whether later steps of the set touch its places, so that what it left is not what stands there at the end. */
export function isCovered(steps: readonly PreparedStep[], index: number): boolean {
  const step = steps[index];
  if (!step) return false;
  // The source of a copy is only read: undoing the copy has nothing to do with it.
  const own = step.op === "copy" ? [step.at] : pathsOf(step);
  const isTouched = (path: RootPath): boolean => own.some((one) => isAtOrBelow(one, path) || isAtOrBelow(path, one));
  return steps.slice(index + 1).some((later) => pathsOf(later).some(isTouched));
}

/** What a step has left at its place: an undo must find exactly this. */
export function leftAt(disk: Disk, step: PreparedStep, op: PlannedOperation): Before {
  const known = knownAfter(step, op);
  if (known) return known;
  const { scope, cancel } = disk;
  try {
    // A directory that was made is only known as a directory: what comes into it later is not part of the change.
    const deep = !step.op.endsWith("_directory");
    const { before } = inspect(scope, locatedFrom(scope, step.at), "change", { cancel, deep, told: "cheap" });
    // Another change of the same host may give it a second name before an undo comes.
    return withoutChangeTime(before);
  } catch (thrown) {
    if (thrown instanceof Failure) return { kind: "absent" };
    throw thrown;
  }
}

/** @returns `undefined` where only the disk can tell */
export function knownAfter(step: PreparedStep, op: PlannedOperation): Before | undefined {
  if ((op.act === "put" || op.act === "rewrite") && op.after !== undefined)
    return { kind: "file", size: 0, mode: 0, links: 1, hash: op.after };
  if (step.op === "remove" || (step.op === "remove_directory" && !step.made)) return { kind: "absent" };
  // A directory may have been changed by earlier steps before it was moved, and a rename changes the mark of a file.
  const isOne = step.op === "move" && (step.source.kind === "file" || step.source.kind === "symlink");
  return isOne && !isMark(step.source.hash) ? step.source : undefined;
}
