/**
 * By effect: a read runs in a worker, a change is planned and sealed into a proposal or applied at once, a show is
 * handed to the desktop. A tool of a consumer's own program runs here, with a context whose every function is a job.
 */
import { Failure, limits } from "../base/index.ts";
import type { ActTool, AnyTool, ChangeTool, ReadTool, RunTool, Tool, ToolResult } from "../contract/index.ts";
import { isForeignTool, isLocalTool, resultMembers } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import { builtinTools } from "../tools/index.ts";
import { baselineOf, noteRead, withKnownHash } from "./baseline-facts.ts";
import type { Call, Work } from "./call.ts";
import { clientName } from "./client-name.ts";
import { changeOutcome } from "./change-outcome.ts";
import { carryOutForeign } from "./foreign-tools.ts";
import type { Services } from "./services.ts";
import { carryOutLocal } from "./local-tools.ts";
import { proposeCall } from "./propose-call.ts";
import { recordRun } from "./record.ts";
import { withUpstreams } from "./load-upstream-tools.ts";
import { ruledJob } from "./ruled-job.ts";
import { createRemoteContext, createRunContext, createShowContext } from "./remote-context.ts";
import { runOutcome } from "./run-outcome.ts";
import { withinDeadline } from "./within-deadline.ts";

export async function carryOut(host: Services, work: Work): Promise<Outcome> {
  const { tool } = work;
  if (isLocalTool(tool)) return await carryOutLocal(host, work, tool);
  if (isForeignTool(tool)) return await carryOutForeign(host, work, tool);
  switch (tool.effect) {
    case "read":
      return await runRead(host, work, tool);
    case "change":
      return await planChange(host, work, tool);
    case "run":
      return await runProgram(host, work, tool);
    case "reach":
    case "show":
      return await runAct(host, work, tool);
  }
}

const BUILTIN: ReadonlySet<AnyTool> = new Set(builtinTools);

async function runRead(host: Services, work: Work, tool: ReadTool): Promise<Outcome> {
  const { call, input } = work;
  const { job } = call;
  job?.begun?.(work);
  if (!job && !BUILTIN.has(tool))
    return own(
      host,
      await bounded(host, tool, call, tool.run(input as never, createRemoteContext(host, call, tool, work))),
    );
  const answer = await host.readPool.run({
    ...ruledJob(
      host,
      work,
      job?.name ?? `tool:${tool.name}`,
      job?.input ?? JSON.stringify(withKnownHash(host, input)),
    ),
    timeoutMs: timeoutOf(host, tool),
    long: tool.long ?? false,
    signal: call.signal,
    onProgress: call.onProgress && (({ done, total, what }) => call.onProgress?.(done, total, what)),
  });
  if (host.upstreams && tool.name === "system_info")
    return withUpstreams(host.upstreams, { members: answer.payload });
  return answer.facts === ""
    ? { members: answer.payload }
    : noteRead(host, answer, !job && isPlainRead(tool, input));
}

/** Its text is the file's own. */
function isPlainRead(tool: ReadTool, input: unknown): boolean {
  return tool.name === "read_file" && (input as { line_numbers?: unknown }).line_numbers !== true;
}

async function planChange(host: Services, work: Work, tool: ChangeTool): Promise<Outcome> {
  const { call, input, decision, facts, mode } = work;
  const context = createRemoteContext(host, call, tool, work);
  const set = await bounded(host, tool, call, tool.plan(input as never, context));
  // On record before it happens.
  host.audit.ensureWritten();
  const grants = host.policy.grants.rules().map(({ text }) => text);
  const answer = await host.changePool.run({
    name: "plan",
    input: JSON.stringify({
      tool: tool.name,
      set,
      decision,
      ruling: { tool: facts, mode, grants },
      asked: work.asked,
      parts: work.parts,
      baseline: baselineOf(host, work.paths),
      idempotencyKey: call.isDryRun ? undefined : idempotencyKeyOf(call),
      isDryRun: call.isDryRun,
      ...clientName(call),
    }),
    timeoutMs: timeoutOf(host, tool),
    signal: call.signal,
    onProgress: call.onProgress && (({ done, total, what }) => call.onProgress?.(done, total, what)),
  });
  return changeOutcome(host, work, answer);
}

/** Of the call, so that one that is sent again is answered as the first was. @throws Failure `invalid_input` */
function idempotencyKeyOf({ meta }: Call): string | undefined {
  const key = meta["dev.ringfence/idempotencyKey"];
  if (key === undefined || (typeof key === "string" && key !== "" && key.length <= MAX_KEY)) return key;
  throw new Failure(
    "invalid_input",
    `Cannot make the change: _meta["dev.ringfence/idempotencyKey"] must be a string of 1 to ${MAX_KEY} characters`,
  );
}

const MAX_KEY = 256;

async function runProgram(host: Services, work: Work, tool: RunTool): Promise<Outcome> {
  const { call, input, decision, record } = work;
  if (decision.type === "ask") return await proposeCall(host, work, tool);
  recordRun(host, { call: record.id, request: call.request }, tool, input);
  const ctx = createRunContext(host, call, tool, work, {
    budgetMs: host.policy.budget.timeoutMs(Infinity),
    // Any other line has the risk of a program at least.
    onlyReads: decision.risk === "R0" || decision.risk === "R1",
  });
  // The launcher ends what runs when the call is cancelled, and answers with what there was.
  return runOutcome(host, await tool.run(input as never, ctx));
}

async function runAct(host: Services, work: Work, tool: ActTool): Promise<Outcome> {
  const { call, input } = work;
  const ctx = createShowContext(host, call, tool, work);
  return own(host, await bounded(host, tool, call, tool.run(input as never, ctx)));
}

async function bounded<T>(host: Services, tool: Tool, call: Call, work: T | Promise<T>): Promise<T> {
  return await withinDeadline(work, {
    timeoutMs: timeoutOf(host, tool),
    signal: call.signal,
    clock: host.clock,
  });
}

function timeoutOf(host: Services, tool: Tool): number {
  return host.policy.budget.timeoutMs(tool.timeoutMs ?? limits.DEFAULT_CALL_MS);
}

function own(host: Services, result: ToolResult): Outcome {
  return { members: resultMembers(result, host.config.results) };
}
