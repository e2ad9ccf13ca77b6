/**
 * What the entries of all clients have in common: the name of the server, its arguments, and how long a client should wait
 * for an answer. A call may wait for a person, and a search may take minutes; clients cut at one minute by default.
 */
import { shellLine } from "../../text/index.ts";
import type { Json, Setup } from "../client.ts";
import type { GuardedName } from "../guard/guard-row.ts";

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

/** Longer than the guard takes for its own answer: a client goes on when a hook is late. */
const GUARD_SECONDS = 60;

/**
 * The line of a shell that answers the client's hook, with the roots and the flags of the server.
 *
 * Clients go on when a hook ends with anything but 0 and 2, and some when it ends with 2 and says nothing. So a program that is
 * missing, or was killed, is turned into a refusal with words.
 */
export function guardLine(setup: Setup, name: GuardedName): string {
  const [, ...serving] = serveArguments(setup);
  const guard = shellLine([...setup.program, "guard", `--client=${name}`, ...serving]);
  return `${guard} || { echo "The call is blocked: ringfence guard could not judge it" >&2; exit 2; }`;
}

/** A member of a list of hooks in the form that Claude Code has, and others have taken over. */
export function guardHook(line: string, more: Readonly<Record<string, Json>> = {}): Json {
  return { matcher: "*", hooks: [{ type: "command", command: line, timeout: GUARD_SECONDS, ...more }] };
}
