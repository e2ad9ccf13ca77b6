/**
 * Everywhere else, and on Linux under test: resolve, open without following the last link, then prove from the open
 * descriptor that it is the object that the canonical path names and that this path lies below the root.
 *
 * Not guaranteed: another process that swaps a directory for a link between two of these steps can make an open fail,
 * and with perfect timing make it see an object outside; SECURITY.md says so. The handle backend has no such gap.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { errnoError, type Backend, type Links, type Opened, type RootHandle } from "./backend.ts";
import { expandLinks, lookAt } from "./expand-links.ts";
import { fsName, nameFromBytes } from "./names.ts";

export function createPortableBackend(): Backend {
  return { kind: "portable", openRoot, open, realRel: (root, opened) => relBelow(root, opened.path) };
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

function open(root: RootHandle, rel: string, flags: number, links: Links): Opened {
  const asked = below(root, rel);
  const path = proven(root, rel, asked, links);
  const before = lstatSync(fsName(path), { bigint: true });
  if (before.isDirectory() && process.platform === "win32") return { fd: -1, path };
  const fd = openSync(fsName(path), flags | constants.O_NOFOLLOW);
  const after = fstatSync(fd, { bigint: true });
  const still = after.dev === before.dev && after.ino === before.ino && canonicalPath(path) === path;
  if (still) return { fd, path };
  closeSync(fd);
  throw errnoError("EXDEV");
}

/** The canonical path, when it lies below the root. What cannot be reached behind a link out is outside, not missing. */
function proven(root: RootHandle, rel: string, asked: string, links: Links): string {
  let path: string;
  try {
    path = canonicalPath(asked);
  } catch (thrown) {
    throw leadsOut(root, rel) ? errnoError("EXDEV") : thrown;
  }
  if (relBelow(root, path) === undefined) throw errnoError("EXDEV");
  if (links === "refuse" && path !== asked) throw errnoError("ELOOP");
  return path;
}

function leadsOut(root: RootHandle, rel: string): boolean {
  try {
    expandLinks(root.canonical, rel, (name) => lookAt(fsName(below(root, name))));
    return false;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EXDEV";
  }
}

/** Not `join`: what `..` means after a link only the file system knows. */
function below(root: RootHandle, rel: string): string {
  if (rel === "") return root.canonical;
  return root.canonical.endsWith(sep) ? root.canonical + rel : root.canonical + sep + rel;
}

function relBelow(root: RootHandle, path: string): string | undefined {
  if (path === root.canonical) return "";
  const prefix = root.canonical.endsWith(sep) ? root.canonical : root.canonical + sep;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** `native`: the other one folds `..` as text before it looks at links. */
function canonicalPath(path: string): string {
  return nameFromBytes(realpathSync.native(fsName(path), { encoding: "buffer" }));
}
