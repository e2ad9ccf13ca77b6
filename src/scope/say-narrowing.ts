/**
 * What a client's roots leave of those of the host, in words: which root is closed, what the client offered, and the key
 * that keeps the roots open. The same words for who runs the host and for a model, because neither can see the other's
 * side: the client offers its roots by itself, and the host that narrows them looks broken from outside.
 *
 * Of paths outside the roots only those are named that the client itself has named.
 */
import { joinWords, truncateUtf8 } from "../text/index.ts";
import { isInside } from "./is-inside.ts";
import { showName } from "./names.ts";

export const KEEP_ROOTS = "--client-roots=ignore (client_roots in the configuration)";

const MAX_NAMED = 3;
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
