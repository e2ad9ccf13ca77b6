/**
 * Tools that are carried out elsewhere: by another MCP server, or by the client. A call that a person is asked about is a
 * proposal that shows the owner, the tool and the arguments, and it is made when the proposal is applied. What comes back is
 * bounded and redacted like everything that this host answers.
 */
import { Failure } from "../base/index.ts";
import { foreignMembers, readForeignResult, type ForeignTool } from "../contract/index.ts";
import { FAILURE_KEY, type Outcome } from "../mcp/index.ts";
import { boundOutcome } from "./bound-outcome.ts";
import { calmProgress } from "./calm-progress.ts";
import type { Call, Caller, Work } from "./call.ts";
import type { Services } from "./services.ts";
import type { TakenCall } from "./bridge.ts";
import type { Executed } from "./local-tools.ts";
import { proposeCall } from "./propose-call.ts";
import { recordForeign } from "./record.ts";
import { withinDeadline } from "./within-deadline.ts";

type Arguments = Readonly<Record<string, unknown>>;

export async function carryOutForeign(host: Services, work: Work, tool: ForeignTool): Promise<Outcome> {
  const { call, input, decision, record } = work;
  if (decision.type === "ask") return await proposeCall(host, work, tool);
  const cause = { call: record.id, request: call.request };
  return await callForeign(host, tool, input as Arguments, call, cause);
}

/** A person has said yes to exactly this. @throws Failure */
export async function runStoredForeign(
  host: Services,
  tool: ForeignTool,
  { id, input }: TakenCall,
  by: Caller,
): Promise<Executed> {
  const made = await callForeign(host, tool, input as Arguments, by, { proposal: id });
  const { members } = boundOutcome(host, made);
  const { content, isError } = JSON.parse(`{${members}}`) as {
    content: readonly { readonly text?: string }[];
    isError?: boolean;
  };
  const text = content.flatMap((block) => block.text ?? []).join("\n");
  return { result: { text, ...(isError ? { is_error: true } : {}) }, members };
}

async function callForeign(
  host: Services,
  tool: ForeignTool,
  args: Arguments,
  { signal, onProgress, context }: Pick<Call, "signal" | "onProgress" | "context">,
  cause: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  recordForeign(host, cause, tool, args);
  const timeoutMs = host.policy.budget.timeoutMs(tool.timeoutMs);
  const stop = new AbortController();
  signal.addEventListener("abort", () => stop.abort());
  try {
    const answer = await withinDeadline(
      tool.execute(args, {
        signal: stop.signal,
        timeoutMs,
        caller: context,
        onProgress: calmProgress(onProgress, tool.name, host.clock),
      }),
      { timeoutMs, signal, clock: host.clock },
    );
    const result = readForeignResult(answer, tool.name);
    const members = foreignMembers(result, host.config.results, host.redactor);
    return result.isError ? { members, meta: { [FAILURE_KEY]: refusal(tool).data } } : { members };
  } finally {
    // Its owner is told to stop; after an answer there is nothing left to stop.
    stop.abort();
  }
}

/** Its own words are in the answer. */
function refusal({ name, owner }: ForeignTool): Failure {
  return new Failure("command_failed", `Cannot finish "${name}": ${owner} answered that it failed`);
}
