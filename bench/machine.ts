/**
 * Where and when a run was made, and of what: numbers of one machine say nothing about another.
 */
import { spawnSync } from "node:child_process";
import { cpus, release, totalmem, type } from "node:os";
import { dirname } from "node:path";

export interface Machine {
  readonly date: string;
  /** Short hash. */
  readonly commit: string;
  /** Whether anything that is built or measured differed from the commit. */
  readonly isDirty: boolean;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryMb: number;
  readonly kernel: string;
  readonly bun: string;
  readonly node: string;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    date: new Date().toISOString(),
    commit: output("git", ["rev-parse", "--short", "HEAD"]) || "unknown",
    isDirty: output("git", ["status", "--porcelain", "--", ...BUILT_FROM]) !== "",
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryMb: Math.round(totalmem() / 1e6),
    kernel: `${type()} ${release()}`,
    bun: Bun.version,
    node: output("node", ["--version"]),
  };
}

const BUILT_FROM = ["src", "workers", "bench", "scripts", "package-lock.json"];

function output(command: string, args: readonly string[]): string {
  const result = spawnSync(command, args, { cwd: dirname(import.meta.dir), encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : "";
}
