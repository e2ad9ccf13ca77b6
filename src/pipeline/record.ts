/**
 * What goes on record about a call, each line before anybody can notice the step that it tells of: that the call was proposed,
 * with digests of its arguments and never the arguments; the decision with its rule; that it was started, with what is started
 * for a program; how it ended. The lines of one call carry the id of its first line, which every answer has too.
 */
import { createSha256, sha256, type FailureData } from "../base/index.ts";
import type { Tool } from "../contract/index.ts";
import { FAILURE_KEY, traceOf, type Outcome } from "../mcp/index.ts";
import { EFFECTS, isKnownGroup, maskRun, namesOf, pathsOf, type ToolFacts } from "../policy/index.ts";
import { shellLine } from "../text/index.ts";
import type { Assessed, Call, CallRecord } from "./call.ts";
import { logByHook } from "./decide/hooks.ts";
import { keepCall } from "./keep-call.ts";
import { PROPOSAL_KEY } from "./proposal/waiting.ts";
import type { Services } from "./services.ts";

/** One path on record, and the paths of one call; the rest is cut. */
const MAX_PATH_CHARS = 500;
const MAX_PATHS = 20;
/** The name that log messages to the client carry. */
const LOGGER = "ringfence.calls";
/** A command line, or the values of a command. */
const MAX_RUN_CHARS = 2000;
/** Longer than what is kept, so that a secret at its end is seen whole. */
const MAX_LOOKED_AT_CHARS = 20_000;

export function recordProposed(host: Services, call: Call): CallRecord {
  // The caller's, so that the record can be laid beside its own.
  const trace = traceOf(call.meta);
  const id = host.audit.announce("proposed", {
    request: call.request,
    tool: call.name.slice(0, 100),
    as: call.job?.name,
    input: digest(call.arguments),
    client: clientName(call),
    agent: named(call, "agent"),
    provider: named(call, "provider"),
    skill: named(call, "skill"),
    message: named(call, "messageId"),
    trace,
  });
  const record = { id, startMs: host.clock.monotonicMs(), askedMs: 0, repaired: call.repaired ?? 0 };
  host.openCalls.begin(record, () => ({
    call: id,
    request: call.request,
    tool: call.name.slice(0, 100),
    ms: workedMs(host, record),
  }));
  return record;
}

export function recordDecision(host: Services, call: Call, record: CallRecord, assessed: Assessed): void {
  const { targets, decision, facts, modified } = assessed;
  logByHook(host, assessed);
  const others = namesOf(targets);
  host.audit.announce("decided", {
    call: record.id,
    request: call.request,
    tool: facts.name,
    group: groupOfOthers(facts),
    validated: true,
    repaired: record.repaired || undefined,
    modified: modified && { by: modified.by, input: digest(modified.input) },
    paths: shortened(pathsOf(targets)),
    line: decision.type === "ask" ? lineOf(host, assessed) : undefined,
    targets: others.length === 0 ? undefined : shortened(others.map((name) => masked(host, name))),
    decision: decision.type,
    rule: shownOnRecord(host, facts, `${decision.source}:${decision.rule}`),
    reason: shownOnRecord(host, facts, decision.reason),
    risk: decision.risk,
  });
}

/** A group that a pack of another program brings: nowhere else is it known once that program has ended. */
function groupOfOthers({ group }: ToolFacts): string | undefined {
  return group === undefined || isKnownGroup(`group:${group}`) ? undefined : group;
}

/** The line of a program that a person is asked about: without it the record could not say later what a rule would have saved. */
function lineOf(host: Services, { asked }: Assessed): string | undefined {
  const line = asked?.acts.find(([kind]) => kind === "line")?.[1];
  return typeof line === "string" ? masked(host, line) : undefined;
}

function shortened(names: readonly string[] | "all"): readonly string[] | "all" {
  return names === "all" ? names : names.slice(0, MAX_PATHS).map((name) => name.slice(0, MAX_PATH_CHARS));
}

export function recordStart(host: Services, record: CallRecord, { facts, changes }: Assessed): void {
  host.audit.announce("started", { call: record.id, tool: facts.name, changes: changes || undefined });
}

export function recordEnd(host: Services, call: Call, record: CallRecord, assessed: Assessed, outcome: Outcome): void {
  const { facts, changes } = assessed;
  if (!host.openCalls.end(record)) return;
  keepCall(host, call, record, { assessed, outcome });
  host.audit.announce(outcome.isCancelled ? "failed" : "completed", {
    call: record.id,
    tool: facts.name,
    ms: workedMs(host, record),
    code: outcome.isCancelled ? "cancelled" : undefined,
    bytes: outcome.members.length,
    result: digestOfResult(call.sent?.(outcome) ?? outcome),
    changes: changes || undefined,
    cut: outcome.isCut || undefined,
    failed: outcome.meta?.[FAILURE_KEY] || outcome.isBroken ? true : undefined,
  });
  if (outcome.isCut) recordTruncated(host, record, facts.name, outcome);
  const how = outcome.meta?.[PROPOSAL_KEY] ? { proposed: true } : { done: true };
  call.context?.log(changes ? "info" : "debug", { tool: facts.name, ...how }, LOGGER);
}

