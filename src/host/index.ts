/**
 * The host: a session's calls through the pipeline, and the process around it. The only folder that knows all others.
 */
export type { Call } from "./call.ts";
export { dispatch } from "./dispatch.ts";
export { callExtension } from "./extension.ts";
export { hiddenBecause, Host } from "./host.ts";
export { runHost, serveConfig, type RunHostOptions } from "./run-host.ts";
