/**
 * The methods `ringfence/*`: what the agent's runtime or a person calls, never the model, so they are methods and not tools.
 * Read `call-method.ts` first.
 */
export { callExtension } from "./call-method.ts";
export { subscribeToEvents } from "./events.ts";
export type { Explained } from "./explain.ts";
