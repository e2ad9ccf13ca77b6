/**
 * What goes on record about a call: who asked for what, the decision and its rule, how it ended. Arguments are not
 * copied, only their paths and what is started; contents never are.
 *
 * A change is on record before it happens, and again when it is done. A read leaves one line, at its end.
 */
import type { FailureData } from "../base/index.ts";
import type { RunTool } from "../contract/index.ts";
import type { Outcome } from "../mcp/index.ts";
import type { Assessed } from "./assess.ts";
import type { Call } from "./call.ts";
import type { Host } from "./host.ts";

/** One path on record, and the paths of one call; the rest is cut. */
const MAX_PATH_CHARS = 500;
const MAX_PATHS = 20;
/** A command line, or the values of a command. */
const MAX_RUN_CHARS = 2000;

export function recordDecision(host: Host, call: Call, assessed: Assessed): void {
  if (assessed.changes) host.audit.record("call", describe(call, assessed));
}

export function recordEnd(host: Host, call: Call, assessed: Assessed, outcome: Outcome): void {
  const ended = assessed.changes ? { request: call.request } : describe(call, assessed);
  host.audit.record("done", { ...ended, chars: outcome.members.length });
}

export function recordFailure(
  host: Host,
  call: Call,
  assessed: Assessed | undefined,
  data: FailureData,
): void {
  const asked =
    assessed && !assessed.changes
      ? describe(call, assessed)
      : { request: call.request, tool: call.name.slice(0, 100) };
  host.audit.record("failed", { ...asked, code: data.code });
}

/** What is started, before it is: a program's arguments are what it does. */
export function recordRun(host: Host, call: Call, tool: RunTool, input: unknown): void {
  const request = tool.starts?.(input as never)?.request;
  if (!request) return;
  const what =
    request.kind === "shell"
      ? { line: request.command.slice(0, MAX_RUN_CHARS) }
      : { command: request.name, values: JSON.stringify(request.input).slice(0, MAX_RUN_CHARS) };
  host.audit.record("run", { request: call.request, tool: tool.name, ...what });
  host.audit.ensureWritten();
}

function describe(call: Call, { decision, paths }: Assessed): Readonly<Record<string, unknown>> {
  const shown =
    paths === "all" ? paths : paths.slice(0, MAX_PATHS).map((path) => path.slice(0, MAX_PATH_CHARS));
  const { type, source, rule, risk } = decision;
  return {
    request: call.request,
    tool: call.name.slice(0, 100),
    paths: shown,
    decision: type,
    rule: `${source}:${rule}`,
    risk,
  };
}
