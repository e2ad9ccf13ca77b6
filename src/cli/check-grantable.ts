/**
 * Whether a rule that a person types names a tool that can be: a name with a slip in it would be granted, and never asked for.
 * The host that it is for may have another configuration, or be another program, so every tool counts that a configuration could
 * bring, and every one on record.
 */
import { readEvents } from "../audit/index.ts";
import { Failure } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import { turnedOffPacks } from "../packs/index.ts";
import { isKnownSelector, parseRule } from "../policy/index.ts";
import { openStateFolder } from "../state/index.ts";
import { grantableTools } from "./reach-facts.ts";

/** Groups, patterns, and tools whose names begin as those that others bring. */
const OPEN = /^(?:group:|client_|cmd_|mcp[_:]|space[_:])|[*?[{(]/;

/** Calls of tools that there were. */
const DECIDED: ReadonlySet<string> = new Set(["decided"]);

/** @throws Failure `invalid_input` */
export async function checkGrantable(rule: string, config: Config): Promise<void> {
  const { toolPattern: name } = parseRule({ allow: rule, source: "grant" });
  if (OPEN.test(name) || Object.hasOwn(turnedOffPacks(), name)) return;
  // Settings of packs that cannot be used are no matter of a grant.
  if (isKnownSelector(name, await grantableTools({ ...config, packSettings: {} }))) return;
  if (readEvents(openStateFolder(config.stateDir).audit, DECIDED).some(({ tool }) => tool === name)) return;
  throw new Failure("invalid_input", `Cannot allow ${JSON.stringify(rule)}: there is no tool ${JSON.stringify(name)}`, {
    hint: "`ringfence tools --all` lists them.",
  });
}
