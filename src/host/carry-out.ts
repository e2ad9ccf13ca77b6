/**
 * By effect: a read runs in a worker, a change is planned and sealed into a proposal or applied at once, a show is
 * handed to the desktop. A tool of a consumer's own program runs here, with a context whose every function is a job.
 */
import { Failure, limits } from "../base/index.ts";
import type { ActTool, AnyTool, ChangeTool, ReadTool, RunTool, Tool, ToolResult } from "../contract/index.ts";
import { resultMembers } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { Decision } from "../policy/index.ts";
import { builtinTools } from "../tools/index.ts";
import type { Call } from "./call.ts";
import { changeOutcome } from "./change-outcome.ts";
import type { Host } from "./host.ts";
import { carryOutLocal } from "./local-tools.ts";
import { proposeRun } from "./propose-run.ts";
import { recordRun } from "./record.ts";
import { createRemoteContext, createRunContext, createShowContext } from "./remote-context.ts";
import { withinDeadline } from "./within-deadline.ts";

export interface Work {
  readonly call: Call;
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly decision: Decision;
}

export async function carryOut(host: Host, work: Work): Promise<Outcome> {
  const { tool } = work;
  if ("kind" in tool) return await carryOutLocal(host, work, tool);
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

async function runRead(host: Host, { call, input }: Work, tool: ReadTool): Promise<Outcome> {
  if (!BUILTIN.has(tool))
    return own(
      host,
      await bounded(tool, call, tool.run(input as never, createRemoteContext(host, call, tool))),
    );
  const answer = await host.readPool.run({
    name: `tool:${tool.name}`,
    input: JSON.stringify(input),
    timeoutMs: tool.timeoutMs ?? limits.DEFAULT_CALL_MS,
    long: tool.long ?? false,
    signal: call.signal,
    onProgress: call.onProgress && (({ done, total, what }) => call.onProgress?.(done, total, what)),
  });
  return { members: answer.payload };
}

async function planChange(host: Host, { call, input, decision }: Work, tool: ChangeTool): Promise<Outcome> {
  const set = await bounded(tool, call, tool.plan(input as never, createRemoteContext(host, call, tool)));
  // On record before it happens.
  host.audit.ensureWritten();
  const answer = await host.changePool.run({
    name: "plan",
    input: JSON.stringify({
      tool: tool.name,
      set,
      risk: decision.risk,
      apply: decision.type === "allow",
      ordinaryOnly: decision.rule === "accept_edits",
      idempotencyKey: idempotencyKeyOf(call),
    }),
    timeoutMs: tool.timeoutMs ?? limits.DEFAULT_CALL_MS,
    signal: call.signal,
    onProgress: call.onProgress && (({ done, total, what }) => call.onProgress?.(done, total, what)),
  });
  return changeOutcome(host, call, answer);
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

async function runProgram(host: Host, work: Work, tool: RunTool): Promise<Outcome> {
  const { call, input, decision } = work;
  if (decision.type === "ask") return await proposeRun(host, work, tool);
  recordRun(host, call, tool, input);
  const ctx = createRunContext(host, call, tool);
  // The launcher ends what runs when the call is cancelled, and answers with what there was.
  return own(host, await tool.run(input as never, ctx));
}

async function runAct(host: Host, { call, input }: Work, tool: ActTool): Promise<Outcome> {
  return own(host, await bounded(tool, call, tool.run(input as never, createShowContext(host, call, tool))));
}

async function bounded<T>(tool: Tool, call: Call, work: T | Promise<T>): Promise<T> {
  return await withinDeadline(work, tool.timeoutMs ?? limits.DEFAULT_CALL_MS, call.signal);
}

function own(host: Host, result: ToolResult): Outcome {
  return { members: resultMembers(result, host.config.results) };
}
