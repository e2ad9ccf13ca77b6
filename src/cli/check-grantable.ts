/**
 * Whether a rule that a person types names a tool that can be: a name with a slip in it would be granted, and never asked for.
 * The host that it is for may have another configuration, or be another program, so every tool counts that a configuration could
 * bring, and every one on record. Groups are held to that too: those of packs of other programs are known by the record alone.
 */
import { readEvents, type AuditLine } from "../audit/index.ts";
import { Failure } from "../base/index.ts";
import type { Config } from "../config/index.ts";
import { turnedOffPacks } from "../packs/optional.ts";
import { GROUP_NAMES, isKnownSelector, parseRule } from "../policy/index.ts";
import { findStateFolder } from "../state/index.ts";
import { nearestNames } from "../text/index.ts";
import { grantableTools } from "./reach-facts.ts";

/** Patterns, and tools whose names begin as those that others bring. */
const OPEN = /^(?:client_|cmd_|mcp[_:]|space[_:])|[*?[{(]/;

/** Calls of tools that there were. */
const DECIDED: ReadonlySet<string> = new Set(["decided"]);

/** @throws Failure `invalid_input` */
export async function checkGrantable(rule: string, config: Config): Promise<void> {
  const { toolPattern: name } = parseRule({ allow: rule, source: "grant" });
  if (OPEN.test(name) || Object.hasOwn(turnedOffPacks(), name)) return;
  // Settings of packs that cannot be used are no matter of a grant.
  if (isKnownSelector(name, await grantableTools({ ...config, packSettings: {} }))) return;
  const isGroup = name.startsWith("group:");
  const isMeant = ({ tool, group }: AuditLine): boolean => (isGroup ? group === withoutPrefix(name) : tool === name);
  if (readEvents(findStateFolder(config.stateDir).audit, DECIDED).some(isMeant)) return;
  const [what, hint] = isGroup ? ["group", groupHint(name)] : ["tool", "`ringfence tools --all` lists them."];
  throw new Failure(
    "invalid_input",
    `Cannot allow ${JSON.stringify(rule)}: there is no ${what} ${JSON.stringify(name)}`,
    { hint },
  );
}

function groupHint(name: string): string {
  const [nearest] = nearestNames(withoutPrefix(name), GROUP_NAMES.map(withoutPrefix), 1);
  if (nearest !== undefined) return `Did you mean group:${nearest}?`;
  return "A group of another program's pack is known once one of its tools was called.";
}

function withoutPrefix(group: string): string {
  return group.slice("group:".length);
}
