/**
 * A change that was proposed, put to the person at the client when the client said that it can ask: a form with the diff,
 * answered with apply, apply and remember, or reject. Without an answer the proposal waits, as it would have without the
 * question.
 *
 * Nothing holds its turn while a person thinks: the change is applied later, in its own turn, and only if its files are
 * still what was shown. The model cannot answer: it neither sees the form nor makes the state that comes back with it.
 */
import { Failure } from "../base/index.ts";
import { stateDirFlag } from "../config/index.ts";
import { resultMembers } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { ProposalDetails, ProposalView } from "../jobs/index.ts";
import { approvalForm, readApproval, type Approval } from "./approval-form.ts";
import { askForm, canAsk } from "./ask-form.ts";
import { bridgedState } from "./bridge-call.ts";
import type { Call } from "./call.ts";
import { PROPOSAL_KEY } from "./change-outcome.ts";
import type { Work } from "./carry-out.ts";
import { labelOf } from "../approval/index.ts";
import { approveInOrder, rejectInOrder } from "./extension.ts";
import { getProposal } from "./waiting-proposals.ts";
import type { Host } from "./host.ts";
import { rejected, rootsOf } from "./permit.ts";
import { grantOnRecord } from "./policy-methods.ts";

/** What comes back with the answer in the modern era. */
interface AskedState {
  /** `ID@DIGEST`, so that the answer is about what was shown. */
  readonly proposal: string;
}

/** The outcome that the question was about, when this call brings its answer. @throws Failure when it has ended */
export async function askedBefore(host: Host, call: Call): Promise<Outcome | undefined> {
  const taken = bridgedState(call.context)?.taken;
  // Its person has said yes, and the client has done what it was asked for.
  if (taken !== undefined)
    return {
      members: (await approveInOrder(host, taken, { files: undefined, hunks: undefined }, call)).members,
    };
  const state = call.context?.retry?.state as Partial<AskedState> | null | undefined;
  if (typeof state?.proposal !== "string") return undefined;
  const { details, members } = await getProposal(host, call, state.proposal);
  return { members, meta: { [PROPOSAL_KEY]: viewOf(details) } };
}

function viewOf(details: ProposalDetails): ProposalView {
  const { id, digest, tool, summary, paths, bytes, risk, suggested_rules, expiresAt, warnings } = details;
  return { id, digest, tool, summary, paths, bytes, risk, suggested_rules, expiresAt, warnings };
}

/** The proposal that a person can be asked about. In the mode `plan` nothing is written, whoever wants it. */
export function askable({ call, mode }: Work, made: Outcome): ProposalView | undefined {
  const proposal = made.meta?.[PROPOSAL_KEY] as ProposalView | undefined;
  return proposal && mode !== "plan" && canAsk(call) ? proposal : undefined;
}

/** @throws InputRequired in the modern era; Failure for a rejection, and when it cannot be applied any more */
export async function askPerson(
  host: Host,
  work: Work,
  made: Outcome,
  { id, digest = "" }: ProposalView,
): Promise<Outcome> {
  const { call } = work;
  const label = labelOf({ id, digest });
  const details = await waitingDetails(host, call, label);
  if (!details) return await repeatedAnswer(host, call, id);
  const { version = "" } = call.context?.client ?? {};
  const form = approvalForm(details, version, rootsOf(host), stateDirFlag(host.config));
  const state: AskedState = { proposal: label };
  const read = (answer: unknown): Approval => readApproval(answer, form, details);
  const approval = await askForm(host, work, { form, about: { proposal: id, digest }, state, read });
  switch (approval.action) {
    case "wait":
      return made;
    case "reject":
      return await reject(host, call, id, approval.reason);
    case "apply": {
      const { members } = await approveInOrder(
        host,
        label,
        { files: approval.files, hunks: undefined },
        call,
      );
      // The rules mean the whole call, which is not what a person allows who chose some of its files.
      if (approval.remember && approval.files === undefined)
        for (const rule of details.suggested_rules) grantOnRecord(host, rule, false);
      return { members };
    }
  }
}

async function reject(host: Host, call: Call, id: string, reason: string | undefined): Promise<never> {
  await rejectInOrder(host, { id, ...(reason === undefined ? {} : { reason }) }, call);
  throw rejected("Cannot make the change", reason);
}

/** `undefined` when it was applied meanwhile. @throws Failure for any other end */
async function waitingDetails(host: Host, call: Call, id: string): Promise<ProposalDetails | undefined> {
  try {
    return (await getProposal(host, call, id)).details;
  } catch (thrown) {
    if (endingOf(thrown)?.outcome === "applied") return undefined;
    throw thrown;
  }
}

/** To a call that was sent again under its idempotency key, after its person had said yes. */
async function repeatedAnswer(host: Host, call: Call, id: string): Promise<Outcome> {
  const ending = await getProposal(host, call, id).then(() => undefined, endingOf);
  const text = `Applied. A person approved it.\nTransaction ${ending?.transaction}`;
  const structured = { status: "applied", transaction: ending?.transaction, files: [] };
  return { members: resultMembers({ text, structured }, host.config.results) };
}

interface Ending {
  readonly outcome?: string;
  readonly transaction?: string;
}

function endingOf(thrown: unknown): Ending | undefined {
  return thrown instanceof Failure ? thrown.data.details : undefined;
}
