/**
 * What the call that made a proposal is answered with while that waits, and where clients and scripts find the proposal.
 */
import { labelOf } from "../../approval/index.ts";
import type { PendingProposal, ProposalWithFiles } from "../../calls/index.ts";
import type { Outcome } from "../../mcp/index.ts";
import type { Call } from "../call.ts";
import type { Services } from "../services.ts";
import { getProposal, type ProposalWanted } from "./preview.ts";

/** The key of `_meta` that holds the proposal. */
export const PROPOSAL_KEY = "dev.ringfence/proposal";

export function proposalIn({ meta }: Outcome): PendingProposal | undefined {
  return meta?.[PROPOSAL_KEY] as PendingProposal | undefined;
}

/** @param given `ID` or `ID@DIGEST`. @throws Failure for one that has ended */
export async function waitingOutcome(
  host: Services,
  call: Call,
  given: string,
  wanted?: ProposalWanted,
): Promise<Outcome> {
  const { details, members } = await getProposal(host, call, given, wanted);
  return { members, stands: proposed(details), meta: { [PROPOSAL_KEY]: viewOf(details) } };
}

/** What stands of a proposal, whatever room there is for its answer. */
export function proposed({ id, digest }: Pick<PendingProposal, "id" | "digest">): Outcome["stands"] {
  return { status: "proposed", proposal: digest === undefined ? id : labelOf({ id, digest }) };
}

function viewOf(details: ProposalWithFiles): PendingProposal {
  const { id, digest, tool, summary, paths, bytes, risk, suggested_rules, expiresAt, warnings } = details;
  return { id, digest, tool, summary, paths, bytes, risk, suggested_rules, expiresAt, warnings };
}
