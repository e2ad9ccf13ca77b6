/**
 * The part of the roots that a client's own roots leave: deny rules, inverted. Everything outside these directories is
 * answered in one way, whether or not it exists, and so are the directories above them.
 *
 * Who runs the host and a model are told with one wording which root is closed, what the client offered, and the key that
 * keeps the roots open, because neither can see the other's side: the client offers its roots by itself, and the host that
 * narrows them looks broken from outside. Of paths outside the roots only those are named that the client itself has named.
 *
 * Usual mistake: to judge a path with `..` by where it ends. What it passes on the way would be told apart by whether the
 * call succeeds, so it may not leave these directories at all.
 */
import { Failure } from "../base/index.ts";
import { joinWords, truncateUtf8 } from "../text/index.ts";
import { joinPath, type Located } from "./backend.ts";
import { showName } from "./names.ts";
import { quotable } from "./parse-path.ts";

type Asked = Pick<Located, "asked" | "root">;

/** What the roots of a client leave of the roots. */
export interface Narrowed {
  /** Canonical directories that are left; all of them by default, nothing when it is empty. */
  readonly within?: readonly string[] | undefined;
  /** What the client named as its roots; for the words of a failure. */
  readonly offered?: readonly string[] | undefined;
}

export interface Within {
  /** Whether there is a narrowing at all. */
  readonly active: boolean;
  /** Whether the canonical path is one of the directories or lies in one. */
  holds(path: string): boolean;
  /** Whether it is one of the directories or lies above one: nothing is ever made or replaced there. */
  isAtop(path: string): boolean;
  /** Either of them: what may be passed on the way to what is left. */
  isOnTheWay(path: string): boolean;
  /** Answers as `holds` does for a path that may have `..`, by its text alone. */
  admits(base: string, rel: string): boolean;
  /** @param at as it was asked for; where it leads is not said */
  failure(at: Asked, verb: string): Failure;
}

export function createWithin({ within: directories, offered = [] }: Narrowed): Within {
  const holds = (path: string): boolean =>
    directories === undefined || directories.some((directory) => isInside(path, directory));
  const isAtop = (path: string): boolean => directories?.some((directory) => isInside(directory, path)) === true;
  const admits = (base: string, rel: string): boolean => {
    if (directories === undefined) return true;
    if (!rel.includes("..")) return holds(joinPath(base, rel));
    const names: string[] = [];
    for (const name of rel.split("/")) {
      const path = joinPath(base, names.join("/"));
      if (name !== "..") names.push(name);
      else if (!holds(path) || isAtop(path)) return false;
      else names.pop();
    }
    return holds(joinPath(base, names.join("/")));
  };
  return {
    active: directories !== undefined,
    holds,
    isAtop,
    isOnTheWay: (path) => holds(path) || isAtop(path),
    admits,
    failure: (at, verb) => narrowedFailure(at, verb, { within: directories, offered }),
  };
}

function narrowedFailure(
  { asked, root: { handle, spellings } }: Asked,
  verb: string,
  { within = [], offered = [] }: Narrowed,
): Failure {
  const what = `Cannot ${verb} "${quotable(asked)}"`;
  const { canonical } = handle;
  const left = sayLeft({ path: spellings[0] ?? canonical, canonical }, within);
  const why = `The client ${left === undefined ? "narrowed the roots" : left}: ${sayOffered(offered)}.`;
  if (within.length === 0)
    return new Failure(
      "outside_scope",
      `${what}: the roots of the client and the roots of this host have nothing in common`,
      {
        hint: `${why} Nothing can be reached until it opens a directory inside the roots of this host (system_info lists them), or until the person who runs this host starts it with ${KEEP_ROOTS}.`,
      },
    );
  const named = within.slice(0, MAX_NAMED).map((directory) => `"${showName(directory)}"`);
  const open = `Give a path in ${named.join(" or ")}${within.length > MAX_NAMED ? " or another of its roots" : ""}.`;
  return new Failure("outside_scope", `${what}: it is outside the roots of the client`, {
    hint: `${open} ${why} The person who runs this host can keep its roots open with ${KEEP_ROOTS}.`,
    retry: "changed",
  });
}

const MAX_NAMED = 3;

export const KEEP_ROOTS = "--client-roots=ignore (client_roots in the configuration)";

const MAX_PATH_BYTES = 200;

export interface NarrowedRoot {
  /** As who runs the host has named it. */
  readonly path: string;
  readonly canonical: string;
}

/** `closed the root "/a"`; `undefined` for one that is left whole. @param within canonical directories */
export function sayLeft({ path, canonical }: NarrowedRoot, within: readonly string[]): string | undefined {
  if (within.some((directory) => isInside(canonical, directory))) return undefined;
  const left = within.filter((directory) => isInside(directory, canonical));
  return left.length === 0
    ? `closed the root ${quoted(path)}`
    : `left only ${listed(left)} of the root ${quoted(path)}`;
}

/** @param offered as the client named them */
export function sayOffered(offered: readonly string[]): string {
  return offered.length === 0
    ? "it offered no local directory as its roots"
    : `it offered only ${listed(offered)} as its roots`;
}

function listed(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMED).map(quoted);
  const more = paths.length - named.length;
  return joinWords([...named, ...(more > 0 ? [`${more} more`] : [])]);
}

function quoted(path: string): string {
  const { text, truncated } = truncateUtf8(showName(path), MAX_PATH_BYTES);
  return `"${text}${truncated ? "..." : ""}"`;
}

/** Whether an absolute path without `..` and links is the directory or lies in it, by text. It says nothing of any other. */
export function isInside(path: string, directory: string): boolean {
  const [inner, outer] = [comparable(path), comparable(directory)];
  return inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}

/** On Windows both slashes separate, and case does not count. */
function comparable(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/").toLowerCase() : path;
}
