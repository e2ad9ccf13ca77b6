/**
 * `network` in the settings of a pack: the hosts that its tools may reach. A start has `parseReach` read each of them.
 */
import * as z from "zod/mini";
import { described } from "../contract/described.ts";
import { simpleList, simpleObject, simpleText, type SimpleReader } from "./simple-settings.ts";

export interface NetworkSettings {
  readonly reach: readonly string[];
}

/** @param what reaching means for the pack */
export function networkSettings(what: string): z.ZodMiniType<NetworkSettings> {
  const entry = described(
    z.string().check(z.minLength(1), z.maxLength(1000)),
    "host:port, host, *.suffix or an address.",
  );
  return described(z.strictObject({ reach: described(z.array(entry), what) }), "What it may reach. Default nothing.");
}

/** The `network` of nearly every configuration. */
export const SIMPLE_NETWORK: SimpleReader<NetworkSettings> = simpleObject({ reach: simpleList(simpleText(/./)) });
