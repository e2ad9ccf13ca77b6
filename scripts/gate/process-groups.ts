/**
 * The process groups that the gate has started: a step or a test file that hangs, and a gate that is told to end, take with
 * them all that they have started.
 */

/** By the number of the first process. */
export const running: Set<number> = new Set();

export function endGroup(pid: number): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

export function endAllGroups(): void {
  for (const pid of running) endGroup(pid);
}
