/**
 * What the change worker answered, with the proposal where clients and scripts look for it.
 */
import type { KnownProposal, ProposalView } from "../jobs/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { JobAnswer } from "../pool/index.ts";
import type { Call, Work } from "./call.ts";
import type { Services } from "./services.ts";

interface ChangeFacts {
  readonly status: "proposed" | "applied" | "unchanged" | "tried";
  readonly proposal?: ProposalView;
  readonly transaction?: string;
  readonly files: readonly { readonly path: string; readonly operation: string; readonly hash?: string }[];
  /** Every one in a line, as a person is shown them. */
  readonly operations?: readonly string[];
  readonly says?: KnownProposal["says"];
}

/** Requests whose proposals can be applied by request id; the oldest are forgotten. */
const MAX_REMEMBERED = 10_000;

/** Where clients and scripts look for it in `_meta`. */
export const PROPOSAL_KEY = "dev.ringfence/proposal";

export function changeOutcome(host: Services, { call, record }: Work, answer: JobAnswer): Outcome {
  const facts = JSON.parse(answer.facts) as ChangeFacts;
  if (facts.status !== "tried") host.policy.baselines.noteChange(facts.files, facts.status === "applied");
  host.audit.record("change", {
    call: record.id,
    request: call.request,
    status: facts.status,
    proposal: facts.proposal?.id,
    digest: facts.proposal?.digest,
    transaction: facts.transaction,
    files: facts.files,
    operations: facts.operations,
  });
  if (!facts.proposal) return { members: answer.payload };
  host.proposed.note({ view: facts.proposal, ...(facts.says ? { says: facts.says } : {}) });
  remember(host, call, facts.proposal.id);
  return { members: answer.payload, meta: { [PROPOSAL_KEY]: facts.proposal } };
}

function remember(host: Services, call: Call, proposal: string): void {
  if (call.request === undefined) return;
  host.proposalOf.set(JSON.stringify(call.request), proposal);
  if (host.proposalOf.size <= MAX_REMEMBERED) return;
  const [oldest] = host.proposalOf.keys();
  if (oldest !== undefined) host.proposalOf.delete(oldest);
}
