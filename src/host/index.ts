/**
 * The host put together: the parts and how long they live (`host.ts`), the service behind the protocol core (`service.ts`),
 * the process around it (`run-host.ts`). No step of a call is here. What runs a call is in the list of `lazy.ts`, because a
 * client that only shakes hands must not wait for it. It may import `base`, `sys`, `text`, `scope`, `fence`, `state`, `memory`, `wire`,
 * `pool`, `proc`, `policy`, `audit`, `contract`, `packs`, `jobs`, `mcp`, `dialects`, `upstream`, `config`, `spaces`, `start`,
 * `session`, `pipeline`, `methods` and `surfaces`.
 */
export { aboutHost, createAbout } from "./about.ts";
export { loadLateParts } from "./lazy.ts";
export { createHostService } from "./service.ts";
export { Host } from "./host.ts";
export { listOptionsOf } from "./offer.ts";
export { offeredTools, type OfferedTool } from "./offered-tools.ts";
export { guardOf, runHost, serveStarted, whenTold, type RunHostOptions } from "./run-host.ts";
