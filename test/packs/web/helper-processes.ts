/**
 * The processes that a host has started for the code of powers, as the system shows them.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { WebHost } from "./web-host.ts";

/** The processes below the host that were started for the code of a power, by what their start was told. */
export function helpersOf({ serve }: WebHost): readonly number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))] as const),
  );
  const isBelow = (pid: number): boolean => {
    for (let one = parents.get(pid) ?? 0; one > 1; one = parents.get(one) ?? 0)
      if (one === serve.child.pid) return true;
    return false;
  };
  return [...parents.keys()].filter((pid) => isBelow(pid) && startOf(pid).includes("helper:"));
}

function parentOf(pid: number): number {
  return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readText(`/proc/${pid}/stat`))?.[1] ?? 0);
}

function startOf(pid: number): string {
  return isRunning(pid) ? readText(`/proc/${pid}/environ`) : "";
}

export function isRunning(pid: number): boolean {
  return /^\d+ \(.*\) [^ZX]/s.test(readText(`/proc/${pid}/stat`));
}

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
