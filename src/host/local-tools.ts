/**
 * A consumer's own tools of the plain kind. One that changes something is asked for a plan on a normal call; its
 * `execute` runs only when the proposal is applied, with the input that was stored.
 */
import type * as z from "zod";
import type { CallFacts } from "../approval/index.ts";
import { Failure, limits, toAbortSignal, type StopSignal } from "../base/index.ts";
import type { AnyLocalTool, LocalProposal, LocalTool, LocalToolContext, RunTool } from "../contract/index.ts";
import { isForeignTool, isLocalTool, resultMembers } from "../contract/index.ts";
import { InputRequired, type Outcome } from "../mcp/index.ts";
import { terminalCommand } from "../text/index.ts";
import type { TakenCall } from "./bridge.ts";
import { bridgedState } from "./bridge-call.ts";
import type { Call, CallPolicy, Caller, Work } from "./call.ts";
import { clientName } from "./client-name.ts";
import { changeOutcome } from "./change-outcome.ts";
import { runStoredForeign } from "./foreign-tools.ts";
import { grantCommand } from "./grant-command.ts";
import type { Services } from "./services.ts";
import { recordRun } from "./record.ts";
import { createRunContext, readSecret, resolvePath } from "./remote-context.ts";
import { runOutcome } from "./run-outcome.ts";
import { toolFacts } from "./tool-facts.ts";
import { withinDeadline } from "./within-deadline.ts";

export async function carryOutLocal(host: Services, work: Work, { tool }: AnyLocalTool): Promise<Outcome> {
  const { call, input, decision } = work;
  const ctx = createLocalToolContext(host, tool, call.signal, work);
  const within = { signal: call.signal, clock: host.clock };
  if (!tool.mutates || decision.type === "allow") {
    // On record before it happens.
    if (tool.mutates) host.audit.ensureWritten();
    return executed(
      host,
      await withinDeadline(Promise.resolve(tool.execute(input as never, ctx)), {
        ...within,
        timeoutMs: limits.LONG_CALL_MS,
      }),
    );
  }
  const proposal: LocalProposal = tool.plan
    ? await withinDeadline(tool.plan(input as never, ctx), { ...within, timeoutMs: limits.DEFAULT_CALL_MS })
    : { summary: `Run ${tool.name} with ${JSON.stringify(input).slice(0, 200)}`, paths: [] };
  const answer = await host.changePool.run({
    name: "propose_local",
    input: JSON.stringify({
      tool: tool.name,
      input,
      decision,
      facts: { kind: "own" },
      says: proposal,
      ...clientName(call),
    }),
    timeoutMs: limits.DEFAULT_CALL_MS,
    signal: call.signal,
  });
  return changeOutcome(host, work, answer);
}

export interface Executed {
  readonly result: unknown;
  /** The same as the result of a tool, in JSON text. */
  readonly members: string;
}

interface LocalApplied {
  readonly applied: {
    readonly id: string;
    readonly status: "applied";
    readonly transaction: string;
    readonly result: unknown;
  };
  readonly members: string;
}

export interface ApprovedCall {
  readonly id: string;
  /** Of what was shown. */
  readonly digest: string;
  /** What it would carry out now; absent when it has begun. */
  readonly facts: CallFacts | undefined;
}

/** Whether this brings the answer of the client that is carrying it out. */
export function isTakenBack(id: string, { context }: Caller): boolean {
  return bridgedState(context)?.taken === id;
}

/**
 * Applies the proposal of a local tool, of one that starts a program or is carried out elsewhere; `undefined` when
 * it is neither.
 * @param onRun a program is about to be started, which may take long
 * @throws Failure `stale`, or what the tool threw
 */
