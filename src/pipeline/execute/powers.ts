/**
 * The powers that a pack brings, as its tools have them: each function is a call to the process that has the code. What comes
 * back is held to the schema of the answer, because that process may have parsed hostile bytes.
 */
import { Failure, limits } from "../../base/index.ts";
import type { AnyPackPower, PowerJob } from "../../contract/index.ts";
import type { Services } from "../services.ts";
import { withinDeadline } from "./deadline.ts";

/** One use of a power by a tool. */
export interface PowerUse {
  readonly host: Services;
  readonly power: AnyPackPower;
  readonly settings: unknown;
  /** Aborted when the caller leaves and when the call is over. */
  readonly signal: AbortSignal;
}

/** The functions of a power, bound to one call. */
export function createPower(use: PowerUse): Readonly<Record<string, (ask: unknown) => Promise<unknown>>> {
  const names = Object.keys(use.power.calls);
  return Object.fromEntries(names.map((name) => [name, async (ask: unknown) => await callPower(use, name, ask)]));
}

/** @throws Failure of its process, and where the answer has not the declared form */
export async function callPower(use: PowerUse, name: string, ask: unknown): Promise<unknown> {
  const { host, power, settings, signal } = use;
  const { answerBytes = limits.HELPER_ANSWER_BYTES } = power;
  const timeoutMs = host.policy.budget.timeoutMs(power.timeoutMs ?? limits.HELPER_CALL_MS);
  const answer =
    power.runsIn === "host"
      ? await withinDeadline(callHere(use, name, ask), { timeoutMs, signal, clock: host.clock })
      : await host.packs.helper(power, settings).call(name, ask, { signal, timeoutMs, answerBytes });
  const parsed = power.calls[name]?.[1].safeParse(answer);
  if (parsed?.success) return parsed.data;
  throw new Failure("command_failed", `Cannot use the answer of ${power.name}.${name}: it has not the declared form`, {
    hint: "Tell the person: the pack of this tool has to be mended.",
  });
}

type Handler = (ask: unknown, job: PowerJob) => unknown;

async function callHere({ host, power, settings, signal }: PowerUse, name: string, ask: unknown): Promise<unknown> {
  const handlers = (await host.packs.code(power)) as Readonly<Record<string, Handler>>;
  return await handlers[name]?.(power.calls[name]?.[0].parse(ask), { settings, signal });
}
