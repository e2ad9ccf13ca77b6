/**
 * A proposal is applied: its change by the change worker, its stored call by this host, if it is still what was shown. What
 * is applied is on record before it happens.
 */
import type {
  AppliedProposal,
  PassedProposal,
  ProposalParts,
  RejectedProposal,
  ReviewWords,
} from "../../calls/index.ts";
import { Failure, isObject, reportBug, toFailure } from "../../base/index.ts";
import type { TakenCall } from "../../jobs/index.ts";
import { InputRequired, STATE_TTL_MS, type Outcome } from "../../mcp/index.ts";
import { EFFECTS } from "../../policy/index.ts";
import { ResultText } from "../../pool/index.ts";
import { terminalCommand } from "../../text/index.ts";
import type { Caller, Executed } from "../call.ts";
import { bridgedState, type BridgedState } from "../execute/bridge-call.ts";
import { executeStored } from "../execute/execute.ts";
import { grantCommand } from "../grant.ts";
import { inOrder } from "../in-order.ts";
import { asMethod, changeJob } from "../jobs.ts";
import type { Services } from "../services.ts";
import { factsToApply, namedApproval, type NamedApproval } from "./preview.ts";

interface Rejection extends ReviewWords {
  readonly id: string;
  /** The reason is on record, and told to whoever asks for the proposal. */
  readonly reason?: string | undefined;
}

export async function rejectProposal(
  host: Services,
  { id, reason, comments }: Rejection,
  caller: Caller,
): Promise<RejectedProposal> {
  refusePaused(host, id);
  const known = host.proposed.get(id);
  const rejected = await changeJob(host, "reject", { id, reason, comments, known }, asMethod(caller));
  host.audit.record("rejected", { proposal: id, reason, comments: comments?.length });
  return rejected;
}

/** The host that waits for the call makes it, and its record has it. @throws Failure `needs_approval` for an id alone */
export async function passApproval(host: Services, given: string, caller: Caller): Promise<PassedProposal> {
  const { id, digest } = await namedApproval(host, given, caller);
  host.audit.record("approved", { proposal: id, digest });
  host.audit.ensureWritten();
  return await changeJob(host, "pass_approval", { id, digest }, asMethod(caller));
}

/** For the call that proposed it, whose person approved it. */
export async function approveInOrder(
  host: Services,
  named: string,
  parts: ProposalParts,
  caller: Caller,
): Promise<Applied> {
  return await inOrder(
    host,
    caller,
    "change",
    async (leave) => await applyProposal(host, named, { parts, caller, job: "approve", onRun: leave }),
  );
}

/** What the call that proposed it is answered with. */
export function appliedOutcome({ value, members }: Applied): Outcome {
  const { transaction, result } = value;
  if (!("result" in value)) return { members, stands: { status: "applied", transaction } };
  // A call has an id as a change has, and cannot be undone by it. Who carried it out may say that it failed.
  const hasFailed = isObject(result) && result["is_error"] === true;
  return hasFailed ? { members } : { members, stands: { status: "applied" } };
}

/** A call that goes on by itself once it is approved is over as a proposal. @throws Failure when it is not what was shown */
export async function takeApproved(host: Services, label: string, caller: Caller): Promise<void> {
  const { id, digest } = await namedApproval(host, label, caller);
  const facts = await factsToApply(host, id, caller);
  await changeJob(host, "apply", { id, digest, isOwn: true, facts }, asMethod(caller));
  await changeJob(host, "finish", { id, ok: true });
}

export interface Applied {
  readonly value: AppliedProposal;
  /** The answer as the result of a tool, in JSON text. */
  readonly members: string;
}

interface Approval {
  readonly parts: ProposalParts;
  readonly caller: Caller;
  readonly job?: "apply" | "approve";
  /** A program is about to be started, which may take long. */
  readonly onRun?: () => void;
}

/** @param given `ID@DIGEST`, or `ID` of what this process has proposed */
export async function applyProposal(host: Services, given: string, approval: Approval): Promise<Applied> {
  const { parts, caller } = approval;
  const named = await namedApproval(host, given, caller);
  const { id, digest } = named;
  const { comments, ...chosen } = parts;
  host.audit.record("approved", { proposal: id, digest, ...chosen, comments: comments?.length });
  host.audit.ensureWritten();
  host.openCalls.begin(named, () => ({ proposal: id }));
  try {
    // Its schema is code of whoever made the tool, and reads the arguments anew.
    await host.onWork();
    const applied = await resume(host, named, approval);
    if (host.openCalls.end(named))
      host.audit.record("applied", { proposal: id, transaction: applied.value.transaction });
    return applied;
  } catch (thrown) {
    if (host.openCalls.end(named) && !(thrown instanceof InputRequired))
      host.audit.record("failed", { proposal: id, code: toFailure(thrown, () => "bug").code });
    throw thrown;
  }
}

