/**
 * Lets a signal cancel work in order: the work fails as `cancelled`, its end is recorded, and a change under way is finished or
 * reverted, where the signal alone would end the process in the middle. Whatever the command would begin after that is
 * cancelled too. A second signal ends the process, and so does one that comes while nothing is under way.
 */
import { StopSource, type StopSignal } from "../base/index.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const stopped = new StopSource();
const stop = (): void => stopped.abort();

export async function stopBySignal<T>(work: (signal: StopSignal) => Promise<T>): Promise<T> {
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(stopped);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
