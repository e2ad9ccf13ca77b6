/**
 * The files of a patch, in an order in which each of them meets what the patch was made for. A patch means every file
 * as it is before all of it, so a copy is made before its source changes, and a name is freed before something else
 * gets it. Files that change their names in a circle have no such order: one of them waits aside until its name is
 * free. Otherwise the order is that of the patch.
 *
 * Whatever fails in any file is told at once, so that a caller can mend all of it in one step, and then nothing is
 * changed. What was read or matched other than exactly, or found done before, is a warning, and a person looks at the
 * whole set.
 */
import { Failure } from "../../base/index.ts";
import { quotable } from "../../scope/index.ts";
import type { FilePatch, UpdateFile } from "../../text/index.ts";
import type { PatchChange } from "../model.ts";
import type { PreparedPart, Preparing } from "./context.ts";
import { type FilePatchProblem, joinFailures } from "./patch-failures.ts";
import { judgeRemoval, move, noteGone, prepareFile, prepareUpdate } from "./patch-file.ts";
import type { PatchedFile } from "./patch-file.ts";
import { refuseNamedTwice } from "./plain-patch.ts";
import { findTarget } from "./target.ts";

/** @throws Failure with every problem of every file in `details.problems` */
export function* preparePatch(change: PatchChange, ctx: Preparing): Generator<PreparedPart> {
  refuseUnknownHashes(change);
  const problems: FilePatchProblem[] = [];
  let unsaid = change.tolerances;
  let isRepeated = false;
  const asides: Asides = new Map();
  const chosen = change.files.map((file) => chooseFile(file, change, ctx));
  if (ctx.manner?.plainPatch) refuseNamedTwice(chosen);
  for (const turn of orderPatch(chosen)) {
    const { file, path } = turn.one;
    try {
      for (const { isEvidence = false, ...part } of prepareTurn(turn, asides, ctx)) {
        isRepeated ||= isEvidence;
        const tolerant = part.tolerant === true || change.tolerances.length > 0;
        yield { ...part, warnings: [...unsaid, ...part.warnings], tolerant };
        unsaid = [];
      }
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      const isRemoval = file.kind === "delete";
      problems.push(isRemoval ? judgeRemoval(thrown, path, ctx) : { path, failure: thrown });
    }
  }
  const left = problems.filter(({ gone }) => !isRepeated || gone === undefined);
  if (left.length > 0) throw joinFailures(left);
  for (const { gone } of problems) if (gone) yield noteGone(gone, ctx);
}

function refuseUnknownHashes({ ifHashes, files }: PatchChange): void {
  const names = files.flatMap((file) => [
    file.path,
    ...(file.candidatesForPath ?? []),
    ...(file.kind === "update" && file.pathBelow !== undefined ? [file.pathBelow] : []),
    ...(file.kind === "copy" ? [file.from] : []),
  ]);
  const unknown = Object.keys(ifHashes).find((path) => !names.includes(path));
  if (unknown === undefined) return;
  throw new Failure(
    "invalid_input",
    `Cannot apply the patch: if_hashes names "${quotable(unknown)}", which is no file of the patch`,
    { candidates: files.map((file) => file.path) },
  );
}

function chooseFile(named: FilePatch, change: PatchChange, ctx: Preparing): PatchedFile {
  const { ifHashes, overwrite } = change;
  const file = isOnlyBelow(named, ctx) ? { ...named, path: named.pathBelow, moveTo: named.pathBelow } : named;
  const path = choosePath(file, ctx);
  const hashOf = (name: string): string | undefined => (Object.hasOwn(ifHashes, name) ? ifHashes[name] : undefined);
  const ifHash = hashOf(file.kind === "copy" ? file.from : file.path) ?? hashOf(path);
  return { file, path, ifHash, overwrite };
}

/** Whether neither of its two names is there, and the file is where both have it below their folders. */
function isOnlyBelow(file: FilePatch, ctx: Preparing): file is UpdateFile & { readonly pathBelow: string } {
  if (file.kind !== "update" || file.pathBelow === undefined) return false;
  const { path, moveTo = path, pathBelow, candidatesForPath = [path] } = file;
  return isThere(pathBelow, ctx) && ![...candidatesForPath, moveTo].some((one) => isThere(one, ctx));
}

/** The first spelling that exists, or the one for a file that is not there. */
function choosePath({ path, candidatesForPath }: FilePatch, ctx: Preparing): string {
  return candidatesForPath?.find((one) => isThere(one, ctx)) ?? path;
}

function isThere(path: string, ctx: Preparing): boolean {
  try {
    return findTarget(ctx, path, "patch", { follow: false }).before.kind !== "absent";
  } catch (thrown) {
    // One that an earlier change has written into by another name is there; it is refused when its turn comes.
    if (thrown instanceof Failure) return thrown.code === "conflict";
    throw thrown;
  }
}

