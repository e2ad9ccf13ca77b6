/**
 * Linux: every open goes through openat2 from the root's descriptor, and everything after it through the descriptor
 * that came back (`/proc/self/fd/N`, also `/proc/self/fd/N/name` for one bare name).
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { errnoError, type Backend, type Links, type Opened, type RootHandle } from "./backend.ts";
import { expandLinks, lookAt, type Look } from "./expand-links.ts";
import { fsName, nameFromBytes } from "./names.ts";
import type { Openat2 } from "./openat2.ts";

export function createHandleBackend(openat2: Openat2): Backend {
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
    open(root, rel, flags, links) {
      const fd = openBelow(openat2, root, rel, flags, links);
      return { fd, path: procPath(fd) };
    },
    realRel(root: RootHandle, opened: Opened) {
      const base = linkOf(root.fd);
      const path = linkOf(opened.fd);
      if (path === base) return "";
      const prefix = base === "/" ? "/" : `${base}/`;
      return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
    },
  };
}

/** The kernel refuses absolute links; one that leads into the root is followed by hand, and then opened like the rest. */
function openBelow(openat2: Openat2, root: RootHandle, rel: string, flags: number, links: Links): number {
  try {
    return openat2(root.fd, rel, flags, links === "refuse");
  } catch (thrown) {
    if (links === "refuse" || (thrown as NodeJS.ErrnoException).code !== "EXDEV") throw thrown;
  }
  const look = (below: string): ReturnType<Look> => {
    const cut = below.lastIndexOf("/");
    const parent = openat2(
      root.fd,
      below.slice(0, Math.max(0, cut)),
      constants.O_RDONLY | constants.O_DIRECTORY,
      true,
    );
    try {
      return lookAt(fsName(`${procPath(parent)}/${below.slice(cut + 1)}`));
    } finally {
      closeSync(parent);
    }
  };
  return openat2(root.fd, expandLinks(root.canonical, rel, look), flags, true);
}

function procPath(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

/** The kernel's own idea of where the descriptor is; ` (deleted)` follows the name of an unlinked object. */
function linkOf(fd: number): string {
  const bytes = readlinkSync(procPath(fd), { encoding: "buffer" });
  const path = nameFromBytes(bytes);
  if (!path.startsWith("/")) throw errnoError("ENOENT");
  return path;
}
