/**
 * By effect: a read runs in a worker, a change is planned and sealed into a proposal or applied at once, a show is
 * handed to the desktop. A tool of a consumer's own program runs here, with a context whose every function is a job.
 */
import {
  isRemoteTool,
  isLocalTool,
  resultMembers,
  type ActTool,
  type AnyTool,
  type ReadTool,
  type RunTool,
  type ToolResult,
} from "../../contract/index.ts";
import type { Outcome } from "../../mcp/index.ts";
import { toolFacts, type TakenCall } from "../../session/index.ts";
import { builtinTools } from "../../packs/index.ts";
import { runOutcome } from "../answer/spill.ts";
import type { Call, Caller, Executed, Work } from "../call.ts";
import { readJob } from "../jobs.ts";
import { recordRun } from "../record.ts";
import type { Services } from "../services.ts";
import { noteRead, withKnownHash } from "./baseline.ts";
import { createRemoteContext, createRunContext, createShowContext } from "./context.ts";
import { bounded, timeoutOf } from "./deadline.ts";
import { executeLocal } from "./local.ts";
import { executeRemote, withUpstreams } from "./remote.ts";

/** @param work of no built-in change, which is planned */
export async function execute(host: Services, work: Work): Promise<Outcome> {
  const { tool } = work;
  if (isLocalTool(tool)) return await executeLocal(host, work, tool);
  if (isRemoteTool(tool)) return await executeRemote(host, work, tool);
  switch (tool.effect) {
    case "read":
      return await runRead(host, work, tool);
    case "run":
      return await runProgram(host, work, tool);
    case "reach":
    case "show":
      return await runAct(host, work, tool);
    case "change":
      throw new Error(`${tool.name} is planned, not executed`);
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
  const { signal, onProgress } = call;
  const long = tool.long ?? false;
  const how = { under: work, timeoutMs: timeoutOf(host, tool), long, signal, onProgress };
  if (job?.name === "watch") return { members: JSON.stringify(await readJob(host, job.name, job.input, how)) };
  if (job) return noteRead(host, await readJob(host, job.name, job.input, how), false);
  const answer = await readJob(host, `tool:${tool.name}`, withKnownHash(host, input), how);
  if (host.upstreams && tool.tellsParts) return withUpstreams(host.upstreams, { members: answer.text });
  return noteRead(host, answer, tool.isFileText?.(input as never) ?? false);
}

async function runProgram(host: Services, work: Work, tool: RunTool): Promise<Outcome> {
  const { call, input, decision, record } = work;
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

function own(host: Services, result: ToolResult): Outcome {
  return { members: resultMembers(result, host.config.results) };
}

/** A person has said yes to exactly this. */
export async function runStoredProgram(
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
