/**
 * Linux: every open goes through openat2 from a root's descriptor, and everything after it through the descriptor that
 * came back (`/proc/self/fd/N`, also `/proc/self/fd/N/name` for one bare name).
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from "node:fs";
import { errnoError, fsName, nameFromBytes, type Openat2 } from "../sys/index.ts";
import type { Backend, Landed, Look, Way } from "./backend.ts";
import { expandLinks, lookAt } from "./expand-links.ts";

export function createHandleBackend(openat2: Openat2): Backend {
  const look = createLook(openat2);
  return {
    kind: "handle",
    openRoot(path, held) {
      const fd = held ?? openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
      const stat = fstatSync(fd, { bigint: true });
      return {
        fd,
        path: procPath(fd),
        canonical: linkOf(fd),
        dev: stat.dev,
        ino: stat.ino,
        isBorrowed: held !== undefined,
      };
    },
    open: (way, flags) => openBelow(openat2, look, way, flags),
    look,
    realRel,
    isGone: ({ fd }) => fstatSync(fd).nlink === 0,
  };
}

/** The kernel stays below one root and refuses absolute links; what leads into a root is followed by hand, then opened. */
function openBelow(openat2: Openat2, look: Look, way: Way, flags: number): Landed {
  try {
    const fd = openat2(way.root.handle.fd, way.rel, flags, way.links === "refuse");
    return { fd, path: procPath(fd), root: way.root };
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // A path with `..` is never done while anything on the machine is being renamed; without, it is.
    if (code !== "EAGAIN" && (way.links === "refuse" || code !== "EXDEV")) throw thrown;
  }
  const { root, rel } = expandLinks(way, look);
  const fd = openat2(root.handle.fd, rel, flags, true);
  return { fd, path: procPath(fd), root };
}

/** Each look starts from the root's handle again, and refuses links above the name: nothing outside is ever looked at. */
function createLook(openat2: Openat2): Look {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY;
  return (root, rel) => {
    const cut = rel.lastIndexOf("/");
    const parent = openat2(root.handle.fd, rel.slice(0, Math.max(0, cut)), flags, true);
    try {
      return lookAt(fsName(`${procPath(parent)}/${rel.slice(cut + 1)}`));
    } finally {
      closeSync(parent);
    }
  };
}

function realRel({ fd, root }: Landed): string | undefined {
  const base = linkOf(root.handle.fd);
  const path = linkOf(fd);
  if (path === base) return "";
  const prefix = base === "/" ? "/" : `${base}/`;
  if (!path.startsWith(prefix) || (path.endsWith(DELETED) && !isNamed(path, fd))) return undefined;
  return path.slice(prefix.length);
}

/** What the kernel puts behind the name of an object that was removed, which then matches no deny rule any more. */
const DELETED = " (deleted)";

/** Whether the object really has this name. */
function isNamed(path: string, fd: number): boolean {
  const named = lstatSync(fsName(path), { bigint: true, throwIfNoEntry: false });
  const open = fstatSync(fd, { bigint: true });
  return named?.ino === open.ino && named.dev === open.dev;
}

/** The path of an open directory, for node:fs. */
export function procPath(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

/** The kernel's own idea of where the descriptor is. */
function linkOf(fd: number): string {
  const bytes = readlinkSync(procPath(fd), { encoding: "buffer" });
  const path = nameFromBytes(bytes);
  if (!path.startsWith("/")) throw errnoError("ENOENT");
  return path;
}
