/**
 * What the configuration wants to happen at the calls of some tools: a person is asked whatever the rules say, a line on
 * stderr, silence in the events, or programs around the call. One program may make the decision stricter before the call, one
 * is told how it ended. JSON in, `{"decision": "allow" | "ask" | "deny", "reason": "...", "modified": {...}}` out, within a time
 * limit. Whatever goes wrong means ask: a program that cannot answer has allowed nothing.
 */
import { Failure, isObject, limits, logLine, type StopSignal } from "../../base/index.ts";
import type { HookText } from "../../config/index.ts";
import { parseArguments } from "../../contract/index.ts";
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

/** A call as it is going to be made, and what is decided about it. */
export interface Decided {
  readonly asked: ReadCall;
  readonly assessed: Assessed;
}

/**
 * In their order; the first that denies ends it. A hook may change the arguments: they are parsed and decided anew, and the
 * stricter of both decisions holds. Hooks that the changed call meets first are asked as well.
 *
 * @param assessAgain decides about a call as if it had come so
 */
export async function askHooks(
  host: Services,
  decided: Decided,
  assessAgain: (asked: ReadCall) => Promise<Assessed>,
): Promise<Decided> {
  let { asked, assessed } = decided;
  const done = new Set<HookText>();
  for (;;) {
    const hook = hooksBefore(host, assessed).find((one) => !done.has(one));
    if (!hook || assessed.decision.type === "deny") return { asked, assessed };
    done.add(hook);
    const about = { ...describe(assessed, asked.call), arguments: asked.input, decision: assessed.decision };
    let said = await askProgram(host, hook, about, asked.call.signal);
    if (said.modified !== undefined && said.type !== "deny") {
      const changed = await change(hook, { asked, assessed }, said.modified, assessAgain);
      if ("asked" in changed) ({ asked, assessed } = changed);
      else said = changed;
    }
    assessed = { ...assessed, decision: stricter(assessed.decision, said, hook) };
  }
}

function stricter(decision: Decision, { type, reason }: HookAnswer, hook: HookText): Decision {
  if (type === "allow" || STRICTNESS[type] < STRICTNESS[decision.type]) return decision;
  // No rule would keep the hook from asking the next time.
  return { ...withoutSuggestion(decision), type, reason, source: "hooks", rule: hook.tool };
}

/** The call with other arguments, or why the hook cannot change it. */
async function change(
  hook: HookText,
  { asked, assessed: before }: Decided,
  modified: unknown,
  assessAgain: (asked: ReadCall) => Promise<Assessed>,
): Promise<Decided | HookAnswer> {
  // What is done is then said elsewhere, and not by the arguments.
  if (asked.call.job) return { type: "deny", reason: "a hook changes a read that has no arguments" };
  try {
    const { input } = parseArguments(asked.tool, modified);
    const again = await assessAgain({ ...asked, input });
    const isStricter = STRICTNESS[again.decision.type] >= STRICTNESS[before.decision.type];
    const decision = withoutSuggestion(isStricter ? again.decision : before.decision);
    return {
      asked: { ...asked, input },
      assessed: { ...again, decision, modified: { by: hook.tool, input } },
    };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    logFailed(hook, thrown);
    return { type: "ask", reason: "a hook changed the arguments to what the tool does not take" };
  }
}

interface HookAnswer {
  readonly type: Decision["type"];
  readonly reason: string;
  /** All arguments, where it changes them. */
  readonly modified?: unknown;
}

async function askProgram(host: Services, hook: HookText, about: object, signal: StopSignal): Promise<HookAnswer> {
  try {
    const text = await runProgram(host, hook, "before", about, signal);
    const {
      decision = "allow",
      reason = "a hook decided it",
      modified_input,
      modified = modified_input,
    } = answerIn(text);
    if (decision === "allow" || decision === "ask" || decision === "deny")
      return { type: decision, reason: String(reason).slice(0, 500), modified };
    throw new Error(`it answered ${JSON.stringify(decision).slice(0, 100)}`);
  } catch (thrown) {
    logFailed(hook, thrown);
    return { type: "ask", reason: "a hook that should decide could not" };
  }
}

const ANSWERS: ReadonlySet<string> = new Set(["decision", "reason", "modified", "modified_input"]);

/** @throws Error for an answer of which nothing is understood: it may well have been a no, said in another form */
function answerIn(text: string): Readonly<Record<string, unknown>> {
  const answer: unknown = JSON.parse(text || "{}");
  if (!isObject(answer)) throw new Error("it answered with JSON that is no object");
  const names = Object.keys(answer);
  if (names.length > 0 && !names.some((name) => ANSWERS.has(name)))
    throw new Error(`it answered without a decision, with ${JSON.stringify(names[0]).slice(0, 100)}`);
  return answer;
}

export function endingOf({ isCancelled, members }: Outcome, ms: number): HookEnding {
  return isCancelled ? { status: "failed", ms, code: "cancelled" } : { status: "completed", ms, bytes: members.length };
}

/** No call waits for it. */
export function tellHooks(host: Services, assessed: Assessed, call: Call, outcome: HookEnding): void {
  for (const hook of hooksOf(host, toolsOf(assessed))) {
    if (!hook.after) continue;
    const about = { ...describe(assessed, call), decision: assessed.decision, outcome };
    keepTelling(host, hook, runProgram(host, hook, "after", about));
  }
}

/** Whoever ends the host can wait for it then, because nothing is told any more without its launcher. */
export function keepTelling({ telling }: Services, hook: HookText, told: Promise<unknown>): void {
  const kept = told.then(undefined, (thrown: unknown) => logFailed(hook, thrown)).finally(() => telling.delete(kept));
  telling.add(kept);
}

/** By the launcher, where there is one: from behind the fence nothing can be started. */
export async function runProgram(
  { audit, config, launch }: Services,
  hook: HookText,
  when: "before" | "after" | "run",
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

export function logFailed(hook: HookText, thrown: unknown): void {
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
