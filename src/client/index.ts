/**
 * The typed client: a host in a process of its own, driven from any program. Plain Node and no dependency, so that it works
 * in Node 20 as in Bun; `npm run build` makes the JavaScript of it.
 *
 * @example
 * import { connect } from "ringfence/client";
 * const client = await connect({ roots: ["/srv/project"] });
 * const { structured } = await client.call("grep", { pattern: "TODO" });
 */
export type {
  AppliedProposal,
  CallOptions,
  CallProgress,
  CallResult,
  ChangedFile,
  ChangeHistory,
  ContentBlock,
  EventStream,
  Explanation,
  FailedProposal,
  FailureCode,
  FailureData,
  Grant,
  Grants,
  HostEvent,
  ListedProposal,
  PendingProposal,
  ProposalParts,
  Proposals,
  ProposalWithFiles,
  RejectedProposal,
  ToolAnswer,
  ToolArguments,
  ToolDescription,
  ToolHost,
  ToolName,
  ToolResults,
  Transaction,
  Undone,
} from "../calls/index.ts";
export { connect, type Client, type ConnectOptions } from "./connect.ts";
export { CallError, ConnectionError, type HostEnd } from "./errors.ts";
