/**
 * What the configuration wants to happen at the calls of some tools: a person is asked whatever the rules say, a line on
 * stderr, silence in the events, or a program that decides and one that is told.
 */
import { logLine } from "../base/index.ts";
import type { HookText } from "../config/index.ts";
import { matchesTool, withoutSuggestion, type Decision, type Mode, type ToolFacts } from "../policy/index.ts";
import type { Services } from "./services.ts";

/** @param tools the tool that is called, and those whose changes it makes */
export function hooksOf(host: Services, tools: readonly ToolFacts[]): readonly HookText[] {
  const { hooks } = host.config;
  return hooks.length === 0
    ? hooks
    : hooks.filter((hook) => tools.some((tool) => matchesTool(hook.tool, tool)));
}

export function confirmByHook(
  host: Services,
  tools: readonly ToolFacts[],
  mode: Mode,
  decision: Decision,
): Decision {
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
