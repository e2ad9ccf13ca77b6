/**
 * The typed client: a host in a process of its own, driven from any program. Plain Node and no dependency, so that it works
 * in Node 20 as in Bun; `npm run build` makes the JavaScript of it.
 *
 * @example
 * import { connect } from "ringfence/client";
 * await using client = await connect({ roots: ["/srv/project"] });
 * const { structured } = await client.call("grep", { pattern: "TODO" });
 */
export type { CallResult, ContentBlock, PendingProposal } from "./call-result.ts";
export { connect, type Client, type ConnectOptions } from "./connect.ts";
export type { EventStream, HostEvent, Listen } from "./events.ts";
export {
  CallError,
  ConnectionError,
  failureOfRpc,
  stoppedFailure,
  type FailureCode,
  type FailureData,
  type HostEnd,
  type RpcProblem,
} from "./failure.ts";
export { createToolHost, type RequestHow, type Transport } from "./requests.ts";
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
  ToolAnswer,
  ToolDescription,
  ToolHost,
  Transaction,
  Undone,
} from "./tool-host.ts";
export type { ToolArguments, ToolName, ToolResults } from "./tools/index.ts";
