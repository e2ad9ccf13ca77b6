/**
 * `network` in the settings of a pack: the hosts that its tools may reach. A start has
 * `parseReach` read each of them.
 */
import * as z from "zod/mini";
import { isObject } from "../base/index.ts";
import { described } from "../contract/described.ts";

export interface NetworkSettings {
  readonly reach: readonly string[];
}

/** @param what reaching means for the pack */
export function networkSettings(what: string): z.ZodMiniType<NetworkSettings> {
  const entry = described(z.string(), "host:port, host, *.suffix or an address.");
  return described(z.strictObject({ reach: described(z.array(entry), what) }), "What it may reach. Default nothing.");
}

/** The `network` of nearly every configuration, read without its schema; `undefined` for any other value. */
export function simpleNetwork(given: unknown): NetworkSettings | undefined {
  if (!isObject(given) || Object.keys(given).length !== 1 || !Array.isArray(given["reach"])) return undefined;
  const reach: unknown[] = [...(given["reach"] as unknown[])];
  return reach.every((entry) => typeof entry === "string") ? { reach } : undefined;
}
