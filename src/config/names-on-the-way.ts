/**
 * Every name that decides what a path leads to: each link on its way, where it stands, and the place at the end, whether
 * anything is there or not. Who may exchange one of them has exchanged the file.
 *
 * Usual mistake: to ask for the real path alone. The link that led there can then be replaced by another file.
 */
import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";

/** As many as the kernel follows for one path. */
const MAX_LINKS = 40;

/** Absolute, with the links above each of them resolved, as a scope names what it finds. */
export function namesOnTheWay(path: string): string[] {
  const found: string[] = [];
  const absolute = resolve(path);
  let at = parse(absolute).root;
  let left = namesOf(absolute);
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    // Behind a link `..` is the directory above what it leads to.
    const here = name === ".." ? dirname(at) : join(at, name);
    const target = found.length < MAX_LINKS ? targetOf(here) : undefined;
    if (target === undefined) {
      at = here;
      continue;
    }
    found.push(here);
    left = [...namesOf(target), ...left];
    if (isAbsolute(target)) at = parse(target).root;
  }
  return [...found, at];
}

function namesOf(path: string): string[] {
  const { root } = parse(path);
  return path
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== "" && name !== ".");
}

/** What is not there, or may not be looked at, is no link. */
function targetOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
