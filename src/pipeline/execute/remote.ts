/**
 * Tools that are carried out elsewhere: by another MCP server, or by the client. What comes back is bounded and redacted like
 * everything that this host answers, and progress is passed on as readable lines, so few that nobody is kept busy by them.
 */
import { Failure, type Clock } from "../../base/index.ts";
import { remoteMembers, readRemoteResult, readableText, type RemoteTool } from "../../contract/index.ts";
import { FAILURE_KEY, type Outcome } from "../../mcp/index.ts";
import type { TakenCall } from "../../jobs/index.ts";
import { sayProgress } from "../../text/index.ts";
import { describeView, type Upstreams } from "../../upstream/index.ts";
import { boundOutcome } from "../answer/bound-outcome.ts";
import type { Caller, Executed, Work } from "../call.ts";
import { recordRemote } from "../record.ts";
import type { Services } from "../services.ts";
import { withinDeadline } from "./deadline.ts";

type Arguments = Readonly<Record<string, unknown>>;

export async function executeRemote(host: Services, work: Work, tool: RemoteTool): Promise<Outcome> {
  const { call, input, record } = work;
  const cause = { call: record.id, request: call.request };
  return await callRemote(host, tool, input as Arguments, call, cause);
}

/** A person has said yes to exactly this. @throws Failure */
export async function runStoredRemote(
  host: Services,
  tool: RemoteTool,
  { id, input }: TakenCall,
  by: Caller,
): Promise<Executed> {
  const made = await callRemote(host, tool, input as Arguments, by, { proposal: id });
  const { members } = boundOutcome(host, made);
  const { content, isError } = JSON.parse(`{${members}}`) as {
    content: readonly { readonly text?: string }[];
    isError?: boolean;
  };
  const text = content.flatMap((block) => block.text ?? []).join("\n");
  return { result: { text, ...(isError ? { is_error: true } : {}) }, members };
}

async function callRemote(
  host: Services,
  tool: RemoteTool,
  args: Arguments,
  { signal, onProgress, context }: Caller,
  cause: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  recordRemote(host, cause, tool, args);
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
    const result = readRemoteResult(answer, tool.name);
    const members = remoteMembers(result, host.config.results, host.redactor);
    return result.isError ? { members, meta: { [FAILURE_KEY]: refusal(tool).data } } : { members };
  } finally {
    // Its owner is told to stop; after an answer there is nothing left to stop.
    stop.abort();
  }
}

/** The failure of a remote tool; the owner's words are in the answer. */
function refusal({ name, owner }: RemoteTool): Failure {
  return new Failure("command_failed", `Cannot finish "${name}": ${owner} answered that it failed`);
}

/** The answer of `system_info`, which says what the other servers did too. */
export function withUpstreams(upstreams: Upstreams, outcome: Outcome): Outcome {
  const views = upstreams.views();
  const result = JSON.parse(`{${outcome.members}}`) as {
    content: { type: string; text: string }[];
    structuredContent?: Readonly<Record<string, unknown>>;
  };
  const shown = result.content.at(-1);
  if (shown) shown.text += `\n${views.map((view) => `upstream ${describeView(view)}`).join("\n")}`;
  if (result.structuredContent) result.structuredContent = { ...result.structuredContent, upstream: views };
  return { ...outcome, members: JSON.stringify(result).slice(1, -1) };
}

type Report = (done: number, total: number | undefined, what: string) => void;

const EVERY_MS = 200;
const MAX_TEXT_BYTES = 300;

/** @param name said where the text is nothing */
export function calmProgress(report: Report | undefined, name: string, clock: Clock): Report {
  let notBefore = -Infinity;
  return (done, total, what) => {
    const now = clock.monotonicMs();
    if (now < notBefore || !Number.isFinite(done)) return;
    notBefore = now + EVERY_MS;
    const words = readableText(what, MAX_TEXT_BYTES).replaceAll("\n", " ");
    report?.(done, total, words || `${name}: ${sayProgress(done, total, "")}`);
  };
}
