/**
 * Everywhere else, and on Linux under test: walk the path component by component below the roots, open the end of it
 * without following a link, then prove from the open descriptor that it is the object that the canonical path names and
 * that this path lies below the root.
 *
 * The walk comes first because realpath would go through links that lead out, and its time would tell what is there.
 * Not guaranteed: another process that swaps a directory for a link between two of these steps can make an open fail,
 * and with perfect timing make it see an object outside; SECURITY.md says so. The handle backend has no such gap.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, statSync } from "node:fs";
import { errnoError, fsName, nameFromBytes } from "../sys/index.ts";
import { slashWindowsPath } from "./parse-path.ts";
import { absoluteIn, relIn, type Backend, type Landed, type Look, type RootHandle, type Way } from "./backend.ts";
import { expandLinks, lookAt } from "./expand-links.ts";

export function createPortableBackend(): Backend {
  return {
    kind: "portable",
    openRoot,
    open,
    look,
    realRel: ({ root, path }) => relIn(root, path),
    isGone: ({ canonical }) => !lstatSync(fsName(canonical), { throwIfNoEntry: false }),
  };
}

function openRoot(path: string, held?: number): RootHandle {
  const canonical = canonicalPath(path);
  const stat = statSync(fsName(canonical), { bigint: true });
  if (!stat.isDirectory()) throw errnoError("ENOTDIR");
  const known = held === undefined ? undefined : fstatSync(held, { bigint: true });
  // This way works on the path, so a path that leads elsewhere by now is of no use.
  if (known && (known.dev !== stat.dev || known.ino !== stat.ino)) throw errnoError("ESTALE");
  return { fd: -1, path: canonical, canonical, dev: stat.dev, ino: stat.ino, isBorrowed: true };
}

function open(way: Way, flags: number): Landed {
  refuseReplaced(way.root.handle);
  const { root, rel } = expandLinks(way, look);
  if (root !== way.root) refuseReplaced(root.handle);
  // The walk may have gone by other spellings than the file system's own: another case, or a short name.
  const path = canonicalPath(absoluteIn(root, rel));
  if (relIn(root, path) === undefined) throw errnoError("EXDEV");
  const before = lstatSync(fsName(path), { bigint: true });
  if (before.isDirectory() && process.platform === "win32") return { fd: -1, path, root };
  const fd = openSync(fsName(path), flags | constants.O_NOFOLLOW);
  try {
    const opened = fstatSync(fd, { bigint: true });
    // Several times over: who swaps directories must be right at every single look.
    for (let round = 0; round < PROOFS; round++) {
      const now = round === 0 ? before : lstatSync(fsName(path), { bigint: true });
      const isSame = opened.dev === now.dev && opened.ino === now.ino && canonicalPath(path) === path;
      if (!isSame) throw errnoError("EXDEV");
    }
    refuseReplaced(root.handle);
    return { fd, path, root };
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

const PROOFS = 3;

const look: Look = (root, rel) => lookAt(fsName(absoluteIn(root, rel)));

/** Another directory under the root's name is another root, and nobody has allowed it. */
function refuseReplaced(root: RootHandle): void {
  const now = lstatSync(fsName(root.canonical), { bigint: true });
  if (now.dev !== root.dev || now.ino !== root.ino) throw errnoError("ESTALE");
}

/**
 * `native`: the other one folds `..` as text before it looks at links. It resolves junctions as it resolves links. One
 * kind of slash everywhere, because deny rules and the names below a root are written with it.
 */
function canonicalPath(path: string): string {
  const real = nameFromBytes(realpathSync.native(fsName(path), { encoding: "buffer" }));
  return process.platform === "win32" ? slashWindowsPath(real) : real;
}
