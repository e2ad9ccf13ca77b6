/**
 * What one host remembers while it runs: the order of its calls, which are open, what was shown, granted, spent and
 * proposed, its packs, and the tools that the client offers. No step of a call is here. It is loaded with the
 * handshake, so it imports no tool and no schema. Read `order.ts` and `policy-state.ts` first. It may import `calls`,
 * `base`, `sys`, `text`, `reach`, `scope`, `state`, `wire`, `proc`, `policy`, `audit`, `contract`, `jobs`, `mcp` and `config`.
 */
export type { SeenFile } from "./baselines.ts";
export { BRIDGE, Bridge, bridgeSettings, greetBridge } from "./bridge.ts";
export { describePack, HostPacks, NO_PACKS, viewOff, viewPack, type PackView } from "./host-packs.ts";
export { keepInState } from "./keep-in-state.ts";
export { KnownProposals } from "./known-proposals.ts";
export { OpenCalls } from "./open-calls.ts";
export { openRecord } from "./open-record.ts";
export { type Order, type PlaceInOrder, createOrder } from "./order.ts";
export { createPlacePath, placeTarget, type PlacePath } from "./place-target.ts";
export { PolicyState, type GrantTerms } from "./policy-state.ts";
export { createRealNames } from "./real-names.ts";
export { recordConnections } from "./record-connections.ts";
export { toolFacts } from "./tool-facts.ts";
