/**
 * Ending processes that may fork while they are looked at: all of them are stopped first, again and again until nobody new
 * is found, and a stopped one forks no more. Then they are ended together.
 *
 * Usual mistake: to end each as it is found; what it started a moment before has another parent then.
 */
import { descendantsOf, lookAt } from "./process-table.ts";

/** More rounds than a machine has processes that it could hide in. */
const MAX_ROUNDS = 300;
const POLL_MS = 10;
const FIRST_POLL_MS = 1;
const SOON = 5;

/** @param find who is there now @returns whether nobody is left */
export async function endThose(find: () => readonly number[], killAtOnce?: () => void): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    killAtOnce?.();
    const stopped = new Set<number>();
    for (let fresh = find(); fresh.length > 0; fresh = find().filter((pid) => !stopped.has(pid)))
      for (const pid of fresh) {
        stopped.add(pid);
        send(pid, "SIGSTOP");
      }
    if (stopped.size === 0) return true;
    for (const pid of stopped) send(pid, "SIGKILL");
    await Bun.sleep(round < SOON ? FIRST_POLL_MS : POLL_MS);
  }
  return find().length === 0;
}

/** Everything that came from a process; it stays itself. */
export async function endAllFrom(pid: number): Promise<void> {
  await endThose(() => descendantsOf(pid).filter(isRunning));
}

export function isRunning(pid: number): boolean {
  const found = lookAt(pid);
  return found !== undefined && found.state !== "Z" && found.state !== "X";
}

export function send(pid: number, signal: "SIGTERM" | "SIGKILL" | "SIGSTOP"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
