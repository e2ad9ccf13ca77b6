/**
 * Whether a test may mount a file system of its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { component } from "./component.ts";

export function canMount(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== "linux" || component("mount").isMissing) return false;
  const folder = mkdtempSync("/tmp/ringfence-mount-");
  const { exitCode } = Bun.spawnSync(["mount", "-t", "tmpfs", "tmpfs", folder], { stderr: "ignore" });
  if (exitCode === 0) Bun.spawnSync(["umount", folder]);
  rmSync(folder, { recursive: true, force: true });
  return exitCode === 0;
}
