/**
 * A call is made: a built-in tool that reads runs in a worker as a whole, any other one here, with the powers that it
 * needs. What is started or sent is on record before it is.
 */
import {
  remoteMembers,
  resultMembers,
  restoreArguments,
  type LocalProposal,
  type RemoteResult,
  type Tool,
  type ToolResult,
} from "../../contract/index.ts";
import { Failure, keepWhileRunning, limits, stoppedCall } from "../../base/index.ts";
import { FAILURE_KEY, type Outcome } from "../../mcp/index.ts";
import { EFFECTS, redactFailure, type Redactor } from "../../policy/index.ts";
import type { TakenCall } from "../../jobs/index.ts";
import { toolFacts } from "../../session/index.ts";
import { workerTools } from "../../packs/index.ts";
import { boundOutcome } from "../answer/bound-outcome.ts";
import { linkSpilled, withKept, withSpilled } from "../answer/spill.ts";
import type { ReadCall, Call, CallPolicy, Caller, Executed, Work } from "../call.ts";
import { readJob } from "../jobs.ts";
import { recordFirst } from "../record.ts";
import type { Services } from "../services.ts";
import { noteRead, withKnownHash } from "./baseline.ts";
import { createContext, type Unasked } from "./context.ts";
import { withParts } from "./parts.ts";
import { timeoutOf, withinDeadline } from "./deadline.ts";
import { redactData } from "../../text/index.ts";

const IN_WORKERS: ReadonlySet<Tool> = new Set(workerTools);

/**
 * @param work of a tool that does not plan
 * @param goOn makes the call that an answer goes on with
 */
export async function execute(host: Services, work: Work, goOn: (call: Call) => Promise<Outcome>): Promise<Outcome> {
  const { call, tool, input, decision, record } = work;
  if (call.job || IN_WORKERS.has(tool)) return await runInWorker(host, work);
  if (tool.rechecks) await previewCall(host, work, work);
  recordFirst(host, { call: record.id, request: call.request }, tool, input);
  const answer = await run(host, work, work, {
    budgetMs: host.policy.budget.timeoutMs(Infinity),
    // Any other line has the risk of a program at least.
    onlyReads: decision.risk === "R0" || decision.risk === "R1",
  });
  const outcome = outcomeOf(host, tool, answer);
  if ("content" in answer || !answer.goesOn) return outcome;
  const { name: _name, tool: _tool, turn: _turn, sent: _sent, problem: _problem, ...rest } = call;
  const { tool: name, input: given, from } = answer.goesOn;
  return joinOutcomes(outcome, await goOn({ ...rest, name, arguments: given, from }));
}

async function runInWorker(host: Services, work: Work): Promise<Outcome> {
  const { call, input, tool } = work;
  const { job, signal, onProgress } = call;
  job?.begun?.(work);
  const how = { under: work, timeoutMs: timeoutOf(host, tool), long: tool.long ?? false, signal, onProgress };
  if (job?.name === "watch") return { members: JSON.stringify(await readJob(host, job.name, job.input, how)) };
  if (job) return noteRead(host, call, await readJob(host, job.name, job.input, how), false);
  const answer = await readJob(host, `tool:${tool.name}`, withKnownHash(host, input), how);
  if (tool.tellsParts) return await withParts(host, { members: answer.text });
  return noteRead(host, call, answer, tool.isFileText?.(input as never) ?? false);
}

/** What a person is asked to approve, by the tool's own words. */
export async function previewCall(
  host: Services,
  asked: ReadCall,
  under: CallPolicy,
): Promise<LocalProposal | undefined> {
  const { tool, input } = asked;
  if (!tool.preview) return undefined;
  return await inContext(host, asked, under, limits.DEFAULT_CALL_MS, (ctx) =>
    tool.preview?.(input as never, ctx as never),
  );
}

