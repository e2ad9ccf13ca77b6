/**
 * Lists of hosts: what a program or a pack may reach, and what is said to the broker, which is the only way out.
 *
 * Read `reach-list.ts`, then `broker-protocol.ts`. It may import `base`.
 */
export {
  MAX_BROKER_LINE_BYTES,
  REGISTER_WAIT_MS,
  type BrokerReady,
  type BrokerWord,
  type ProgramConnection,
} from "./broker-protocol.ts";
export { foldHost, listsAddress, parseReach, reaches, type ReachEntry, type ReachList } from "./reach-list.ts";
