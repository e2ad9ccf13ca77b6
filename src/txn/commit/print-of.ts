/**
 * What is told of a staged object that has no hash in the plan, so that a recovery sees whether somebody has changed it
 * since: of a file its size and time, of a tree the same of everything in it. Where files are written in place their
 * times tell nothing, and the print of a tree is only numbers.
 */
import { NEVER_CANCELLED } from "../../base/index.ts";
import { statOf, withPlace, type Disk } from "./disk.ts";
import type { SealedPath } from "../model.ts";
import { fingerprintTree } from "../tree-copy/walk-tree.ts";

const LOOSE = "numbers:";

/** `undefined` for what has no content of its own, like a link. */
export function printOf(disk: Disk, path: SealedPath, isLoose: boolean): string | undefined {
  return withPlace(disk, path, ({ entry, at }) => {
    const stat = statOf(entry);
    if (stat?.isDirectory()) {
      const { hash, entries, bytes } = fingerprintTree(disk.scope, at, NEVER_CANCELLED);
      return isLoose ? `${LOOSE}${entries}:${bytes}` : hash;
    }
    return stat?.isFile() ? `${stat.size}:${stat.mtimeNs}` : undefined;
  });
}

export function hasPrint(disk: Disk, path: SealedPath, print: string | undefined): boolean {
  return print === undefined || printOf(disk, path, print.startsWith(LOOSE)) === print;
}
