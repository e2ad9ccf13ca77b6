/**
 * The code of the broker, loaded in the process that is one and nowhere else: with it come the tables of addresses and of
 * certificates, which no host should read at its start.
 */
import type { BrokerCode } from "./broker/broker.ts";
import type { BrokerSaid, ProgramBroker } from "./broker/program-broker.ts";
import type { CheckedFetch } from "./broker/checked-fetch.ts";
import type { BrokerOrder, NetworkConfig } from "./broker-order.ts";

export async function loadBroker(order: BrokerOrder): Promise<BrokerCode> {
  return (await import("./broker/broker.ts")).createBroker(order);
}

/** The `fetch` of a process that speaks to listed hosts by itself. */
export async function loadCheckedFetch(entries: readonly string[], network: NetworkConfig): Promise<CheckedFetch> {
  return (await import("./broker/checked-fetch.ts")).createCheckedFetch(entries, network);
}

/** The broker of programs. @param say writes a line for the launcher */
export async function loadProgramBroker(say: (said: BrokerSaid) => void): Promise<ProgramBroker> {
  return (await import("./broker/program-broker.ts")).openProgramBroker(say);
}