/** The names under which files wait aside. */
type Asides = Map<PatchedFile, string>;

function* prepareTurn({ one, what }: PatchTurn<PatchedFile>, asides: Asides, ctx: Preparing): Generator<PreparedPart> {
  const { file, path, overwrite } = one;
  if (what === "whole" || file.kind !== "update") {
    yield* prepareFile(one, ctx);
  } else if (what === "aside") {
    const aside = freeName(path, ctx);
    yield* prepareUpdate({ ...one, file: { ...file, moveTo: aside }, overwrite: false }, ctx);
    asides.set(one, aside);
  } else {
    const source = asides.get(one);
    // The move aside has failed, and its failure is known.
    if (source === undefined) return;
    yield move(source, file.moveTo ?? path, overwrite, ctx);
  }
}

/** A free name; nothing will be left there when the whole patch is applied. */
function freeName(path: string, ctx: Preparing): string {
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  for (let number = 1; ; number++) {
    const name = `${directory}aside-${number}.tmp`;
    if (findTarget(ctx, name, "move to", { follow: false }).before.kind === "absent") return name;
  }
}

interface Ordered {
  readonly file: FilePatch;
  readonly path: string;
}

export interface PatchTurn<T> {
  readonly one: T;
  /** `aside`: all but the last move, which comes later, with `rest`. */
  readonly what: "whole" | "aside" | "rest";
}

/** @throws Failure `unsupported` for a circle of copies, in which no file can wait aside */
export function orderPatch<T extends Ordered>(files: readonly T[]): PatchTurn<T>[] {
  const order: Order<T> = { earlierOf: createEarlier(files), turns: [], done: new Set(), aside: new Set() };
  for (const first of files) {
    for (let circle = walk(first, order); circle; circle = walk(first, order)) {
      const waits = chooseWaiting(circle);
      order.turns.push({ one: waits, what: "aside" });
      order.aside.add(waits);
    }
  }
  return order.turns;
}

interface Order<T> {
  /** The files that must be made before this one, in reverse order. */
  readonly earlierOf: (one: T) => T[];
  readonly turns: PatchTurn<T>[];
  readonly done: Set<T>;
  readonly aside: Set<T>;
}

/**
 * Takes all that has to be made before `first`, and then `first`; stops at a circle and returns it, each one before what it
 * waits for. Not recursive: a patch may rename in a chain that is longer than the stack.
 */
function walk<T extends Ordered>(first: T, { earlierOf, turns, done, aside }: Order<T>): T[] | undefined {
  if (done.has(first)) return undefined;
  const way = [{ one: first, earlier: earlierOf(first) }];
  const open = new Set([first]);
  for (let top = way.at(-1); top; top = way.at(-1)) {
    const next = top.earlier.pop();
    if (!next) {
      turns.push({ one: top.one, what: aside.has(top.one) ? "rest" : "whole" });
      done.add(top.one);
      open.delete(top.one);
      way.pop();
      continue;
    }
    if (done.has(next) || aside.has(next)) continue;
    if (open.has(next)) return way.slice(way.findIndex(({ one }) => one === next)).map(({ one }) => one);
    open.add(next);
    way.push({ one: next, earlier: earlierOf(next) });
  }
  return undefined;
}

/** Chooses a file that waits only for a name; one that waits for its copies cannot be moved yet. */
function chooseWaiting<T extends Ordered>(circle: readonly T[]): T {
  const found = circle.find(
    ({ file }, index) => file.kind === "update" && circle[(index + 1) % circle.length]?.file.kind !== "copy",
  );
  if (found) return found;
  throw new Failure("unsupported", "Cannot apply the patch: its copies and renames go in a circle", {
    hint: "Send the copies in a patch of their own, before the rest.",
  });
}

function createEarlier<T extends Ordered>(files: readonly T[]): (one: T) => T[] {
  const byPath = new Map<string, T>();
  const copies = new Map<string, T[]>();
  for (const one of files) {
    if (one.file.kind !== "copy") byPath.set(plain(one.path), one);
    else copies.set(plain(one.file.from), [...(copies.get(plain(one.file.from)) ?? []), one]);
  }
  return (one) => {
    const path = destinationOf(one);
    const holder = path === undefined ? undefined : byPath.get(plain(path));
    const frees = holder && holder !== one && isTaken(holder) ? [holder] : [];
    const copied = one.file.kind === "copy" ? [] : (copies.get(plain(one.path)) ?? []);
    return [...frees, ...copied.toReversed()];
  };
}

function destinationOf({ file, path }: Ordered): string | undefined {
  if (file.kind === "copy") return path;
  return file.kind === "update" ? file.moveTo : undefined;
}

function isTaken({ file, path }: Ordered): boolean {
  if (file.kind === "update") return file.moveTo !== undefined && plain(file.moveTo) !== plain(path);
  return file.kind === "delete";
}

function plain(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}
