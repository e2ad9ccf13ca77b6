/**
 * What a call that waits would carry out, made anew by the host that has its tool: whenever the call is proposed, shown and applied.
 */
import type { CallFacts } from "../approval/index.ts";
import { isForeignTool, isLocalTool, type AnyTool, type RunTool } from "../contract/index.ts";
import type { Services } from "./services.ts";
import { keptGlobs } from "./keep-files.ts";
import { launcherOf } from "./remote-context.ts";

/** @throws Failure for what could not be carried out either */
export async function factsOfCall(host: Services, tool: AnyTool, input: unknown): Promise<CallFacts> {
  if (isForeignTool(tool)) return { kind: "foreign", owner: tool.owner, name: tool.tool };
  return isLocalTool(tool) || tool.effect !== "run" ? { kind: "own" } : await factsOfRun(host, tool, input);
}

async function factsOfRun(host: Services, tool: RunTool, input: unknown): Promise<CallFacts> {
  const { request, risk } = tool.starts?.(input as never) ?? {};
  if (!request) return { kind: "run", name: tool.name };
  const described = await launcherOf(host)("describe", { ...request, ...host.narrowed });
  const isBackground =
    tool.name === "process_start" || (input as { background?: unknown }).background === true;
  return {
    kind: "run",
    name: request.kind === "shell" ? request.command : request.name,
    start: { ...described, kept: keptGlobs(host, request) },
    ...(risk === undefined ? {} : { risk }),
    ...(isBackground ? { background: true } : {}),
  };
}
