/**
 * Linux: every open goes through openat2 from the root's descriptor, and everything after it through the descriptor
 * that came back (`/proc/self/fd/N`, also `/proc/self/fd/N/name` for one bare name).
 */
import { constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { errnoError, type Backend, type Opened, type RootHandle } from "./backend.ts";
import { nameFromBytes } from "./names.ts";
import type { Openat2 } from "./openat2.ts";

/** Linux's O_PATH; node:fs does not name it. A handle to the place, without opening what is there. */
export const O_PATH = 0o10000000;

export function createHandleBackend(openat2: Openat2): Backend {
  return {
    kind: "handle",
    openRoot(path, held) {
      const fd = held ?? openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
      const stat = fstatSync(fd, { bigint: true });
      return { fd, path: procPath(fd), canonical: linkOf(fd), dev: stat.dev, ino: stat.ino, isBorrowed: held !== undefined };
    },
    open(root, rel, flags, links) {
      const fd = openat2(root.fd, rel, flags, links === "refuse");
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
