/**
 * Everywhere else, and on Linux under test: resolve, open without following the last link, then prove from the open
 * descriptor that it is the object that the canonical path names and that this path lies below the root.
 *
 * Not guaranteed: another process that swaps a directory for a link between two of these steps can make an open fail,
 * and with perfect timing make it see an object outside; SECURITY.md says so. The handle backend has no such gap.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { errnoError, type Backend, type Links, type Opened, type RootHandle } from "./backend.ts";
import { fsName, nameFromBytes } from "./names.ts";

export function createPortableBackend(): Backend {
  return { kind: "portable", openRoot, open, realRel: (root, opened) => relBelow(root, opened.path) };
}

function openRoot(path: string, held?: number): RootHandle {
  const canonical = canonicalPath(path);
  const { dev, ino, ...stat } = statSync(fsName(canonical), { bigint: true });
  if (!stat.isDirectory()) throw errnoError("ENOTDIR");
  const known = held === undefined ? undefined : fstatSync(held, { bigint: true });
  // This way works on the path, so a path that leads elsewhere by now is of no use.
  if (known && (known.dev !== dev || known.ino !== ino)) throw errnoError("ESTALE");
  return { fd: -1, path: canonical, canonical, dev, ino, isBorrowed: true };
}

function open(root: RootHandle, rel: string, flags: number, links: Links): Opened {
  const asked = rel === "" ? root.canonical : join(root.canonical, rel);
  refuseClimbing(rel);
  const path = proven(root, asked, links);
  const before = lstatSync(fsName(path), { bigint: true });
  if (before.isDirectory() && process.platform === "win32") return { fd: -1, path };
  const fd = openSync(fsName(path), flags | constants.O_NOFOLLOW);
  const after = fstatSync(fd, { bigint: true });
  const still = after.dev === before.dev && after.ino === before.ino && canonicalPath(path) === path;
  if (still) return { fd, path };
  closeSync(fd);
  throw errnoError("EXDEV");
}

/** The canonical path, when it lies below the root. A missing object is only `ENOENT` if its parents are inside. */
function proven(root: RootHandle, asked: string, links: Links): string {
  let path: string;
  try {
    path = canonicalPath(asked);
  } catch (thrown) {
    throw insideSoFar(root, asked) ? thrown : errnoError("EXDEV");
  }
  if (relBelow(root, path) === undefined) throw errnoError("EXDEV");
  if (links === "refuse" && path !== asked) throw errnoError("ELOOP");
  return path;
}

function insideSoFar(root: RootHandle, asked: string): boolean {
  for (let path = asked; path.length > root.canonical.length; path = join(path, "..")) {
    try {
      return relBelow(root, canonicalPath(join(path, ".."))) !== undefined;
    } catch {
      // That ancestor is missing too; the next one up decides.
    }
  }
  return true;
}

/** `a/../..` would be folded by `join` before the file system sees it. */
function refuseClimbing(rel: string): void {
  let depth = 0;
  for (const name of rel.split("/")) {
    depth += name === ".." ? -1 : 1;
    if (depth < 0) throw errnoError("EXDEV");
  }
}

function relBelow(root: RootHandle, path: string): string | undefined {
  if (path === root.canonical) return "";
  const prefix = root.canonical.endsWith(sep) ? root.canonical : root.canonical + sep;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

function canonicalPath(path: string): string {
  return nameFromBytes(realpathSync(fsName(path), { encoding: "buffer" }));
}
