/**
 * What the entries of all clients have in common: the name of the server, its arguments, and how long a client should wait
 * for an answer. A call may wait for a person, and a search may take minutes; clients cut at one minute by default.
 */
import type { Setup } from "../client.ts";

export const SERVER = "ringfence";

/** An hour: as long as a call may wait for a reviewer. */
export const LONG_MS: number = 60 * 60 * 1000;

/** @param dialect what the client needs where the person has chosen none */
export function serveArguments({ roots, flags, dialect }: Setup, needed?: string): string[] {
  const spoken = dialect ?? needed;
  return [
    "serve",
    ...roots.flatMap((root) => ["--root", root]),
    ...(spoken === undefined || spoken === "ringfence" ? [] : [`--dialect=${spoken}`]),
    ...flags,
  ];
}
