/**
 * A change that was proposed, put to the person at the client when the client said that it can ask: a form with the diff,
 * answered with apply, apply and remember, or reject. Without such an answer the proposal waits, as it would have without
 * the question, and whoever decides about it elsewhere meanwhile has decided.
 *
 * Nothing holds its turn while a person thinks: the change is applied later, in its own turn, and only if its files are
 * still what was shown. The model cannot answer: it neither sees the form nor makes the state that comes back with it.
 *
 * Invariant: a form that does not show all of a proposal cannot apply it.
 */
import { labelOf, parseLabel } from "../../approval/index.ts";
import type { PendingProposal, ProposalWithFiles } from "../../calls/index.ts";
import { Failure } from "../../base/index.ts";
import type { Config } from "../../config/index.ts";
import { resultMembers } from "../../contract/index.ts";
import type { Outcome } from "../../mcp/index.ts";
import { describeRule } from "../../policy/index.ts";
import { terminalCommand } from "../../text/index.ts";
import type { PlaceInOrder } from "../../session/index.ts";
import type { Call, Work } from "../call.ts";
import { bridgedState } from "../execute/bridge-call.ts";
import {
  DECLINED,
  REJECT,
  WAIT,
  answerIn,
  askForm,
  canAsk,
  hasLists,
  readForm,
  rejected,
  rememberChoice,
  type PersonForm,
  type Said,
} from "../form.ts";
import { grantOnRecord } from "../grant.ts";
import { inOrder } from "../in-order.ts";
import type { Services } from "../services.ts";
import { appliedOutcome, approveInOrder, rejectProposal } from "./apply.ts";
import { expectApproval } from "./late-approvals.ts";
import { getProposal } from "./preview.ts";
import { reviewed } from "./review.ts";
import { proposalIn, waitingOutcome } from "./waiting.ts";

/** What comes back with the answer in the modern era. */
interface AskedState {
  /** `ID@DIGEST`, so that the answer is about what was shown. */
  readonly proposal: string;
}

/** The outcome that the question was about, when this call brings its answer. @throws Failure when it has ended */
export async function askedBefore(host: Services, call: Call, turn: PlaceInOrder): Promise<Outcome | undefined> {
  if (!call.context?.retry) return undefined;
  // What it applies has a turn of its own.
  turn.stepAside();
  const taken = bridgedState(call.context)?.taken;
  // Its person has said yes, and the client has done what it was asked for.
  if (taken !== undefined) return appliedOutcome(await approveInOrder(host, taken, {}, call));
  const state = call.context.retry.state as Partial<AskedState> | null | undefined;
  if (typeof state?.proposal !== "string") return undefined;
  const { proposal } = state;
  return await unlessApplied(host, call, proposal, async () => await waitingOutcome(host, call, proposal));
}

/**
 * Puts what was proposed to a person: a reviewer who is attached, or else whoever sits at the client. In the mode `plan` nothing
 * is written, whoever wants it.
 *
 * @throws InputRequired in the modern era; Failure for a rejection, and when it cannot be applied any more
 */
export async function askPerson(host: Services, work: Work, made: Outcome): Promise<Outcome> {
  const proposal = proposalIn(made);
  if (!proposal) return made;
  if (!work.tool.plan) expectApproval(host, proposal.id);
  if (work.mode === "plan") return made;
  const decided = await reviewed(host, work, made, proposal);
  if (decided) return decided;
  return canAsk(host, work.call) ? await askAtClient(host, work, made, proposal) : made;
}

async function askAtClient(
  host: Services,
  work: Work,
  made: Outcome,
  { id, digest = "" }: PendingProposal,
): Promise<Outcome> {
  const label = labelOf({ id, digest });
  return await unlessApplied(
    host,
    work.call,
    label,
    async () => await askWaiting(host, work, made, { id, digest, label }),
  );
}

interface Asked {
  readonly id: string;
  readonly digest: string;
  readonly label: string;
}

async function askWaiting(host: Services, work: Work, made: Outcome, { id, digest, label }: Asked): Promise<Outcome> {
  const { call } = work;
  const { details } = await getProposal(host, call, label);
  const form = approvalForm(details, call.context?.client.version ?? "", host.config);
  const state: AskedState = { proposal: label };
  const read = (answer: unknown): Approval => readApproval(answer, form, details);
  const approval = await askForm(host, work, { form, about: { proposal: id, digest }, state, read });
  switch (approval.action) {
    case "wait":
      // Nothing can be looked up for a call that was cancelled, and what it made still stands.
      return call.signal.aborted ? made : await waitingOutcome(host, call, label);
    case "decline":
      return await waitingOutcome(host, call, label, { note: `${DECLINED}, so nothing was decided.` });
    case "reject":
      return await reject(host, call, id, approval.reason);
    case "apply": {
      const applied = await approveInOrder(host, label, { files: approval.files }, call);
      // The rules mean the whole call, which is not what a person allows who chose some of its files.
      if (approval.remember && approval.files === undefined)
        for (const rule of details.suggested_rules) grantOnRecord(host, rule, { remember: false });
      return appliedOutcome(applied);
    }
  }
}

