/**
 * The host: a session's calls through the pipeline, and the process around it. The only folder that knows all others.
 * What runs a call is behind `loadLateParts`, because a client that only shakes hands must not wait for it.
 */
export { createAbout } from "./about.ts";
export { createHostService, loadLateParts } from "./service.ts";
export { Host } from "./host.ts";
export { listOptionsOf } from "./offer.ts";
export { offeredTools, type OfferedTool } from "./offered-tools.ts";
export { runHost, serveConfig, type RunHostOptions } from "./run-host.ts";
