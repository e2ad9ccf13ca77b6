/**
 * One client as the host keeps it: the ways to talk to it unasked, and what it subscribed to.
 */
import type { Announcer, Peer } from "../mcp/index.ts";
import type { ResourceWatch } from "./resource-watch.ts";

export interface Connection {
  readonly peer: Peer;
  readonly announcer: Announcer;
  /** Made with the first subscription. */
  watch?: ResourceWatch;
}
