/**
 * A path below a root with every link on the way replaced by what it says, one component at a time. The kernel's own
 * walk refuses absolute links even when they lead into the root; and where a path cannot be opened, only this tells
 * whether the missing part lies inside or behind a link that leads out.
 *
 * It decides nothing: what it returns is opened like any other path, under the same guard. So a link that changes while
 * it is read can make an open fail, never succeed outside.
 */
import { lstatSync, readlinkSync } from "node:fs";
import { errnoError } from "./backend.ts";
import { nameFromBytes } from "./names.ts";

/** What stands at a path below the root, a link not followed. */
export type Look = (rel: string) => { readonly link: string } | "directory" | "other" | "missing";

/** As many as the kernel follows. */
const MAX_LINKS = 40;

/**
 * @param base the canonical absolute path of the root; an absolute link leads inside only below it
 * @returns the path without links, whose last part may be missing
 * @throws an error with the errno `EXDEV` for a path that leaves the root, `ENOENT`, `ENOTDIR`, `ELOOP`
 */
export function expandLinks(base: string, rel: string, look: Look): string {
  const done: string[] = [];
  let left = namesOf(rel);
  let links = 0;
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === "..") {
      if (done.pop() === undefined) throw errnoError("EXDEV");
      continue;
    }
    const found = look([...done, name].join("/"));
    if (typeof found === "object") {
      if (++links > MAX_LINKS) throw errnoError("ELOOP");
      const isAbsolute = found.link.startsWith("/");
      const target = isAbsolute ? belowBase(base, found.link) : found.link;
      if (target === undefined) throw errnoError("EXDEV");
      if (isAbsolute) done.length = 0;
      left = [...namesOf(target), ...left];
      continue;
    }
    // What comes after it, `..` too, needs a directory.
    if (left.length > 0 && found !== "directory")
      throw errnoError(found === "missing" ? "ENOENT" : "ENOTDIR");
    done.push(name);
  }
  return done.join("/");
}

/** The look of both backends: by name below a directory that node:fs can reach. */
export function lookAt(entry: string | Buffer): ReturnType<Look> {
  const stat = lstatSync(entry, { throwIfNoEntry: false });
  if (!stat) return "missing";
  if (stat.isSymbolicLink()) return { link: nameFromBytes(readlinkSync(entry, { encoding: "buffer" })) };
  return stat.isDirectory() ? "directory" : "other";
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

/** The part of an absolute path that lies below the root; `undefined` for any other. */
function belowBase(base: string, path: string): string | undefined {
  if (path === base) return "";
  const prefix = base === "/" ? base : `${base}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
