/**
 * When this process was started, as the kernel counts it: execve(2) leaves it as it is, and nobody can know it who sets a
 * variable for a start to come. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
import { readFileSync } from "node:fs";

/** Field 22; the name before it may hold blanks and brackets. */
const AFTER_NAME = 22 - 3;

export function startTime(): string {
  const stat = readFileSync("/proc/self/stat", "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[AFTER_NAME] ?? "";
}
