/**
 * What a program asks of a host, and how it looks: alike for a host in the same process (`createHost`) and one behind a pipe
 * (`connect`). Imports nothing, because the client is shipped without the rest.
 */
export type { CallResult, ContentBlock, ListedProposal, PendingProposal } from "./call-result.ts";
export type { EventStream, HostEvent, Listen } from "./events.ts";
export {
  failureOfRpc,
  stoppedFailure,
  type FailureCode,
  type FailureData,
  type RpcProblem,
} from "./failure.ts";
export { createToolHost, type RequestHow, type Transport } from "./requests.ts";
export { openStop } from "./stop.ts";
export type {
  AppliedProposal,
  CallOptions,
  CallProgress,
  ChangedFile,
  ChangeHistory,
  Explanation,
  FailedProposal,
  Grant,
  Grants,
  ProposalParts,
  Proposals,
  ProposalWithFiles,
  RejectedProposal,
  ToolAnswer,
  ToolDescription,
  ToolHost,
  Transaction,
  Undone,
} from "./tool-host.ts";
export { wordsByPlace } from "./words-in-text.ts";
export type { ToolArguments, ToolName, ToolResults } from "./tools/index.ts";
