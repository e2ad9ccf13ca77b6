/**
 * Work that a signal stops in order: it fails as `cancelled`, its end goes on record and a change under way is finished or
 * taken back, where the signal alone would end the process in the middle. Whatever the command would begin after that is
 * stopped too. A second signal ends the process, and so does one that comes while nothing is under way.
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
