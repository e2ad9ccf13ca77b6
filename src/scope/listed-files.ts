/**
 * Files that a listing has just called regular, opened one after the other: what a search does a hundred thousand times.
 * Whether the kernel makes them up is asked once for each directory, and nothing else about them, which saves a call of
 * the system for each. A name that has become something else meanwhile is opened without waiting for it, and read as far
 * as it can be.
 */
import { closeSync, fstatSync } from "node:fs";
import type { Located } from "./located.ts";
import type { Scope } from "./scope.ts";

export interface ListedFile extends Disposable {
  readonly fd: number;
  /** Bytes, where it was looked at. */
  readonly size: number | undefined;
}

export class ListedFiles {
  readonly #scope: Scope;
  #directory: string | undefined;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Links are refused. @throws Failure as `Scope.openFile` */
  open(at: Located, verb: string): ListedFile {
    const directory = `${at.root.index}:${at.rel.slice(0, Math.max(0, at.rel.lastIndexOf("/")))}`;
    if (directory !== this.#directory) {
      const { fd, stat, [Symbol.dispose]: close } = this.#scope.openFile(at, verb, "refuse");
      this.#directory = directory;
      return { fd, size: Number(stat.size), [Symbol.dispose]: close };
    }
    const { fd } = this.#scope.openUnseen(at, verb);
    return { fd, size: undefined, [Symbol.dispose]: () => closeSync(fd) };
  }
}

/** Of an open file, for who has to know after all. @returns `undefined` for what is no regular file */
export function sizeOfFile(fd: number): number | undefined {
  const stat = fstatSync(fd);
  return stat.isFile() ? stat.size : undefined;
}
