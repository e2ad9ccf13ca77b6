/**
 * The methods `ringfence/*` by name: what each takes and what it answers. The host is checked against these types where it
 * defines a method, and the client where it calls one.
 */
import type { MethodParams } from "../../types/tools.d.ts";
import type { ListedProposal } from "./call-result.ts";
import type {
  AppliedProposal,
  Explanation,
  FailedProposal,
  Grant,
  ProposalWithFiles,
  RejectedProposal,
  Transaction,
  Undone,
} from "./tool-host.ts";

export interface MethodResults {
  readonly "ringfence/proposals/list": { readonly proposals: readonly ListedProposal[] };
  readonly "ringfence/proposals/get": ProposalWithFiles;
  readonly "ringfence/proposals/apply":
    | AppliedProposal
    | { readonly results: readonly (AppliedProposal | FailedProposal)[] };
  readonly "ringfence/proposals/reject": RejectedProposal;
  readonly "ringfence/history/list": { readonly transactions: readonly Transaction[] };
  readonly "ringfence/history/undo": Undone;
  readonly "ringfence/policy/explain": Explanation;
  readonly "ringfence/grants/list": { readonly grants: readonly Grant[] };
  readonly "ringfence/grants/add": { readonly grant: Grant };
  readonly "ringfence/grants/revoke": { readonly id: string; readonly status: "revoked" };
  readonly "ringfence/bridge/offer": BridgeState;
  readonly "ringfence/bridge/tools": BridgeState;
  readonly "ringfence/events/subscribe": { readonly subscribed: true };
}

/** What became of the tools that a client offers. */
interface BridgeState {
  readonly tools: readonly { readonly name: string; readonly aliases: readonly string[]; readonly offered: string }[];
  readonly refused: readonly { readonly offered: string; readonly why: string }[];
  /** No offer is taken any more, because the tools were listed. */
  readonly fixed: boolean;
}

export type MethodName = keyof MethodParams & keyof MethodResults;