async function reject(host: Services, call: Call, id: string, reason: string | undefined): Promise<never> {
  try {
    await inOrder(host, call, "look", async () => await rejectProposal(host, { id, reason }, call));
  } catch (thrown) {
    throw endingOf(thrown)?.outcome === "applied" ? tooLate(host, thrown) : thrown;
  }
  throw rejected("Cannot make the change", reason);
}

/** What a person rejected is done, and neither they nor the model may think otherwise. */
function tooLate({ config }: Services, thrown: unknown): Failure {
  const { transaction = "", files } = endingOf(thrown) ?? {};
  if (files === undefined)
    return new Failure("conflict", "Cannot reject the call: it was approved and made before the answer came", {
      hint: "What it did stands: an undo takes back changes of files alone.",
    });
  return new Failure("conflict", "Cannot reject the change: it was applied before the answer came", {
    hint: `\`${terminalCommand(["undo", transaction], config.stateDir)}\` takes it back.`,
    details: { transaction },
  });
}

/**
 * The proposal may have been applied meanwhile, from a terminal or by an earlier request with the same idempotency key. That
 * is what was wanted, and what is answered then.
 */
async function unlessApplied(host: Services, call: Call, label: string, ask: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await ask();
  } catch (thrown) {
    const { outcome, transaction, files } = endingOf(thrown) ?? {};
    if (outcome !== "applied") throw thrown;
    if (readForm(answerIn(call), { choices: [REJECT] }).action === "reject") throw tooLate(host, thrown);
    const { id } = parseLabel(label);
    const summary = host.proposed.get(id)?.view.summary;
    const said = summary === undefined ? "Applied." : `Applied: ${summary}.`;
    const text =
      files === undefined
        ? ((await host.proposed.made.get(id))?.text ?? `${said} It was approved elsewhere, where its answer is.`)
        : `${said} It was approved before.\nTransaction ${transaction}`;
    const structured = { status: "applied", transaction, files: [] };
    return {
      members: resultMembers({ text, structured }, host.config.results),
      stands: { status: "applied", transaction },
    };
  }
}

interface Ending {
  readonly outcome?: string;
  readonly transaction?: string;
  /** Absent for a call, which is no change. */
  readonly files?: unknown;
}

function endingOf(thrown: unknown): Ending | undefined {
  return thrown instanceof Failure ? thrown.data.details : undefined;
}

type Approval =
  | Exclude<Said, { readonly action: "accept" }>
  | { readonly action: "apply"; readonly remember: boolean; readonly files: readonly string[] | undefined };

/** Above it a list to choose from is of no use. */
const MAX_FILES = 50;
const REMEMBER = "apply_and_remember";

/** @param version of the protocol. @param config of the host */
function approvalForm(proposal: ProposalWithFiles, version: string, config: Config): PersonForm {
  const files = choosable(proposal);
  if (proposal.pages > 1) return { message: cutMessage(proposal, config), choices: [WAIT, REJECT], fields: {} };
  const roots = config.roots.map(({ path }) => path);
  const rules = proposal.suggested_rules.map((rule) => describeRule(rule, roots));
  return {
    message: proposal.text.trimEnd(),
    choices: [["apply", "Apply"], ...rememberChoice(REMEMBER, rules), REJECT],
    fields:
      files.length < 2 || !hasLists(version)
        ? {}
        : {
            files: {
              type: "array",
              title: "Files",
              description: "The files to change; the others stay as they are",
              minItems: 1,
              items: { type: "string", enum: files },
              default: files,
            },
          },
  };
}

/** @param answer an `ElicitResult`, unchecked; `undefined` when none came */
function readApproval(answer: unknown, form: PersonForm, proposal: ProposalWithFiles): Approval {
  const said = readForm(answer, form);
  if (said.action !== "accept") return said;
  if (said.decision === WAIT[0]) return { action: "wait" };
  const files = readFiles(said.content["files"], choosable(proposal));
  return files === "unreadable" ? { action: "wait" } : { action: "apply", remember: said.decision === REMEMBER, files };
}

/** `undefined` for all of them. An answer that does not fit the form must not be read as "all". */
function readFiles(files: unknown, known: readonly string[]): readonly string[] | undefined | "unreadable" {
  if (files === undefined) return undefined;
  if (!Array.isArray(files) || files.length === 0 || !files.every((one) => known.includes(one as string)))
    return "unreadable";
  return files.length === known.length ? undefined : (files as string[]);
}

function choosable({ files }: ProposalWithFiles): readonly string[] {
  const paths = [...new Set(files.map(({ path }) => path))];
  return paths.length > MAX_FILES ? [] : paths;
}

/** A dialog can show one page. The way to see the rest stands first, because some clients show no more than three lines. */
function cutMessage(proposal: ProposalWithFiles, { ask, stateDir }: Config): string {
  const { id, text, pages } = proposal;
  const command = (...words: string[]): string => `\`${terminalCommand(["proposals", ...words], stateDir)}\``;
  const applies =
    ask === "client"
      ? "the program that runs this host can apply it (ringfence/proposals/apply)"
      : `${command("apply", labelOf(proposal))} applies it`;
  return [
    `A form cannot show all of it: ${command("show", id, "--full")} does.`,
    text.trimEnd(),
    `This is page 1 of ${pages}, so it cannot be applied here: ${applies}.`,
  ].join("\n");
}
