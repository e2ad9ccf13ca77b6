/**
 * Which processes of this machine bear a mark in their arguments, and the wait for all of them to be gone. A mark is the
 * odd number that a test sleeps for, so that no process of another test has it.
 *
 * Usual mistake: `sleep 5` as the command that must not outlast its test. It ends by itself on a slow machine; what only
 * the host can have ended sleeps for hours.
 */
import { readdirSync, readFileSync } from "node:fs";
import { childrenOf } from "../../src/proc/tree/processes.ts";
import { until } from "../waits/until.ts";

/** Their command lines. A process that has ended and was not waited for has none. */
export function findRunning(mark: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const line = commandLineOf(Number(pid));
      return line.includes(mark) && Number(pid) !== process.pid ? [line] : [];
    });
}

export async function goneSoon(mark: string): Promise<void> {
  await until(`the end of "${mark}"`, () => findRunning(mark).length === 0);
}

/** Empty when it has ended, or when it has no arguments. */
export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** The launcher of a host in this process: the last one, because one of a test before may take a moment to end. */
export function findLauncher(): number {
  return Number(childrenOf(process.pid).findLast((pid) => /workers\/launcher\.[jt]s/.test(commandLineOf(pid))));
}
