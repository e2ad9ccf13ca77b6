/**
 * Whether a host would start with the roots that a client is given, by what a start checks: nobody is told that a client is set up
 * that cannot start its server. Nothing is written.
 */
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { loadConfig, type RawConfig } from "../../config/index.ts";
import { isInside, Scope } from "../../scope/index.ts";
import { checkStart } from "../../start/index.ts";
import { COMMAND_DEFAULTS } from "../command.ts";
import { messages } from "../print.ts";

/** Warns of a root that has the home directory in it. @throws Failure as a start with these roots */
export async function checkRoots(roots: readonly string[], raw: RawConfig): Promise<void> {
  const { config } = await loadConfig({ ...raw, roots: [...roots] }, COMMAND_DEFAULTS);
  using scope = new Scope({ roots: config.roots, containment: "portable" });
  // Without a state folder no root lies in it, and none is made here.
  if (existsSync(config.stateDir)) checkStart(config);
  const home = existsSync(homedir()) ? realpathSync(homedir()) : undefined;
  if (home === undefined) return;
  if (scope.roots.some(({ handle }) => isInside(home, handle.canonical)))
    messages().warn("the client will reach all of your home directory; name a project with --root DIR");
}