export async function applyLocal(
  host: Services,
  { id, digest, facts }: ApprovedCall,
  by: Caller,
  onRun?: () => void,
): Promise<LocalApplied | undefined> {
  const job = async (name: string, input: object): Promise<unknown> => {
    const answer = await host.changePool.run({
      name,
      input: JSON.stringify(input),
      timeoutMs: limits.DEFAULT_CALL_MS,
    });
    return JSON.parse(answer.payload) as unknown;
  };
  const resumed = isTakenBack(id, by) ? host.bridge.resume(id) : undefined;
  const isOwn = host.proposed.has(id);
  const taken =
    resumed ?? ((await job("take_local", { id, digest, isOwn, facts })) as Omit<TakenCall, "id"> | null);
  if (!taken) return undefined;
  let ok = false;
  try {
    const { result, members } = await executeStored(host, { id, ...taken }, by, onRun);
    ok = true;
    const { transaction } = (await job("finish_local", { id, ok })) as { transaction: string };
    return { applied: { id, status: "applied", transaction, result }, members };
  } catch (thrown) {
    // It goes on when the client sends its answer; until then nobody else can apply it.
    if (thrown instanceof InputRequired) throw host.bridge.pause({ id, ...taken }, thrown);
    if (!ok) await job("finish_local", { id, ok });
    throw thrown;
  }
}

async function executeStored(
  host: Services,
  taken: TakenCall,
  by: Caller,
  onRun: (() => void) | undefined,
): Promise<Executed> {
  const { signal } = by;
  const found = (await host.registry()).get(taken.tool);
  if (found && !isLocalTool(found) && (isForeignTool(found) || found.effect === "run")) {
    // It saw what was applied before it; what comes later need not wait for its end.
    onRun?.();
    return isForeignTool(found)
      ? await runStoredForeign(host, found, taken, by)
      : await runStored(host, found, taken, by);
  }
  if (!found || !isLocalTool(found)) throw notHere(host, taken);
  const input: unknown = (found.tool.input as z.ZodType).parse(taken.input);
  const under = { facts: toolFacts(found), mode: host.config.mode };
  const ctx = createLocalToolContext(host, found.tool, signal, under);
  const result: unknown = await withinDeadline(Promise.resolve(found.tool.execute(input as never, ctx)), {
    timeoutMs: limits.LONG_CALL_MS,
    signal,
    clock: host.clock,
  });
  return { result, members: executed(host, result).members };
}

/** It goes on waiting. */
function notHere({ config: { stateDir } }: Services, { id, tool, roots }: TakenCall): Failure {
  const isForeign = /^(?:mcp|client)_/.test(tool);
  const reject = terminalCommand(["proposals", "reject", id], stateDir);
  return new Failure(
    "unsupported",
    `Cannot apply the proposal "${id}": it is a call of "${tool}", which is not here`,
    {
      hint: [
        "Only a host that has this tool can make the call: apply it in the client of the host that proposed it, while that runs.",
        ...(isForeign
          ? [`Or allow the tool, for the next call of it: \`${grantCommand({ roots, stateDir }, tool)}\`.`]
          : []),
        `\`${reject}\` ends it.`,
      ].join(" "),
    },
  );
}

/** A person has said yes to exactly this. */
async function runStored(
  host: Services,
  tool: RunTool,
  { id, input: stored }: TakenCall,
  by: Caller,
): Promise<Executed> {
  const input: unknown = tool.input.parse(stored);
  const { signal, onProgress } = by;
  const call: Call = { name: tool.name, arguments: input, meta: {}, signal, onProgress };
  recordRun(host, { proposal: id }, tool, input);
  const under = { facts: toolFacts(tool), mode: host.config.mode };
  const answer = await tool.run(input as never, createRunContext(host, call, tool, under));
  const { text, note, structured } = answer;
  const { members } = runOutcome(host, answer);
  return { result: { text: note ? `${text}\n${note}` : text, ...structured }, members };
}

function createLocalToolContext(
  host: Services,
  tool: LocalTool,
  signal: StopSignal,
  under: CallPolicy,
): LocalToolContext {
  return {
    roots: host.config.roots.map(({ path }) => path),
    resolvePath: async (path) => await resolvePath(host, path, signal, under),
    secret: (name) => readSecret(tool, name),
    signal: toAbortSignal(signal),
  };
}

function executed(host: Services, value: unknown): Outcome {
  const text =
    typeof value === "string" ? value : value === undefined ? "Done." : JSON.stringify(value, null, 2);
  const structured =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : { result: value ?? null };
  return { members: resultMembers({ text, structured }, host.config.results) };
}
