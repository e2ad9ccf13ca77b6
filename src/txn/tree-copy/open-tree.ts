/**
 * Names in a tree that is being made, each below the handle of its own directory: one that another process swaps for a
 * link meanwhile is an error, and nothing is ever written through it.
 *
 * Only one directory is held open, because a copy goes directory by directory. Where descriptors have no path (not on
 * Linux) names are joined, with the gap that SECURITY.md tells of.
 */
import { closeSync, constants, openSync } from "node:fs";
import { fsName, nameFromBytes } from "../../scope/index.ts";

export const DIRECTORY: number = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export interface OpenTree extends Disposable {
  /** For node:fs, until the next call. @param below the path below the top, not empty */
  entry(below: string): string | Buffer;
}

/** @param top the directory itself, below a verified handle */
export function openTree(top: string | Buffer): OpenTree {
  const base = typeof top === "string" ? top : nameFromBytes(top);
  let held: { readonly below: string; readonly fd: number } | undefined;
  const release = (): void => {
    if (held) closeSync(held.fd);
    held = undefined;
  };
  return {
    entry(below) {
      if (process.platform !== "linux") return fsName(`${base}/${below}`);
      const cut = below.lastIndexOf("/");
      const parent = below.slice(0, Math.max(0, cut));
      if (held?.below !== parent) {
        release();
        held = { below: parent, fd: openBelow(base, parent) };
      }
      return fsName(`/proc/self/fd/${held.fd}/${below.slice(cut + 1)}`);
    },
    [Symbol.dispose]: release,
  };
}

function openBelow(base: string, below: string): number {
  let fd = openSync(fsName(base), DIRECTORY);
  for (const name of below === "" ? [] : below.split("/")) {
    const above = fd;
    try {
      fd = openSync(fsName(`/proc/self/fd/${above}/${name}`), DIRECTORY);
    } finally {
      closeSync(above);
    }
  }
  return fd;
}
