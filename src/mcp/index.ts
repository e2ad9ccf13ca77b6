/**
 * The protocol core: sessions in both eras of MCP and with scripts, for any service. Which revision a request speaks, how
 * results look, what may be asked of the client, long calls as tasks, subscriptions. Knows no tools and no files.
 */
export { canElicit, declares, type About, type Capabilities } from "./about.ts";
export { SCRIPT, TASKS, traceOf, type ClientFacts } from "./client-facts.ts";
export { scriptRevision } from "./handshake/index.ts";
export {
  InputRequired,
  type InputRequest,
  type InputRequests,
  type InputResponses,
  type RetriedRequest,
} from "./input-required.ts";
export type { LogLevel } from "./client-facts.ts";
export { FAILURE_KEY, failureOutcome, type Outcome } from "./outcome.ts";
export { Peer } from "./session/peer.ts";
export { RequestContext } from "./request-context.ts";
export type { Revision } from "./revision.ts";
export type { Service } from "./service.ts";
export { Session, type Announcer } from "./session/session.ts";
export { MISSING_CAPABILITY } from "./session/tasks.ts";
