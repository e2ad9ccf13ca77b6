/**
 * The tools for what the configuration declares, as far as there is a program for it. A command whose program is missing
 * is left out, as `doctor` and stderr say.
 */
import { logLine } from "../base/index.ts";
import type { RunTool } from "../contract/index.ts";
import type { Services } from "./services.ts";

export async function loadCommandTools({ config, launch }: Services): Promise<readonly RunTool[]> {
  const { commands, shell } = config;
  if (!launch || (shell === undefined && Object.keys(commands).length === 0)) return [];
  const { programs } = await launch("commands", {});
  const offered = Object.entries(commands).filter(([name]) => {
    const found = programs[name];
    if (found && "path" in found) return true;
    logLine(`the command ${name} is not offered: ${found?.missing ?? "the launcher does not know it"}`);
    return false;
  });
  const { commandTools } = await import("../tools/index.ts");
  return commandTools(Object.fromEntries(offered), shell !== undefined);
}