/** A person has said yes to exactly this. @throws what the tool throws */
export async function executeStored(
  host: Services,
  tool: Tool,
  { id, input: stored }: TakenCall,
  by: Caller,
): Promise<Executed> {
  const input = restoreArguments(tool, stored);
  const call: Call = { ...by, name: tool.name, arguments: input, meta: {} };
  const under: CallPolicy = { facts: toolFacts(tool), mode: host.config.mode };
  if (tool.rechecks) refuseOther(host, id, await previewCall(host, { call, tool, input }, under));
  recordFirst(host, { proposal: id }, tool, input);
  const answer = await run(host, { call, tool, input }, under);
  const { members } = boundOutcome(host, outcomeOf(host, tool, answer));
  return { result: resultOf(answer, members, redactorOf(host, tool, answer)), members };
}

/** @throws Failure `stale` when the call would do something else than what was shown */
function refuseOther(host: Services, id: string, now: LocalProposal | undefined): void {
  const shown = host.proposed.get(id)?.says;
  if (shown && now && shown.summary === now.summary && shown.diff === now.diff) return;
  throw new Failure("stale", `Cannot apply the proposal "${id}": what it would change is not what was shown`, {
    hint: shown
      ? "Nothing was done. Call the tool again for a new proposal."
      : "What was shown is known to the host that proposed it alone: apply it there, or call the tool again.",
  });
}

type Answer = ToolResult | RemoteResult;

async function run(host: Services, asked: ReadCall, under: CallPolicy, unasked?: Unasked): Promise<Answer> {
  const { tool, input } = asked;
  // The launcher ends what runs when the call is cancelled, and answers with what there was.
  const timeoutMs = EFFECTS[tool.effect].startsPrograms ? undefined : timeoutOf(host, tool);
  const use = (ctx: object) => tool.run?.(input as never, ctx as never);
  const answer = await inContext(host, asked, under, timeoutMs, use, unasked);
  if (!answer) throw new Error(`${tool.name} is planned, and not run`);
  return answer;
}

/** @param timeoutMs `undefined`: the work ends by itself */
export async function inContext<T>(
  host: Services,
  { call, tool }: ReadCall,
  under: CallPolicy,
  timeoutMs: number | undefined,
  use: (ctx: object) => T | Promise<T>,
  unasked?: Unasked,
): Promise<T> {
  // Whose code it is may do anything here, such as never come back.
  await host.onWork();
  host.audit.write();
  const stop = new AbortController();
  const { signal } = call;
  // What has no deadline here ends itself, and says what there was.
  if (signal.aborted && timeoutMs !== undefined) throw stoppedCall("cancelled");
  if (signal.aborted) stop.abort();
  else signal.addEventListener("abort", () => stop.abort());
  try {
    const ctx = createContext({ host, tool, call, under, unasked, signal: stop.signal });
    const work = keepWhileRunning(host.running, use(ctx));
    return timeoutMs === undefined ? await work : await withinDeadline(work, { timeoutMs, signal, clock: host.clock });
  } catch (thrown) {
    // A failure may quote what a server said, as an answer does.
    const redact = redactorFor(host, tool);
    throw redact && thrown instanceof Failure ? redactFailure(thrown, redact) : thrown;
  } finally {
    // Whoever still works is told to stop; after an answer there is nothing left to stop.
    stop.abort();
  }
}

function outcomeOf(host: Services, tool: Tool, answer: Answer): Outcome {
  const { results } = host.config;
  const redact = redactorOf(host, tool, answer);
  if ("content" in answer) {
    const members = remoteMembers(answer, results, redact);
    return answer.isError ? { members, meta: { [FAILURE_KEY]: refusal(tool).data } } : { members };
  }
  if (!EFFECTS[tool.effect].startsPrograms) return ownOutcome(host, withKept(host, answer), redact);
  const whole = withSpilled(host, answer);
  const [link] = whole.links ?? [];
  const isBroken = endedByHost(answer);
  return {
    members: `${resultMembers(whole, results, redact)}${isBroken ? ',"isError":true' : ""}`,
    ...(isBroken ? { isBroken } : {}),
    ...(answer.truncated ? { isCut: true } : {}),
    ...(answer.structured["stopped_by"] === "cancelled" ? { isCancelled: true } : {}),
    // The first line says how a program ended.
    said: firstLine(answer.text, redact),
    ref: link && String(link["uri"]),
  };
}

