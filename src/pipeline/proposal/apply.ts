/**
 * A proposal is applied: its change by the change worker, its stored call by this host, if it is still what was shown. What
 * is applied is on record before it happens.
 */
import type { AppliedProposal, RejectedProposal } from "../../calls/index.ts";
import { Failure, toFailure } from "../../base/index.ts";
import { isRemoteTool, isLocalTool } from "../../contract/index.ts";
import { InputRequired } from "../../mcp/index.ts";
import type { TakenCall } from "../../session/index.ts";
import { terminalCommand } from "../../text/index.ts";
import type { Caller, Executed } from "../call.ts";
import { bridgedState } from "../execute/bridge-call.ts";
import { runStoredProgram } from "../execute/execute.ts";
import { runStoredLocal } from "../execute/local.ts";
import { runStoredRemote } from "../execute/remote.ts";
import { grantCommand } from "../grant.ts";
import { inOrder } from "../in-order.ts";
import { asMethod, changeJob } from "../jobs.ts";
import type { Services } from "../services.ts";
import { callToApply, namedApproval, type NamedApproval } from "./preview.ts";

/** What is taken of a proposal; all of it when neither is given. */
export interface Parts {
  readonly files: readonly string[] | undefined;
  /** By file: 1-based numbers of the hunks of its diff. */
  readonly hunks: Readonly<Record<string, readonly number[]>> | undefined;
}

/** @param reason is on record, and told to whoever asks for the proposal */
export async function rejectProposal(
  host: Services,
  { id, reason }: { readonly id: string; readonly reason?: string | undefined },
  caller: Caller,
): Promise<RejectedProposal> {
  host.audit.record("rejected", { proposal: id, reason });
  const known = host.proposed.get(id);
  return await changeJob(host, "reject", { id, reason, known }, asMethod(caller));
}

/** For the call that proposed it, whose person approved it. */
export async function approveInOrder(host: Services, named: string, parts: Parts, caller: Caller): Promise<Applied> {
  return await inOrder(
    host,
    caller,
    "change",
    async (leave) => await applyProposal(host, named, { parts, caller, job: "approve", onRun: leave }),
  );
}

export interface Applied {
  readonly value: AppliedProposal;
  /** The answer as the result of a tool, in JSON text. */
  readonly members: string;
}

interface Approval {
  readonly parts: Parts;
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
  host.audit.record("approved", { proposal: id, digest, ...parts });
  host.audit.ensureWritten();
  host.openCalls.begin(named, () => ({ proposal: id }));
  try {
    const applied = (await applyCall(host, named, approval)) ?? (await applyChange(host, named, approval));
    if (host.openCalls.end(named))
      host.audit.record("applied", { proposal: id, transaction: applied.value.transaction });
    return applied;
  } catch (thrown) {
    if (host.openCalls.end(named) && !(thrown instanceof InputRequired))
      host.audit.record("failed", { proposal: id, code: toFailure(thrown, () => "bug").code });
    throw thrown;
  }
}

async function applyChange(
  host: Services,
  { id, digest }: NamedApproval,
  { parts, caller, job = "apply" }: Approval,
): Promise<Applied> {
  const input = { id, digest, isOwn: host.proposed.has(id), ...parts };
  const { text, facts: value } = await changeJob(host, job, input, asMethod(caller));
  if (!value) throw new Error("an applied change without facts");
  return { value, members: text };
}

/** `undefined` for a change. @throws Failure `stale`, or what the tool threw */
async function applyCall(
  host: Services,
  { id, digest }: NamedApproval,
  { caller, onRun }: Approval,
): Promise<Applied | undefined> {
  const isResumed = bridgedState(caller.context)?.taken === id;
  const call = isResumed ? undefined : await callToApply(host, id, caller);
  if (!call && !isResumed) return undefined;
  const taken =
    (isResumed ? host.bridge.resume(id) : undefined) ??
    (await changeJob(host, "take_call", {
      id,
      digest,
      isOwn: host.proposed.has(id),
      facts: call?.facts,
    }));
  if (!taken) return undefined;
  let ok = false;
  try {
    const { result, members } = await runStored(host, { id, ...taken }, caller, onRun);
    ok = true;
    const { transaction } = await changeJob(host, "finish_call", { id, ok });
    return { value: { id, status: "applied", transaction, result }, members };
  } catch (thrown) {
    // It goes on when the client sends its answer; until then nobody else can apply it.
    if (thrown instanceof InputRequired) throw host.bridge.pause({ id, ...taken }, thrown);
    if (!ok) await changeJob(host, "finish_call", { id, ok });
    throw thrown;
  }
}

/** @param onRun what is started may take long */
async function runStored(
  host: Services,
  taken: TakenCall,
  by: Caller,
  onRun: (() => void) | undefined,
): Promise<Executed> {
  const tool = (await host.registry()).get(taken.tool);
  if (tool && isLocalTool(tool)) return await runStoredLocal(host, tool, taken.input, by);
  if (!tool || (!isRemoteTool(tool) && tool.effect !== "run")) throw notHere(host, taken);
  // It saw what was applied before it; what comes later need not wait for its end.
  onRun?.();
  return isRemoteTool(tool)
    ? await runStoredRemote(host, tool, taken, by)
    : await runStoredProgram(host, tool, taken, by);
}

/** The failure of a call that another process has to carry out; it goes on waiting. */
function notHere({ config: { stateDir } }: Services, { id, tool, roots }: TakenCall): Failure {
  const isRemote = /^(?:mcp|client)_/.test(tool);
  const reject = terminalCommand(["proposals", "reject", id], stateDir);
  return new Failure("unsupported", `Cannot apply the proposal "${id}": it is a call of "${tool}", which is not here`, {
    hint: [
      "Only a host that has this tool can make the call: apply it in the client of the host that proposed it, while that runs.",
      ...(isRemote
        ? [`Or allow the tool, for the next call of it: \`${grantCommand({ roots, stateDir }, tool)}\`.`]
        : []),
      `\`${reject}\` ends it.`,
    ].join(" "),
  });
}
