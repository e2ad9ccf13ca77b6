/**
 * When a caller gives up: its signal, or its time limit, whichever is first. Whoever opens one ends it, so that neither a
 * timer nor a listener on a signal that lives longer stays behind.
 */
import type { CallOptions } from "./tool-host.ts";

export interface Stop {
  readonly reason: "cancelled" | "timed_out" | undefined;
  /** At once when it has happened already. */
  onStop(listener: (reason: "cancelled" | "timed_out") => void): void;
  end(): void;
}

export function openStop({ signal, timeoutMs }: CallOptions): Stop {
  const listeners: ((reason: "cancelled" | "timed_out") => void)[] = [];
  let reason: Stop["reason"];
  const stop = (why: "cancelled" | "timed_out"): void => {
    if (reason !== undefined) return;
    reason = why;
    for (const listener of listeners) listener(why);
  };
  const onAbort = (): void => stop("cancelled");
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop("timed_out"), timeoutMs);
  // No time at all is over before anything begins; a timer takes a millisecond, in which much is done.
  if (timeoutMs !== undefined && timeoutMs <= 0) stop("timed_out");
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);
  return {
    get reason() {
      return reason;
    },
    onStop(listener) {
      if (reason === undefined) listeners.push(listener);
      else listener(reason);
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
