/**
 * Files that a listing has just called regular, opened one after the other by their bare names in the directory, which is
 * held open while they come: what a search does a hundred thousand times. Whether the kernel makes them up is asked once
 * for each directory, and nothing else about them. A name that has become something else meanwhile is opened without
 * waiting for it, and read as far as it can be; a link is refused.
 *
 * The names are those of a listing, which left out what is denied: they are not asked for again. Not guaranteed: a
 * directory that is moved out of the root while it is held is read to its end.
 */
import { constants, fstatSync } from "node:fs";
import { loadOpenat, type Openat } from "../sys/index.ts";
import { isMadeUp } from "./mounts.ts";
import { failureOf } from "./scope-failure.ts";
import type { Located, OpenDirectory } from "./backend.ts";
import type { Scope } from "./scope.ts";

export interface ListedFile {
  /** The caller's to close. */
  readonly fd: number;
  /** Bytes, where it was looked at. */
  readonly size: number | undefined;
}

/** Directories that stay open at once: a tree is gone through with its upper levels asked for again and again. */
const MAX_HELD = 16;

interface Held {
  readonly at: Located;
  /** Without a handle, files are opened by their paths. */
  readonly directory: OpenDirectory | undefined;
}

export class ListedFiles implements Disposable {
  readonly #scope: Scope;
  /** Each lies somewhere below the one before it. */
  readonly #held: Held[] = [];

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** @param name of a file in the directory. @throws Failure as `Scope.openFile` */
  open(parent: Located, name: string, verb: string): ListedFile {
    const { at, directory } = this.#hold(parent, verb);
    openat ??= loadOpenat() ?? "missing";
    if (directory && openat !== "missing") {
      try {
        return { fd: openat(directory.fd, name, UNSEEN), size: undefined };
      } catch (thrown) {
        throw failureOf(thrown, this.#scope, this.#scope.child(at, name), verb);
      }
    }
    const { fd, stat } = this.#scope.openFile(this.#scope.child(parent, name), verb, "refuse");
    return { fd, size: Number(stat.size) };
  }

  [Symbol.dispose](): void {
    for (const { directory } of this.#held.splice(0)) directory?.[Symbol.dispose]();
  }

  #hold(parent: Located, verb: string): Held {
    for (let last = this.#held.at(-1); last; last = this.#held.at(-1)) {
      if (last.at.rel === parent.rel && last.at.root === parent.root) return last;
      if (this.#held.length < MAX_HELD && isBelow(parent, last.at)) break;
      this.#held.pop()?.directory?.[Symbol.dispose]();
    }
    const held: Held = { at: parent, directory: this.#openReal(parent, verb) };
    this.#held.push(held);
    return held;
  }

  /** `undefined` where there are no handles, or the files are made up. */
  #openReal(at: Located, verb: string): OpenDirectory | undefined {
    const directory = this.#scope.openDirectory(at, verb, "refuse");
    if (directory.fd >= 0 && !isMadeUp(directory.fd, fstatSync(directory.fd, { bigint: true }).dev)) return directory;
    directory[Symbol.dispose]();
    return undefined;
  }
}

let openat: Openat | "missing" | undefined;

const UNSEEN: number = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

function isBelow(at: Located, above: Located): boolean {
  return at.root === above.root && (above.rel === "" || at.rel.startsWith(`${above.rel}/`));
}

/** The size of an open file, for callers that need it after all. @returns `undefined` if it is not a regular file */
export function sizeOfFile(fd: number): number | undefined {
  const stat = fstatSync(fd);
  return stat.isFile() ? stat.size : undefined;
}
