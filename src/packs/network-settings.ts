/**
 * `network` in the settings of a pack: the hosts that its tools may reach. A start has
 * `parseReach` read each of them.
 */
import * as z from "zod/mini";
import { described } from "../contract/described.ts";

export interface NetworkSettings {
  readonly reach: readonly string[];
}

/** @param what reaching means for the pack */
export function networkSettings(what: string): z.ZodMiniType<NetworkSettings> {
  const entry = described(z.string(), "host:port, host, *.suffix or an address.");
  return described(z.strictObject({ reach: described(z.array(entry), what) }), "What it may reach. Default nothing.");
}
