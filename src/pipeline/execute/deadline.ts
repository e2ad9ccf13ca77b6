/**
 * Code of a consumer's program gets a deadline too: the call is answered when it is over or when its caller leaves, even
 * if the code never returns. What it does afterwards is ignored; nothing here can stop it, but it is watched until it ends.
 */
import { limits, stoppedCall, type Clock, type StopSignal } from "../../base/index.ts";
import type { Tool } from "../../contract/index.ts";
import type { Services } from "../services.ts";

interface Deadline {
  readonly timeoutMs: number;
  readonly signal: StopSignal;
  readonly clock: Clock;
}

/** @throws Failure `timed_out`, `cancelled`, or what the work throws */
export async function withinDeadline<T>(work: T | Promise<T>, { timeoutMs, signal, clock }: Deadline): Promise<T> {
  if (!(work instanceof Promise)) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  using _ = clock.after(timeoutMs, () => reject(stoppedCall("timed_out")));
  const cancel = (): void => reject(stoppedCall("cancelled"));
  // A signal of the platform says so once, to those who listen by then.
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel);
  return await Promise.race([work, promise]);
}

export function timeoutOf(host: Services, tool: Tool): number {
  return host.policy.budget.timeoutMs(tool.timeoutMs ?? limits.DEFAULT_CALL_MS);
}
