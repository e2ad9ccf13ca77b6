/**
 * The code of the broker, loaded in the process that is one and nowhere else: with it come the tables of addresses and of
 * certificates, which no host should read at its start.
 */
import type { BrokerCode } from "./broker/broker.ts";
import type { BrokerOrder } from "./broker-order.ts";

export async function loadBroker(order: BrokerOrder): Promise<BrokerCode> {
  return (await import("./broker/broker.ts")).createBroker(order);
}
