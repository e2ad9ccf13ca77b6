/**
 * How a person allows a call for good, at a terminal. A grant holds for hosts with the same roots, so the command names them.
 */
import { terminalCommand } from "../text/index.ts";
import type { Host } from "./host.ts";

export function grantCommand({ config }: Pick<Host, "config">, rule: string): string {
  const roots = config.roots.flatMap(({ path }) => ["--root", path]);
  return terminalCommand(["grants", "add", rule, ...roots], config.stateDir);
}
