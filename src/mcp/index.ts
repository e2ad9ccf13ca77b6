/**
 * The protocol core: sessions in both eras of MCP and with scripts, for any service. Which revision a request speaks, how
 * results look, what may be asked of the client, long calls as tasks, subscriptions. Knows no tools and no files.
 *
 * To be read in this order: `session`, `revisions`, `service`, `answer-core`, `input-required`, then the others. It may import
 * `calls`, `base`, `text` and `wire`.
 */
export {
  canElicit,
  declares,
  SCRIPT,
  traceOf,
  type About,
  type Capabilities,
  type ClientFacts,
  type LogLevel,
  showsViews,
  VIEW_TYPE,
} from "./about.ts";
export {
  InputRequired,
  type InputRequest,
  type InputRequests,
  type InputResponses,
  type RetriedRequest,
  STATE_TTL_MS,
} from "./input-required.ts";
export { Peer } from "./peer.ts";
export {
  FAILURE_KEY,
  failureOutcome,
  scriptRevision,
  TASKS,
  type Outcome,
  type Revision,
  type StandingChange,
} from "./revisions.ts";
export { RequestContext, type Service } from "./service.ts";
export { Session, type Announcer } from "./session.ts";
export { MISSING_CAPABILITY } from "./tasks.ts";
