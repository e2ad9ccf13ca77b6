/**
 * A program that a person is asked about first: the proposal says what would be run, where, with which fence and network,
 * and why it is asked. It is run when the proposal is applied, with the input that was shown.
 */
import { limits } from "../base/index.ts";
import type { RunRequest, RunTool } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { Work } from "./carry-out.ts";
import { changeOutcome } from "./change-outcome.ts";
import type { Host } from "./host.ts";
import { keptGlobs } from "./keep-files.ts";
import { launcherOf } from "./remote-context.ts";

const MAX_SHOWN = 300;

/** @throws Failure for what could not be run either */
export async function proposeRun(host: Host, work: Work, tool: RunTool): Promise<Outcome> {
  const { input } = work;
  const request = tool.starts?.(input as never)?.request;
  const notes = request ? await describe(host, request) : [];
  return await proposeCall(host, work, summaryOf(tool, request), notes);
}

/** A call that touches no files of the roots by itself, as a proposal. @param notes what a person should know of it */
export async function proposeCall(
  host: Host,
  work: Work,
  summary: string,
  notes: readonly string[],
): Promise<Outcome> {
  const { call, tool, input, decision } = work;
  const answer = await host.changePool.run({
    name: "propose_local",
    input: JSON.stringify({
      tool: tool.name,
      input,
      decision,
      proposal: { summary, paths: [] },
      notes: [`Asked because ${decision.reason}.`, ...notes],
    }),
    timeoutMs: limits.DEFAULT_CALL_MS,
    signal: call.signal,
  });
  return changeOutcome(host, work, answer);
}

function summaryOf({ name }: RunTool, request: RunRequest | undefined): string {
  if (!request) return `Run ${name}`;
  const what = request.kind === "shell" ? request.command : request.name;
  return `Run ${shorten(what)}`;
}

async function describe(host: Host, request: RunRequest): Promise<string[]> {
  const { program, args, cwd, fence, timeout_ms } = await launcherOf(host)("describe", {
    ...request,
    within: host.narrowedTo,
  });
  const shown = [program, ...args].map((part) =>
    /^[\w@%+=:,./-]+$/.test(part) ? part : JSON.stringify(part),
  );
  return [
    `Program and arguments: ${shorten(shown.join(" "), 4000)}`,
    `Working directory: ${cwd}`,
    `Fence: ${fence}`,
    `Time limit: ${timeout_ms} ms`,
    keptGlobs(host, request).length > 0
      ? `What it changes can be undone of ${keptGlobs(host, request).join(", ")}; nothing else.`
      : "What it changes cannot be undone by the host.",
  ];
}

function shorten(text: string, most: number = MAX_SHOWN): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}
