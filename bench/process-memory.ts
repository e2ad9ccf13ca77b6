/**
 * The memory of another process as Linux counts it. RSS counts every resident page, also those of the program file that
 * other processes share; PSS counts a shared page by its share. https://docs.kernel.org/filesystems/proc.html
 */
import { readFileSync, writeFileSync } from "node:fs";

/** In MB of 1,048,576 bytes, as the kernel and every process monitor count memory. */
export interface ProcessMemory {
  readonly rss: number;
  readonly pss: number;
}

export const CAN_READ_MEMORY: boolean = process.platform === "linux";

export function readMemory(pid: number): ProcessMemory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return { rss: parseField(text, "Rss"), pss: parseField(text, "Pss") };
}

/** The highest RSS since the process began, or since `resetPeak`. */
export function readPeak(pid: number): number {
  return parseField(readFileSync(`/proc/${pid}/status`, "utf8"), "VmHWM");
}

/** 5 is "reset the peak resident set size" of proc(5). */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** `Rss:   1234 kB`; a kB of the kernel is 1,024 bytes. @throws Error when there is no such line */
export function parseField(text: string, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1];
  if (kilobytes === undefined) throw new Error(`Cannot read the memory: there is no ${name}`);
  return Number(kilobytes) / 1024;
}