/** Whether a program was ended before its own end: what it put out is there, and it did not do what it was started for. */
function endedByHost({ structured: { status, stopped_by: by } }: ToolResult): boolean {
  // What is said of a program in the background was asked for, however that ended.
  return status === undefined && (by === "timed_out" || by === "too_many_processes" || by === "too_much_output");
}

/** With the whole of a text that was cut as a link, and without its secrets. */
function ownOutcome(host: Services, answer: ToolResult, redact: Redactor | undefined): Outcome {
  const { whole, links = [] } = answer;
  const { results } = host.config;
  if (whole === undefined) return { members: resultMembers(answer, results, redact) };
  const link = linkSpilled(host, redact ? redact(whole).text : whole, "whole text");
  const members = resultMembers({ ...answer, links: [...links, link] }, results, redact);
  return { members, isCut: true, ref: String(link["uri"]) };
}

/** The first answer with the second behind it, which says what became of the call. */
function joinOutcomes(first: Outcome, second: Outcome): Outcome {
  const [a, b] = [first, second].map(({ members }) => JSON.parse(`{${members}}`) as Joined) as [Joined, Joined];
  const structured = { ...a.structuredContent, went_on: b.structuredContent };
  const joined = { ...b, content: [...(a.content ?? []), ...(b.content ?? [])] };
  return {
    ...second,
    members: JSON.stringify(a.structuredContent ? { ...joined, structuredContent: structured } : joined).slice(1, -1),
  };
}

interface Joined {
  readonly content?: readonly unknown[];
  readonly structuredContent?: object;
}

const MAX_SAID_CHARS = 100;

function firstLine(text: string, redact: Redactor | undefined): string | undefined {
  const line = text.slice(0, MAX_SAID_CHARS).split("\n", 1)[0];
  return line && redact ? redact(line).text : line;
}

/**
 * Replaces the secrets in what came from a program, from elsewhere, or from the code of a pack, as an answer or as a failure; a
 * worker has done so in what it read.
 */
function redactorFor({ redactor, packs }: Services, tool: Tool): Redactor | undefined {
  const isOthers =
    tool.owner !== undefined ||
    packs.powersOf(tool).length > 0 ||
    tool.needs?.includes("git") === true ||
    tool.remembers === true;
  return EFFECTS[tool.effect].isRedacted || isOthers ? redactor : undefined;
}

function redactorOf(host: Services, tool: Tool, answer: Answer): Redactor | undefined {
  return "isForCaller" in answer ? undefined : redactorFor(host, tool);
}

/** The failure of a remote tool; the owner's words are in the answer. */
function refusal({ name, owner }: Tool): Failure {
  return new Failure("command_failed", `Cannot finish "${name}": ${owner?.name} answered that it failed`, {
    hint: "Its answer says why.",
  });
}

/** What the method that applied a stored call answers. */
function resultOf(answer: Answer, members: string, redact: Redactor | undefined): unknown {
  if ("value" in answer) return answer.value;
  if (!("content" in answer)) {
    const { text, note, structured } = answer;
    const result = { text: note ? `${text}\n${note}` : text, ...structured };
    return redact ? JSON.parse(redactData(result, redact).json) : result;
  }
  const { content } = JSON.parse(`{${members}}`) as { content: readonly { readonly text?: string }[] };
  const text = content.flatMap((block) => block.text ?? []).join("\n");
  return { text, ...(answer.isError ? { is_error: true } : {}) };
}