/**
 * The change worker applies a change, and gives a call back to be carried out here. @throws Failure `stale`, or what
 * the tool threw
 */
async function resume(host: Services, { id, digest }: NamedApproval, approval: Approval): Promise<Applied> {
  const { parts, caller, job = "apply" } = approval;
  const isResumed = bridgedState(caller.context)?.taken === id;
  const paused = isResumed ? host.bridge.resume(id) : undefined;
  if (paused) return await makeCall(host, paused, approval);
  refusePaused(host, id);
  const facts = isResumed ? undefined : await factsToApply(host, id, caller);
  // A call that was taken has to be finished, so to take it is not cancelled.
  const how = facts ? {} : asMethod(caller);
  const known = host.proposed.get(id);
  const input = { id, digest, isOwn: known !== undefined, facts, told: known?.told, ...parts };
  const taken = await changeJob(host, job, input, how);
  if (!(taken instanceof ResultText)) return await makeCall(host, taken, approval);
  const { text: members, facts: value } = taken;
  if (!value) throw new Error("an applied change without facts");
  // What it writes is known since it was proposed. What it moves or takes away is known elsewhere now, or not any more.
  const moved = (value.files ?? []).flatMap(({ absolute, hash, ...file }) =>
    hash === undefined ? [{ ...file, path: absolute }] : [],
  );
  host.policy.baselines.noteChange(moved, true);
  return { value, members };
}

async function makeCall(host: Services, taken: TakenCall, { caller, onRun }: Approval): Promise<Applied> {
  const { id } = taken;
  let ok = false;
  try {
    const { result, members } = await runStored(host, taken, caller, onRun);
    ok = true;
    const { transaction } = await changeJob(host, "finish", { id, ok });
    return { value: { id, status: "applied", transaction, result }, members };
  } catch (thrown) {
    if (thrown instanceof InputRequired) throw await pauseCall(host, taken, thrown);
    if (!ok) await changeJob(host, "finish", { id, ok });
    throw thrown;
  }
}

/** The call goes on when the client sends its answer, and is given back when that can come no more. @returns what ends the request */
async function pauseCall(host: Services, taken: TakenCall, { requests, meta }: InputRequired): Promise<InputRequired> {
  const tooMany = host.bridge.pause(taken);
  if (tooMany) await changeJob(host, "finish", { id: tooMany.id, ok: false });
  const giveUp = async (): Promise<void> => {
    try {
      if (host.bridge.giveUp(taken)) await changeJob(host, "finish", { id: taken.id, ok: false });
    } catch (thrown) {
      // A host that ends has no worker any more.
      if (!(thrown instanceof Failure && thrown.code === "cancelled")) reportBug(thrown);
    }
  };
  host.clock.after(STATE_TTL_MS, () => void giveUp()).unref();
  return new InputRequired(requests, { bridge: true, taken: taken.id } satisfies BridgedState, meta);
}

/**
 * The client may be making the call: it cannot be called back, and whoever told it again could have it made twice.
 * @throws Failure `conflict`
 */
function refusePaused({ bridge }: Services, id: string): void {
  if (!bridge.isPaused(id)) return;
  const why = "its client was told to make the call, and has not answered yet";
  throw new Failure("conflict", `Cannot decide about the proposal "${id}": ${why}`, {
    hint: `Wait for its answer. If none comes within ${STATE_TTL_MS / 60_000} minutes, the proposal waits for a decision again.`,
    retry: "later",
  });
}

/** @param onRun what is started may take long */
async function runStored(
  host: Services,
  taken: TakenCall,
  by: Caller,
  onRun: (() => void) | undefined,
): Promise<Executed> {
  const tool = (await host.registry()).get(taken.tool);
  if (!tool?.run) throw notHere(host, taken);
  // A call that holds up no others saw what was applied before it, and what comes later need not wait for its end.
  if (tool.owner || EFFECTS[tool.effect].order !== "targets") onRun?.();
  return await executeStored(host, tool, taken, by);
}

/** The failure of a call that another process has to carry out; it goes on waiting. */
function notHere({ config: { stateDir } }: Services, { id, tool, roots }: TakenCall): Failure {
  const isRemote = /^(?:mcp|client)_/.test(tool);
  const approve = terminalCommand(["proposals", "apply", id], stateDir);
  const reject = terminalCommand(["proposals", "reject", id], stateDir);
  return new Failure("unsupported", `Cannot apply the proposal "${id}": it is a call of "${tool}", which is not here`, {
    hint: [
      `Only a host that has this tool can make the call: \`${approve}\` lets the host that proposed it make it, while that runs.`,
      ...(isRemote
        ? [`Or allow the tool, for the next call of it: \`${grantCommand({ roots, stateDir }, tool)}\`.`]
        : []),
      `\`${reject}\` ends it.`,
    ].join(" "),
  });
}
