/**
 * A function of the program that runs the host, asked before every call, after the rules and the hooks. It can make the
 * decision stricter and never milder. An answer that is none, an exception and silence beyond its time mean deny: the program
 * is right here, so nothing but a bug of its own keeps it from answering.
 */
import { Failure, keepWhileRunning, logLine } from "../../base/index.ts";
import { namesOf, pathsOf, withoutSuggestion, type Decision, type Effect } from "../../policy/index.ts";
import type { Assessed, ReadCall } from "../call.ts";
import type { Services } from "../services.ts";
import { STRICTNESS } from "./hooks.ts";

/** A call that a guard is asked about. All of it is a copy: what the guard does to it changes no call. */
export interface GuardedCall {
  readonly tool: string;
  readonly effect: Effect;
  /** As the tool reads them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** As they were given; `all` where nobody knows what a call touches. */
  readonly paths: readonly string[] | "all";
  /** URLs, hosts, records, objects and command lines that it touches besides. */
  readonly targets: readonly string[];
  /** What the rules and the hooks say. */
  readonly decision: {
    readonly type: GuardVerdict;
    readonly reason: string;
    readonly source: string;
    readonly rule: string;
    /** R0 to R5. */
    readonly risk: string;
  };
  /** How the client calls itself. */
  readonly client: string | undefined;
  /** The caller's `_meta`. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Aborted when the caller leaves and when the guard's time is over. */
  readonly signal: AbortSignal;
}

/** What a guard says of a call: `allow` leaves the decision as it is. */
export type GuardVerdict = "allow" | "ask" | "deny";

/** The verdict alone, or with the reason that the model and the record are told. */
export type GuardAnswer = GuardVerdict | { readonly decision: GuardVerdict; readonly reason?: string | undefined };

/** A function of the program that is asked before every call. */
export type Guard = (call: GuardedCall) => GuardAnswer | Promise<GuardAnswer>;

/** A guard with its time for one call. */
export interface GuardSettings {
  readonly check: Guard;
  readonly timeoutMs: number;
}

const MAX_REASON_CHARS = 500;

export async function askGuard(
  host: Services,
  guard: GuardSettings,
  assessed: Assessed,
  asked: ReadCall,
): Promise<Assessed> {
  const { decision, facts } = assessed;
  if (decision.type === "deny") return assessed;
  const said = await ask(host, guard, assessed, asked);
  if (said.type === "allow" || STRICTNESS[said.type] < STRICTNESS[decision.type]) return assessed;
  // No rule would keep the guard from asking the next time.
  return { ...assessed, decision: { ...withoutSuggestion(decision), ...said, source: "guard", rule: facts.name } };
}

type Said = Pick<Decision, "type" | "reason">;

async function ask(
  host: Services,
  { check, timeoutMs }: GuardSettings,
  assessed: Assessed,
  asked: ReadCall,
): Promise<Said> {
  // Whose code it is may do anything here, such as never come back.
  await host.onWork();
  host.audit.write();
  const stop = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  // It may come when nobody waits for it any more.
  late.catch(() => undefined);
  using timer = host.clock.after(timeoutMs, () => reject(new Failure("timed_out", `no answer in ${timeoutMs} ms`)));
  timer.unref();
  asked.call.signal.addEventListener("abort", () => reject(new Failure("cancelled", "the call was cancelled")));
  try {
    const said = keepWhileRunning(host.running, check(describe(assessed, asked, stop.signal)));
    return read(await Promise.race([said, late]));
  } catch (thrown) {
    logLine(`the guard failed at ${assessed.facts.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return { type: "deny", reason: "the guard of the program could not decide" };
  } finally {
    stop.abort();
  }
}

function read(answer: unknown): Said {
  const { decision, reason = "the guard of the program decided it" } = (
    typeof answer === "string" ? { decision: answer } : (answer ?? {})
  ) as { readonly decision?: unknown; readonly reason?: unknown };
  if (decision !== "allow" && decision !== "ask" && decision !== "deny")
    throw new Error("it answered neither allow, ask nor deny");
  return { type: decision, reason: String(reason).slice(0, MAX_REASON_CHARS) };
}

function describe({ facts, targets, decision }: Assessed, { call, input }: ReadCall, signal: AbortSignal): GuardedCall {
  const { type, reason, source, rule, risk } = decision;
  return {
    tool: facts.name,
    effect: facts.effect,
    arguments: copyOf(input),
    paths: copyOf(pathsOf(targets)),
    targets: [...namesOf(targets)],
    decision: { type, reason, source, rule, risk },
    client: call.context?.client.name,
    meta: copyOf(call.meta),
    signal,
  };
}

function copyOf(value: unknown): never {
  return JSON.parse(JSON.stringify(value ?? {})) as never;
}
