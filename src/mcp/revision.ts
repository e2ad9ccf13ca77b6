/**
 * One protocol revision, as the rest of the program needs it: how a result is wrapped and which methods it has. What a
 * revision lacks is simply absent from its list.
 */
import type { Outcome } from "./outcome.ts";

export interface Revision {
  readonly name: "handshake" | "modern" | "script";
  readonly methods: ReadonlySet<string>;
  /** The result of a tool call, as JSON text. */
  callResult(outcome: Outcome): string;
  /** Any other result. `cacheable`: it is the same for everybody while the process lives. */
  result(value: Readonly<Record<string, unknown>>, cacheable?: boolean): string;
}

/** Methods that every revision has; `ringfence/*` are this host's own. */
export const COMMON_METHODS: readonly string[] = [
  "tools/list",
  "tools/call",
  "ringfence/proposals/list",
  "ringfence/proposals/get",
  "ringfence/proposals/apply",
  "ringfence/proposals/reject",
  "ringfence/history/list",
  "ringfence/history/undo",
  "ringfence/policy/explain",
  "ringfence/grants/list",
  "ringfence/grants/add",
  "ringfence/grants/revoke",
  "ringfence/events/subscribe",
];
