/**
 * What is left for one call: of the mode, by what the caller asks for and by the overrides for its client, agent,
 * provider and skill; of the tools, by the same. All of them only take something away.
 */
import { Failure } from "../../base/index.ts";
import type { Config, Overrides } from "../../config/index.ts";
import {
  EFFECTS,
  MODES,
  hiddenByPolicy,
  leftOutBy,
  narrowMode,
  type Mode,
  type Override,
  type SkillPermissions,
  type ToolFacts,
} from "../../policy/index.ts";
import type { Call } from "../call.ts";

export interface NarrowedCall {
  readonly mode: Mode;
  /** Why the tool is not left. */
  readonly leftOut?: { readonly by: string; readonly why: string };
  /** What the skill of the call may use. */
  readonly skill?: SkillPermissions | undefined;
}

/** A part of a change is left as its own tool is; of what stands in a text, what no list denies. */
export function partLeftOut(tool: ToolFacts, call: Call, config: Config, isSection: boolean): string | undefined {
  const { toolList: tools, readOnly } = config;
  const profile = isSection ? "full" : config.profile;
  const { leftOut } = narrowCall(tool, call, config, isSection);
  return hiddenByPolicy(tool, { profile, tools, readOnly }) ?? leftOut?.why;
}

/** @throws Failure `invalid_input` for a mode or a name that is none: its caller meant to be held to something */
export function narrowCall(
  tool: ToolFacts,
  { meta, context }: Call,
  config: Config,
  isOnlyDenied = false,
): NarrowedCall {
  const asked = meta["dev.ringfence/mode"];
  if (asked !== undefined && !MODES.includes(asked as Mode))
    throw new Failure(
      "invalid_input",
      `Cannot make the call: _meta["dev.ringfence/mode"] is none of ${MODES.join(", ")}`,
    );
  let mode = narrowMode(config.mode, asked);
  let skill: SkillPermissions | undefined;
  const named: readonly (readonly [string, string | undefined, Overrides])[] = [
    ["client", context?.client.name, config.clients],
    ["agent", nameIn(meta, "agent"), config.agents],
    ["provider", nameIn(meta, "provider"), config.providers],
    ["skill", nameIn(meta, "skill"), config.skills],
  ];
  for (const [kind, name, overrides] of named) {
    if (name === undefined) continue;
    const override = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
    // A skill that nobody has listed has no tools; of the others nothing is taken away.
    if (!override && kind !== "skill") continue;
    const { tools: { deny } = {}, read_only } = override ?? {};
    const why = isOnlyDenied
      ? leftOutBy(tool, { tools: { deny }, read_only })
      : leftOutBy(tool, override ?? {}, kind === "skill");
    if (why !== undefined) return { mode, leftOut: { by: `${kind} ${JSON.stringify(name).slice(0, 100)}`, why } };
    if (override?.permissions && writesNotes(tool) && !namesTool(override, tool))
      return { mode, leftOut: { by: `${kind} ${JSON.stringify(name).slice(0, 100)}`, why: UNNAMED } };
    mode = narrowMode(mode, override?.mode);
    skill = override?.permissions ?? skill;
  }
  return skill ? { mode, skill } : { mode };
}

/** @throws Failure `invalid_input` for what is no string: no limit would be found under it */
function nameIn(meta: Call["meta"], key: "agent" | "provider" | "skill"): string | undefined {
  const name = meta[`dev.ringfence/${key}`];
  if (name === undefined || typeof name === "string") return name;
  throw new Failure("invalid_input", `Cannot make the call: _meta["dev.ringfence/${key}"] must be a string`);
}

const UNNAMED = "it writes notes that last, and its permissions do not name it";

/** No path of a permission holds a note. */
function writesNotes({ remembers, effect }: ToolFacts): boolean {
  return remembers === true && !EFFECTS[effect].onlyReads;
}

/** By its own name, and not by a pattern that means more. */
function namesTool({ tools }: Override, { name }: ToolFacts): boolean {
  return tools?.allow?.includes(name) ?? false;
}
