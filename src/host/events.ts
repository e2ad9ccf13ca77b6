/**
 * `ringfence/events`: the record as it is written, for a program that wants to show what happens. It has what the record
 * has: who asked for what, the decision and its rule, the end; never contents.
 */
import type { Peer } from "../mcp/index.ts";
import type { Host } from "./host.ts";

const subscribed = new WeakSet<Peer>();

/** Once for each peer; asking again changes nothing. */
export function subscribeToEvents(host: Host, peer: Peer): Readonly<Record<string, unknown>> {
  if (!subscribed.has(peer)) {
    subscribed.add(peer);
    host.audit.listen((event) => peer.notify("ringfence/events", event));
  }
  return { subscribed: true };
}
