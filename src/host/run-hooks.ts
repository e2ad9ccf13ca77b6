/**
 * Programs of the configuration around a call: one that may make the decision stricter before it, one that is told how it
 * ended. JSON in, `{"decision": "allow" | "ask" | "deny", "reason": "..."}` out, within a time limit. Whatever goes wrong
 * means ask: a program that cannot answer has allowed nothing.
 */
import { logLine } from "../base/index.ts";
import type { HookText } from "../config/index.ts";
import type { Decision } from "../policy/index.ts";
import { runHook } from "../proc/index.ts";
import type { Assessed } from "./assess.ts";
import type { Call } from "./call.ts";
import { hooksOf } from "./hooks.ts";
import type { Host } from "./host.ts";

const DEFAULT_TIMEOUT_MS = 5000;
const STRICTNESS: Readonly<Record<Decision["type"], number>> = { allow: 0, ask: 1, deny: 2 };

export function askHooks(
  host: Host,
  assessed: Assessed,
  call: Call,
  input: unknown,
): Assessed | Promise<Assessed> {
  const hooks = hooksOf(host, assessed.facts).filter(({ before }) => before !== undefined);
  return hooks.length === 0 ? assessed : askInTurn(hooks, assessed, call, input);
}

async function askInTurn(
  hooks: readonly HookText[],
  assessed: Assessed,
  call: Call,
  input: unknown,
): Promise<Assessed> {
  let { decision } = assessed;
  for (const hook of hooks) {
    if (decision.type === "deny") break;
    const said = await askProgram(hook, { ...describe(assessed, call), arguments: input, decision });
    if (STRICTNESS[said.type] > STRICTNESS[decision.type])
      decision = { ...decision, ...said, source: "hooks", rule: hook.tool };
  }
  return { ...assessed, decision };
}

async function askProgram(
  hook: HookText,
  about: object,
): Promise<{ type: Decision["type"]; reason: string }> {
  try {
    const text = await runHook(
      hook.before ?? [],
      JSON.stringify(about),
      hook.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    );
    const { decision = "allow", reason = "a hook decided it" } = JSON.parse(text || "{}") as {
      decision?: unknown;
      reason?: unknown;
    };
    if (decision === "allow" || decision === "ask" || decision === "deny")
      return { type: decision, reason: String(reason).slice(0, 500) };
    throw new Error(`it answered ${JSON.stringify(decision).slice(0, 100)}`);
  } catch (thrown) {
    logLine(`the hook of ${hook.tool} failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return { type: "ask", reason: "a hook that should decide could not" };
  }
}

/** Nobody waits for it. */
export function tellHooks(host: Host, assessed: Assessed, call: Call): void {
  for (const hook of hooksOf(host, assessed.facts)) {
    if (!hook.after) continue;
    const about = JSON.stringify({ ...describe(assessed, call), decision: assessed.decision });
    runHook(hook.after, about, hook.timeout_ms ?? DEFAULT_TIMEOUT_MS).catch((thrown: unknown) =>
      logLine(`the hook of ${hook.tool} failed: ${String(thrown)}`),
    );
  }
}

function describe({ facts, paths }: Assessed, { request }: Call): object {
  return { tool: facts.name, effect: facts.effect, paths, request };
}
