/**
 * In which order the files of a patch are made. A patch means every file as it is before all of it, so a copy is made
 * before its source changes, and a name is freed before something else gets it. Files that change their names in a circle
 * have no such order: one of them waits aside until its name is free.
 *
 * Otherwise the order is that of the patch.
 */
import { Failure } from "../../base/index.ts";
import type { FilePatch } from "../../text/index.ts";

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
