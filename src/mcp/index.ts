/**
 * The protocol in both its eras, as pure functions: which revision a request speaks, how results look, what the server
 * says of itself. Knows no streams and no sessions.
 */
export { createInstructions, type About } from "./about.ts";
export { createRevisionChooser, type EraState } from "./choose-revision.ts";
export { initializeResult } from "./handshake/index.ts";
export { discoverResult } from "./modern/index.ts";
export { failureOutcome, type Outcome } from "./outcome.ts";
export type { Revision } from "./revision.ts";
