/**
 * The road of one call. Read `call.ts` (every type that steps share), `services.ts` (what a step may use of the host) and
 * `dispatch.ts` (the steps by name); then the rooms in their order: `decide/`, `execute/`, `proposal/`, `answer/`. A room
 * imports `call.ts`, `services.ts`, the files beside them, and rooms before it; only `dispatch.ts` knows all.
 *
 * This face is for `methods`, `surfaces` and `host`. It is loaded with the first call and brings the schemas of all tools:
 * whatever a handshake needs imports types from here and nothing else. It may import `calls`, `base`, `text`, `reach`,
 * `scope`, `approval`, `state`, `memory`, `wire`, `pool`, `proc`, `txn`, `policy`, `shell`, `audit`, `recorded`, `contract`, `packs`, `jobs`, `mcp`,
 * `dialects`, `upstream`, `config`, `spaces`, `start` and `session`.
 */
export type { Assessed, Call, CallPolicy, Caller } from "./call.ts";
export { assessRun } from "./decide/assess-run.ts";
export { assess } from "./decide/assess.ts";
export { assessBehindLinks } from "./decide/behind-links.ts";
export type { Guard, GuardAnswer, GuardedCall, GuardSettings, GuardVerdict } from "./decide/guard.ts";
export { hooksOf, isSilent } from "./decide/hooks.ts";
export { narrowCall } from "./decide/narrow-call.ts";
export { dispatch } from "./dispatch.ts";
export { askApart } from "./execute/ask-apart.ts";
export { callClient } from "./execute/bridge-call.ts";
export { resolvePath } from "./execute/context.ts";
export { findHere, findTool } from "./find-tool.ts";
export { grantCommand, grantOnRecord } from "./grant.ts";
export { inOrder } from "./in-order.ts";
export { asMethod, changeJob, readJob } from "./jobs.ts";
export { awaitNews } from "./proposal/review-news.ts";
export { applyProposal, passApproval, rejectProposal } from "./proposal/apply.ts";
export { editProposal } from "./proposal/edit.ts";
export {
  compareProposal,
  diffOfProposal,
  getProposal,
  imagesOfProposal,
  listProposals,
  textOfProposal,
} from "./proposal/preview.ts";
export type { ChangedTools, LoadedSpaces, Services, SpilledOutput, ToolRefusal, ToolsToChange } from "./services.ts";
export { proposalIn } from "./proposal/waiting.ts";
export { callOf, inOurNames, speak } from "./translate-call.ts";
