/**
 * A consumer's own tools of the plain kind. One that changes something is asked for a plan on a normal call; its
 * `execute` runs only when the proposal is applied, with the input that was stored.
 */
import { limits, toAbortSignal, type StopSignal } from "../../base/index.ts";
import {
  resultMembers,
  type AnyLocalTool,
  type LocalProposal,
  type LocalTool,
  type LocalToolContext,
} from "../../contract/index.ts";
import type { Outcome } from "../../mcp/index.ts";
import { toolFacts } from "../../session/index.ts";
import type { CallPolicy, Caller, Executed, Work } from "../call.ts";
import type { Services } from "../services.ts";
import { readSecret, resolvePath } from "./context.ts";
import { withinDeadline } from "./deadline.ts";
import type * as z from "zod";

export async function executeLocal(host: Services, work: Work, { tool }: AnyLocalTool): Promise<Outcome> {
  // The start of a change is on record before it happens.
  if (tool.mutates) host.audit.ensureWritten();
  return { members: membersOf(host, await run(host, tool, work.input, work.call.signal, work)) };
}

/** What a proposal of the call says about it. */
export async function planLocal(host: Services, work: Work, { tool }: AnyLocalTool): Promise<LocalProposal> {
  const { call, input } = work;
  if (!tool.plan) return { summary: `Run ${tool.name} with ${JSON.stringify(input).slice(0, 200)}`, paths: [] };
  const ctx = createLocalToolContext(host, tool, call.signal, work);
  return await withinDeadline(tool.plan(input as never, ctx), {
    signal: call.signal,
    clock: host.clock,
    timeoutMs: limits.DEFAULT_CALL_MS,
  });
}

/** A person has said yes to exactly this input. @throws what the tool throws */
export async function runStoredLocal(
  host: Services,
  local: AnyLocalTool,
  stored: unknown,
  { signal }: Caller,
): Promise<Executed> {
  const input: unknown = (local.tool.input as z.ZodType).parse(stored);
  const under = { facts: toolFacts(local), mode: host.config.mode };
  const result = await run(host, local.tool, input, signal, under);
  return { result, members: membersOf(host, result) };
}

async function run(
  host: Services,
  tool: LocalTool,
  input: unknown,
  signal: StopSignal,
  under: CallPolicy,
): Promise<unknown> {
  const ctx = createLocalToolContext(host, tool, signal, under);
  return await withinDeadline(Promise.resolve(tool.execute(input as never, ctx)), {
    timeoutMs: limits.LONG_CALL_MS,
    signal,
    clock: host.clock,
  });
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

function membersOf(host: Services, value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined ? "Done." : JSON.stringify(value, null, 2);
  const structured =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : { result: value ?? null };
  return resultMembers({ text, structured }, host.config.results);
}
