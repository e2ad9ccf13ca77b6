/**
 * What the configuration wants to happen at the calls of some tools: a person is asked whatever the rules say, a line on
 * stderr, silence in the events, or programs around the call. One program may make the decision stricter before the call, one
 * is told how it ended. JSON in, `{"decision": "allow" | "ask" | "deny", "reason": "..."}` out, within a time limit. Whatever
 * goes wrong means ask: a program that cannot answer has allowed nothing.
 */
import { Failure, limits, logLine, type StopSignal } from "../../base/index.ts";
import type { HookText } from "../../config/index.ts";
import type { Outcome } from "../../mcp/index.ts";
import {
  matchesTool,
  namesOf,
  pathsOf,
  withoutSuggestion,
  type Decision,
  type Mode,
  type ToolFacts,
} from "../../policy/index.ts";
import { runHookHere } from "../../proc/index.ts";
import type { ReadCall, Assessed, Call } from "../call.ts";
import type { Services } from "../services.ts";

/** @param tools the tool that is called, and those whose changes it makes */
export function hooksOf(host: Services, tools: readonly ToolFacts[]): readonly HookText[] {
  const { hooks } = host.config;
  return hooks.length === 0 ? hooks : hooks.filter((hook) => tools.some((tool) => matchesTool(hook.tool, tool)));
}

export function confirmByHook(host: Services, tools: readonly ToolFacts[], mode: Mode, decision: Decision): Decision {
  const hook = hooksOf(host, tools).find(({ action }) => action === "confirm");
  if (!hook || decision.type === "deny" || mode === "bypass") return decision;
  // No rule would keep the hook from asking the next time.
  const rest = withoutSuggestion(decision);
  if (decision.type === "ask") return rest;
  return { ...rest, type: "ask", reason: "a hook asks about every call", source: "hooks", rule: hook.tool };
}

export function logByHook(host: Services, { facts: tool, parts = [], decision }: Logged): void {
  if (hooksOf(host, [tool, ...parts]).some(({ action }) => action === "log"))
    logLine(`${tool.name}: ${decision.type} (${decision.source}:${decision.rule}, ${decision.risk})`);
}

interface Logged {
  readonly facts: ToolFacts;
  readonly parts?: readonly ToolFacts[] | undefined;
  readonly decision: Decision;
}

export function isSilent(host: Services, tool: ToolFacts): boolean {
  return hooksOf(host, [tool]).some(({ action }) => action === "silent");
}

const DEFAULT_TIMEOUT_MS = 5000;
/** What is stricter has the higher number. */
export const STRICTNESS: Readonly<Record<Decision["type"], number>> = { allow: 0, ask: 1, deny: 2 };

/** What is said of how a call ended. */
export type HookEnding =
  | { readonly status: "completed"; readonly ms: number; readonly bytes: number }
  | { readonly status: "failed"; readonly ms: number; readonly code: string };

/** The hooks with a program that decides before the call. */
export function hooksBefore(host: Services, assessed: Assessed): readonly HookText[] {
  return hooksOf(host, toolsOf(assessed)).filter(({ before }) => before !== undefined);
}

function toolsOf({ facts, parts = [] }: Assessed): readonly ToolFacts[] {
  return [facts, ...parts];
}

/** @param hooks in their order; the first that denies ends it */
export async function askHooks(
  host: Services,
  hooks: readonly HookText[],
  assessed: Assessed,
  { call, input }: ReadCall,
): Promise<Assessed> {
  let { decision } = assessed;
  for (const hook of hooks) {
    if (decision.type === "deny") break;
    const about = { ...describe(assessed, call), arguments: input, decision };
    const said = await askProgram(host, hook, about, call.signal);
    if (said.type !== "allow" && STRICTNESS[said.type] >= STRICTNESS[decision.type]) {
      // No rule would keep the hook from asking the next time.
      const rest = withoutSuggestion(decision);
      decision = { ...rest, ...said, source: "hooks", rule: hook.tool };
    }
  }
  return { ...assessed, decision };
}

async function askProgram(
  host: Services,
  hook: HookText,
  about: object,
  signal: StopSignal,
): Promise<{ type: Decision["type"]; reason: string }> {
  try {
    const text = await runProgram(host, hook, "before", about, signal);
    const { decision = "allow", reason = "a hook decided it" } = JSON.parse(text || "{}") as {
      decision?: unknown;
      reason?: unknown;
    };
    if (decision === "allow" || decision === "ask" || decision === "deny")
      return { type: decision, reason: String(reason).slice(0, 500) };
    throw new Error(`it answered ${JSON.stringify(decision).slice(0, 100)}`);
  } catch (thrown) {
    logFailed(hook, thrown);
    return { type: "ask", reason: "a hook that should decide could not" };
  }
}

export function endingOf({ isCancelled, members }: Outcome, ms: number): HookEnding {
  return isCancelled ? { status: "failed", ms, code: "cancelled" } : { status: "completed", ms, bytes: members.length };
}

/** Nobody waits for it. */
export function tellHooks(host: Services, assessed: Assessed, call: Call, outcome: HookEnding): void {
  for (const hook of hooksOf(host, toolsOf(assessed))) {
    if (!hook.after) continue;
    const about = { ...describe(assessed, call), decision: assessed.decision, outcome };
    runProgram(host, hook, "after", about).catch((thrown: unknown) => logFailed(hook, thrown));
  }
}

/** By the launcher, where there is one: from behind the fence nothing can be started. */
async function runProgram(
  { audit, config, launch }: Services,
  hook: HookText,
  when: "before" | "after",
  about: object,
  signal?: StopSignal,
): Promise<string> {
  const stdin = JSON.stringify(about);
  // What it cannot be told whole it cannot decide about.
  if (Buffer.byteLength(stdin) > limits.MAX_STDIN_BYTES)
    throw new Failure("too_large", `Cannot ask the hook: the call has ${stdin.length} characters`);
  audit.write();
  if (!launch) return await runHookHere(hook[when] ?? [], stdin, hook.timeout_ms ?? DEFAULT_TIMEOUT_MS);
  const ask = { kind: "hook" as const, index: config.hooks.indexOf(hook), when, stdin };
  return (await launch("hook", ask, { signal })).text;
}

function logFailed(hook: HookText, thrown: unknown): void {
  logLine(`the hook of ${hook.tool} failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
}

function describe({ facts, targets }: Assessed, { request }: Call): object {
  const others = namesOf(targets);
  return {
    tool: facts.name,
    effect: facts.effect,
    paths: pathsOf(targets),
    ...(others.length === 0 ? {} : { targets: others }),
    request,
  };
}
