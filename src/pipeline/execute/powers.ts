/**
 * The powers that a pack brings, as its tools have them: each function is a call to the process that has the code. What comes
 * back is held to the schema of the answer, because that process may have parsed hostile bytes.
 */
import { Failure, limits, toAbortSignal } from "../../base/index.ts";
import type { AnyTool, AnyPackPower, PowerJob } from "../../contract/index.ts";
import type { Call } from "../call.ts";
import type { Services } from "../services.ts";
import { withinDeadline } from "./deadline.ts";

type Ask = (ask: unknown) => Promise<unknown>;

/** Bound to one call, by the name of the power. */
export function createPowers(host: Services, call: Call, tool: AnyTool): Readonly<Record<string, object>> {
  const settings = host.packs.settingsOf(tool);
  const bind = (power: AnyPackPower): object =>
    Object.fromEntries(
      Object.keys(power.calls).map((name): [string, Ask] => [
        name,
        async (ask) => await callPower(host, { power, name, settings }, ask, call),
      ]),
    );
  return Object.fromEntries(host.packs.powersOf(tool).map((power) => [power.name, bind(power)]));
}

interface Called {
  readonly power: AnyPackPower;
  readonly name: string;
  readonly settings: unknown;
}

async function callPower(host: Services, called: Called, ask: unknown, { signal }: Call): Promise<unknown> {
  const { power, name, settings } = called;
  const { answerBytes = limits.HELPER_ANSWER_BYTES } = power;
  const timeoutMs = host.policy.budget.timeoutMs(power.timeoutMs ?? limits.HELPER_CALL_MS);
  const answer =
    power.runsIn === "host"
      ? await withinDeadline(callHere(host, called, ask, { settings, signal: toAbortSignal(signal) }), {
          timeoutMs,
          signal,
          clock: host.clock,
        })
      : await host.packs.helper(power, settings).call(name, ask, { signal, timeoutMs, answerBytes });
  const parsed = power.calls[name]?.[1].safeParse(answer);
  if (parsed?.success) return parsed.data;
  throw new Failure("command_failed", `Cannot use the answer of ${power.name}.${name}: it has not the declared form`);
}

async function callHere(host: Services, { power, name }: Called, ask: unknown, job: PowerJob): Promise<unknown> {
  const handlers = (await host.packs.code(power)) as Readonly<Record<string, (ask: unknown, job: PowerJob) => unknown>>;
  return await handlers[name]?.(power.calls[name]?.[0].parse(ask), job);
}
