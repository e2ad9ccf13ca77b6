/**
 * The part of the roots that a client's own roots leave: deny rules, inverted. Everything outside these directories is
 * answered in one way, whether or not it exists, and so are the directories above them.
 *
 * Usual mistake: to judge a path with `..` by where it ends. What it passes on the way would be told apart by whether the
 * call succeeds, so it may not leave these directories at all.
 */
import { Failure } from "../base/index.ts";
import { showName } from "./names.ts";
import { quotable } from "./parse-path.ts";

export interface Within {
  /** Whether there is a narrowing at all. */
  readonly active: boolean;
  /** Whether the canonical path is one of the directories or lies in one. */
  holds(path: string): boolean;
  /** Whether it is one of the directories or lies above one: nothing is ever made or replaced there. */
  isAtop(path: string): boolean;
  /** Either of them: what may be passed on the way to what is left. */
  isOnTheWay(path: string): boolean;
  /** The same as `holds` for a path that may have `..`, by its text alone. */
  admits(base: string, rel: string): boolean;
  failure(asked: string, verb: string): Failure;
}

/** @param directories absolute and canonical; undefined: no narrowing; empty: nothing is left */
export function createWithin(directories: readonly string[] | undefined): Within {
  const holds = (path: string): boolean =>
    directories === undefined || directories.some((directory) => isInside(path, directory));
  const isAtop = (path: string): boolean =>
    directories?.some((directory) => isInside(directory, path)) === true;
  return {
    active: directories !== undefined,
    holds,
    isAtop,
    isOnTheWay: (path) => holds(path) || isAtop(path),
    admits: (base, rel) => directories === undefined || admits(base, rel, holds, isAtop),
    failure: (asked, verb) => narrowedFailure(asked, verb, directories ?? []),
  };
}

/** Whether an absolute path without `..` is the directory or lies in it, by text. */
export function isInside(path: string, directory: string): boolean {
  const [inner, outer] = [comparable(path), comparable(directory)];
  return inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}

function admits(
  base: string,
  rel: string,
  holds: (path: string) => boolean,
  isAtop: (path: string) => boolean,
): boolean {
  if (!rel.includes("..")) return holds(rel === "" ? base : join(base, rel));
  const names: string[] = [];
  for (const name of rel.split("/")) {
    const path = join(base, names.join("/"));
    if (name !== "..") names.push(name);
    else if (!holds(path) || isAtop(path)) return false;
    else names.pop();
  }
  return holds(join(base, names.join("/")));
}

function join(base: string, rel: string): string {
  if (rel === "") return base;
  return base.endsWith("/") ? base + rel : `${base}/${rel}`;
}

/** On Windows both slashes separate, and case does not count. */
function comparable(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/").toLowerCase() : path;
}

function narrowedFailure(asked: string, verb: string, directories: readonly string[]): Failure {
  const what = `Cannot ${verb} "${quotable(asked)}"`;
  if (directories.length === 0)
    return new Failure(
      "outside_scope",
      `${what}: the roots of the client and the roots of this host have nothing in common`,
      {
        hint: "Nothing can be reached until the client opens a directory inside the roots of this host; system_info lists them.",
      },
    );
  const named = directories.slice(0, MAX_NAMED).map((directory) => `"${showName(directory)}"`);
  return new Failure("outside_scope", `${what}: it is outside the roots of the client`, {
    hint: `Give a path in ${named.join(" or ")}${directories.length > MAX_NAMED ? " or another of its roots" : ""}.`,
    retry: "changed",
  });
}

const MAX_NAMED = 3;
