/**
 * The types that a consumer imports, from `ringfence` and from `ringfence/client` alike. They stand in a list of their own,
 * so that both package roots can pass on all of them and nothing else.
 */
export type {
  CallResult,
  ContentBlock,
  ListedProposal,
  Observation,
  PendingProposal,
  ProposalWhy,
} from "./call-result.ts";
export type {
  AppliedProposal,
  ChangedFile,
  FailedProposal,
  HunkName,
  LeftOut,
  PassedProposal,
  ProposalParts,
  RejectedProposal,
  ReviewComment,
  ReviewWords,
} from "./decided-proposals.ts";
export type { HostCall, HostProposal, HostResult } from "./dispatch.ts";
export type { EventStream, HostEvent } from "./events.ts";
export type { FailureCode, FailureData } from "./failure.ts";
export type {
  CallOptions,
  CallProgress,
  ChangeHistory,
  Explanation,
  Grant,
  Grants,
  Proposals,
  ProposalWithFiles,
  ToolAnswer,
  ToolDescription,
  ToolHost,
  Transaction,
  Undone,
} from "./tool-host.ts";
export type { ToolArguments, ToolName, ToolResults } from "../../types/tools.d.ts";
