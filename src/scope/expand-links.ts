/**
 * A path with every link on the way replaced by what it says, one component at a time. The kernel's own walk stays below
 * one root and refuses absolute links, even those that lead into the root or into another; only this follows them.
 *
 * Only what lies in a root is ever looked at. Between two roots a link is followed as text: it comes back into a root by
 * its name, or it is outside, and then nothing told whether something is there.
 *
 * It decides nothing: what it returns is opened like any other path, under the same guard. So a link that changes while
 * it is read can make an open fail, never succeed outside.
 */
import { lstatSync, readlinkSync } from "node:fs";
import { errnoError, nameFromBytes } from "../sys/index.ts";
import { slashWindowsPath } from "./parse-path.ts";
import type { Look, OpenRoot, Way } from "./backend.ts";

interface Step {
  readonly name: string;
  /** Only what a link says may leave a root for another; a caller's own `..` may not. */
  readonly byLink: boolean;
}

/** As many as the kernel follows, over all roots together. */
const MAX_LINKS = 40;

/**
 * @returns a path below a root without links or `..`, whose last part may be missing
 * @throws an error with the errno `EXDEV` for a path that leaves the roots, `ENOENT`, `ENOTDIR`, `ELOOP`
 */
export function expandLinks(way: Way, look: Look): Pick<Way, "root" | "rel"> {
  let root = way.root;
  let done: string[] = [];
  let left = stepsOf(way.rel, false);
  let links = 0;
  const enter = (from: readonly string[]): void => {
    const entered = enterRoot(way.roots, from, left);
    if (!entered) throw errnoError("EXDEV");
    ({ root, left } = entered);
    done = [];
  };
  for (let step = left.shift(); step !== undefined; step = left.shift()) {
    if (step.name === ".") continue;
    if (step.name === "..") {
      if (done.pop() !== undefined) continue;
      if (!step.byLink) throw errnoError("EXDEV");
      enter(namesOf(root.handle.canonical).slice(0, -1));
      continue;
    }
    const found = look(root, [...done, step.name].join("/"));
    if (typeof found === "object") {
      if (way.links === "refuse" || ++links > MAX_LINKS) throw errnoError("ELOOP");
      left = [...stepsOf(found.link, true), ...left];
      if (isAbsolute(found.link)) enter([]);
      continue;
    }
    // What comes after it, `..` too, needs a directory.
    if (left.length > 0 && found !== "directory") throw errnoError(found === "missing" ? "ENOENT" : "ENOTDIR");
    done.push(step.name);
  }
  return { root, rel: done.join("/") };
}

/**
 * The look of both backends: by name below a directory that node:fs can reach. A junction of Windows is a link here, as
 * it is for lstat, readlink and realpath; its target is absolute, with a prefix that is cut off.
 */
export function lookAt(entry: string | Buffer): ReturnType<Look> {
  const stat = lstatSync(entry, { throwIfNoEntry: false });
  if (!stat) return "missing";
  if (stat.isSymbolicLink()) return { link: slashed(nameFromBytes(readlinkSync(entry, { encoding: "buffer" }))) };
  return stat.isDirectory() ? "directory" : "other";
}

/** From a directory outside, by the steps of a link, as text, to the first root that it names. */
function enterRoot(
  roots: readonly OpenRoot[],
  from: readonly string[],
  steps: readonly Step[],
): { root: OpenRoot; left: Step[] } | undefined {
  const outside = [...from];
  for (let at = 0; ; at++) {
    const found = nearestRoot(roots, outside);
    if (found) {
      const below = outside.slice(found.depth).map((name) => ({ name, byLink: true }));
      return { root: found.root, left: [...below, ...steps.slice(at)] };
    }
    const step = steps[at];
    if (!step?.byLink) return undefined;
    if (step.name === "..") outside.pop();
    else if (step.name !== ".") outside.push(step.name);
  }
}

/** The innermost root that holds an absolute path, by the names under which it was given. */
function nearestRoot(
  roots: readonly OpenRoot[],
  path: readonly string[],
): { root: OpenRoot; depth: number } | undefined {
  let best: { root: OpenRoot; depth: number } | undefined;
  for (const root of roots) {
    for (const names of root.spellings.map((spelling) => namesOf(slashed(spelling)))) {
      const holds = names.length <= path.length && names.every((name, at) => isSameName(name, path[at]));
      if (holds && names.length > (best?.depth ?? -1)) best = { root, depth: names.length };
    }
  }
  return best;
}

/** The name of a root in a link may be written in any case on Windows. */
function isSameName(a: string, b: string | undefined): boolean {
  return a === b || (process.platform === "win32" && a.toLowerCase() === b?.toLowerCase());
}

function isAbsolute(link: string): boolean {
  return link.startsWith("/") || (process.platform === "win32" && /^[A-Za-z]:/.test(link));
}

/** What a link of Windows says, in the form of the others. */
function slashed(link: string): string {
  return process.platform === "win32" ? slashWindowsPath(link) : link;
}

/** A slash at the end is a step too, which stays where it is: what comes before it must be a directory. */
function stepsOf(path: string, byLink: boolean): Step[] {
  const names = namesOf(path);
  if (/\/\.?$/.test(path)) names.push(".");
  return names.map((name) => ({ name, byLink }));
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}
