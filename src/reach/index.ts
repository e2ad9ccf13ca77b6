/**
 * Lists of hosts: what a program or a pack may reach, and the broker, which is the only way out.
 *
 * Read `reach-list.ts` and `authority.ts`, then `broker-protocol.ts` (programs), `http-exchange.ts` and `broker-order.ts` (packs);
 * `broker/` is the process itself, and imported by that alone. It may import `base`.
 */
export { isAddressRange, MAX_RANGES } from "./address-range.ts";
export { PIECE_BYTES, type ExchangeAsk, type ExchangeSaid, type SignSaid } from "./broker-calls.ts";
export {
  BROKER,
  brokerFor,
  brokersOf,
  isBroker,
  type BrokerOrder,
  type ClusterAccess,
  type Credential,
  type NetworkConfig,
  type PackNetwork,
} from "./broker-order.ts";
export {
  MAX_BROKER_LINE_BYTES,
  REGISTER_WAIT_MS,
  type BrokerReady,
  type BrokerWord,
  type ProgramConnection,
} from "./broker-protocol.ts";
export type { HttpAnswer, HttpApi, HttpRequest } from "./http-exchange.ts";
export { addressDigits, isNeverDialled } from "./never-dialled.ts";
export {
  foldHost,
  listsAddress,
  parseReach,
  reaches,
  sharedReach,
  type ReachEntry,
  type ReachList,
} from "./reach-list.ts";
export type { BrokerSaid, ProgramBroker } from "./broker/program-broker.ts";
export { loadBroker, loadCheckedFetch, loadProgramBroker } from "./load-broker.ts";
