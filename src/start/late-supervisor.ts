/**
 * The thread of a keeper whose program has a list of hosts, for `import()`: no other start loads what starts threads.
 */
export { startThread } from "../pool/index.ts";