/** The digest of the JSON text of a result, which is not put together for it. */
function digestOfResult({ members }: Pick<Outcome, "members">): string {
  return createSha256().update("{").update(members).update("}").digest("hex");
}

/** What the caller did not get, and where it is. */
function recordTruncated(host: Services, { id }: CallRecord, tool: string, { ref, counts, members }: Outcome): void {
  host.audit.announce("truncated", { call: id, tool, bytes: members.length, ref, ...counts });
}

export function recordFailure(
  host: Services,
  call: Call,
  record: CallRecord,
  assessed: Assessed | undefined,
  data: FailureData,
): void {
  if (!host.openCalls.end(record)) return;
  keepCall(host, call, record, { assessed, failure: data });
  const tool = (assessed?.facts.name ?? call.name).slice(0, 100);
  host.audit.announce("failed", {
    call: record.id,
    request: call.request,
    tool,
    ...(assessed ? {} : { validated: false }),
    ms: workedMs(host, record),
    code: data.code,
  });
  call.context?.log(data.code === "internal" ? "error" : "info", { tool, failed: data.code }, LOGGER);
}

/**
 * What a call starts, or sends to somebody else, before it does and without the secrets in it: the arguments of a
 * program are what it does. @param cause the call, or the proposal that a person approved
 */
export function recordFirst(
  host: Services,
  cause: Readonly<Record<string, unknown>>,
  tool: Tool,
  input: unknown,
): void {
  const { recordedFirst } = EFFECTS[tool.effect];
  const what = startedBy(host, tool, input) ?? sentBy(host, tool, input);
  if (what) host.audit.record("run", { ...cause, tool: tool.name, ...what });
  if (recordedFirst === "always" || (what && recordedFirst === "started")) host.audit.ensureWritten();
}

type Members = Readonly<Record<string, unknown>>;

function startedBy(host: Services, tool: Tool, input: unknown): Members | undefined {
  const request = tool.starts?.(input as never).request;
  if (!request) return undefined;
  const given = request.stdin === undefined ? {} : { stdin: provenBy(request.stdin) };
  if (request.kind === "shell") return { ...bounded("line", host, request.command), ...given };
  return request.kind === "program"
    ? { ...bounded("line", host, shellLine([request.program, ...request.args])), ...given }
    : { command: request.name, ...bounded("values", host, JSON.stringify(request.input)), ...given };
}

function sentBy(host: Services, { owner }: Tool, input: unknown): Members | undefined {
  if (!owner) return undefined;
  return { owner: owner.name, called: owner.tool.slice(0, 100), ...bounded("values", host, JSON.stringify(input)) };
}

/** The text without its secrets, and of one that is too long the beginning and what proves the rest. */
function bounded(name: string, host: Services, text: string): Readonly<Record<string, unknown>> {
  const shown = { [name]: masked(host, text) };
  return text.length <= MAX_RUN_CHARS ? shown : { ...shown, whole: provenBy(text) };
}

function provenBy(text: string): { readonly bytes: number; readonly sha256: string } {
  return { bytes: Buffer.byteLength(text), sha256: sha256(text) };
}

/** What is allowed by a rule that a person made of a call is a line like any other. */
export function masked(host: Services, text: string): string {
  return maskRun(text.slice(0, MAX_LOOKED_AT_CHARS), host.redactor).slice(0, MAX_RUN_CHARS);
}

/** Reasons and rules about a file name paths and patterns; about a program they may be its line. */
function shownOnRecord(host: Services, { effect }: Assessed["facts"], text: string): string {
  return EFFECTS[effect].namesPathsOnly ? text : masked(host, text);
}

/** Records a call of a tool that does not exist, or that the policy hides. */
export function recordUnknown(host: Services, { name }: Call, record: CallRecord): void {
  host.openCalls.end(record);
  const tool = name.slice(0, 100);
  host.audit.record("failed", { call: record.id, tool, validated: false, code: "unknown_tool" });
}

function named({ meta }: Call, key: string): string | undefined {
  const value = meta[`dev.ringfence/${key}`];
  return typeof value === "string" ? value.slice(0, 100) : undefined;
}

/** Enough to tell two inputs apart, and to prove later which one it was. */
function digest(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return sha256(text ?? "").slice(0, 32);
}

/** The time since the call came, without the time in which a person was asked. */
export function workedMs({ clock }: Pick<Services, "clock">, { startMs, askedMs }: CallRecord): number {
  return Math.round((clock.monotonicMs() - startMs - askedMs) * 1000) / 1000;
}

const MAX_CHARS = 100;

/** As the caller names the agent that calls. */
export function agentName(call: Call): string | undefined {
  return named(call, "agent");
}

/** A script has no name, and a client need not give one. */
export function clientName({ context, by }: Pick<Call, "context" | "by">): string | undefined {
  return (context?.client.name ?? by)?.slice(0, MAX_CHARS);
}
