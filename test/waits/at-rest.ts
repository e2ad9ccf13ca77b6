/**
 * Whether a process has come to rest: for tests that something does not go on, such as a writer that nobody reads. Linux.
 *
 * A thread that wants a slow or busy processor is running, not asleep, so a starved process is not at rest. A process
 * between two pieces of work may seem to be: a test must stay right then, and can only miss that something went on.
 */
import { readdirSync, readFileSync } from "node:fs";

/** To be looked at with `until`: true when all threads were asleep at two looks and none woke in between. */
export function restOf(pid: number): () => boolean {
  let last: string | undefined;
  return () => {
    const now = sleepOf(pid);
    const isAtRest = now !== undefined && now === last;
    last = now;
    return isAtRest;
  };
}

/** How often each thread went to sleep; `undefined` when one of them is awake. */
function sleepOf(pid: number): string | undefined {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8"),
  );
  if (!threads.every((status) => /^State:\s+S/m.test(status))) return undefined;
  return threads.map((status) => /^voluntary_ctxt_switches:.*$/m.exec(status)?.[0]).join();
}
