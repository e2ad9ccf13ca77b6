/**
 * The first gate: which tools there are. The profile, plus what is allowed, minus what is denied; deny always wins. What
 * overrides for a client, agent, provider or skill leave out can still be listed, because the list is fixed for a
 * process, and is refused when it is called.
 */
import { EFFECTS } from "./effects.ts";
import type { SkillPermissions } from "./skill/skill-reach.ts";
import { isBasic, isKnownGroup, leavesOut, matchesTool, meansTool, type ToolFacts } from "./groups.ts";

/**
 * `minimal`: reading files and what this host is · `messaging`: that, all other reading, messages, memory and what names this
 * profile (a search of the web, reading from services) · `coding`: that, and everything but the desktop · `full`: everything. Each has all that the one before it has.
 */
export type Profile = "minimal" | "messaging" | "coding" | "full" | "none";

/** `none` is only what an own profile with a list and no other under it stands on. */
export const PROFILES: readonly Profile[] = ["minimal", "messaging", "coding", "full"];

export interface ToolList {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

export interface Selection {
  readonly profile: Profile;
  readonly tools: ToolList;
  readonly readOnly: boolean;
}

/** What is left of the tools for one client, agent, provider or skill. Without profile and `allow` it is all of them. */
export interface Override {
  readonly profile?: Profile | undefined;
  readonly tools?: ToolList | undefined;
  readonly mode?: string | undefined;
  readonly read_only?: boolean | undefined;
  /** What a call of a skill may use besides its tools, from its manifest. */
  readonly permissions?: SkillPermissions | undefined;
}

/** What a profile adds to the one before it, besides the tools that name it. */
const ADDED: Readonly<Record<Profile, (tool: ToolFacts) => boolean>> = {
  minimal: (tool) => isReading(tool) && isBasic(tool),
  messaging: (tool) => isReading(tool) || matchesTool("group:messaging", tool) || matchesTool("group:memory", tool),
  coding: (tool) => !matchesTool("group:desktop", tool),
  full: () => true,
  none: () => false,
};

function isReading({ effect, local }: ToolFacts): boolean {
  return EFFECTS[effect].onlyReads && local !== true;
}

/** Why a tool is not there, or `undefined` when it is. */
export function hiddenByPolicy(tool: ToolFacts, { profile, tools, readOnly }: Selection): string | undefined {
  if (readOnly && !EFFECTS[tool.effect].onlyReads) return "this host only reads";
  if (isDenied(tools, tool)) return "the configuration denies it";
  if (isInProfile(profile, tool) || anyMatches(tools.allow, tool)) return undefined;
  return "it is not in the profile";
}

/** Why one override leaves a tool out, or `undefined`. @param isListNeeded without a list nothing is left */
export function leftOutBy(tool: ToolFacts, override: Override, isListNeeded = false): string | undefined {
  const { profile, tools = {}, read_only: readOnly } = override;
  if (readOnly === true && !EFFECTS[tool.effect].onlyReads) return "only reading is left";
  if (isDenied(tools, tool)) return "it is denied there";
  if (profile === undefined && tools.allow === undefined) return isListNeeded ? "it has no list of tools" : undefined;
  const isLeft = (profile && isInProfile(profile, tool)) === true || anyMatches(tools.allow, tool);
  return isLeft ? undefined : "it is not in the list";
}

function isInProfile(profile: Profile, tool: ToolFacts): boolean {
  return PROFILES.slice(0, PROFILES.indexOf(profile) + 1).some(
    (one) => ADDED[one](tool) || tool.profiles?.includes(one) === true,
  );
}

function isDenied({ deny }: ToolList, tool: ToolFacts): boolean {
  return deny?.some((pattern) => leavesOut(pattern, tool)) ?? false;
}

function anyMatches(patterns: readonly string[] | undefined, tool: ToolFacts): boolean {
  return patterns?.some((pattern) => matchesTool(pattern, tool)) ?? false;
}

/** Names in the configuration that mean no tool at all. */
export function isKnownSelector(pattern: string, tools: readonly ToolFacts[]): boolean {
  return isKnownGroup(pattern) || tools.some((tool) => meansTool(pattern, tool));
}
