/**
 * How a person allows a call for good, at a terminal. A grant holds for hosts with the same roots, so the command names them.
 */
import { rootFlags, type Config } from "../config/index.ts";
import { terminalCommand } from "../text/index.ts";

export function grantCommand({ roots, stateDir }: Pick<Config, "roots" | "stateDir">, rule: string): string {
  return terminalCommand(["grants", "add", rule, ...rootFlags(roots)], stateDir);
}
