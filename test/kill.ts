/** Ending processes of a host, of which one may take others with it while a test still has their numbers. */

/** SIGKILL for each that still runs; one that has ended meanwhile is what was asked for. */
export function killAll(pids: Iterable<number>): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
