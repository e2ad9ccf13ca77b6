/**
 * Which tools a name in the configuration means: a tool, a group, or a glob of names. Groups go by what a tool may do,
 * so that a tool that nobody has heard of yet is in the right one.
 */
import { compilePattern, type Pattern } from "../pattern/index.ts";
import { EFFECTS, type Effect } from "./effects.ts";
import { otherNames } from "./other-names.ts";

export interface ToolFacts {
  readonly name: string;
  /** Other names that a call may use. */
  readonly aliases?: readonly string[] | undefined;
  /** What it may do; of a tool of a consumer's own program of the plain kind, whether it changes something. */
  readonly effect: Effect;
  /** The tool does its own work, without the powers of a context. */
  readonly local?: boolean | undefined;
  /**
   * What it is about when that is no file: it is in `group:<name>` too, and not in `group:fs`. Paths that it touches are held
   * to what a rule denies or asks about `group:fs(PATH)` all the same.
   */
  readonly group?: string | undefined;
  /** The tool works on the notes of the memory, which no other tool changes. */
  readonly remembers?: boolean | undefined;
  /** A call sends something to an address of the configuration, whatever its effect: a list that denies `group:web` means it too. */
  readonly sends?: boolean | undefined;
  /** Profiles that it is in whatever its effect. */
  readonly profiles?: readonly string[] | undefined;
}

/** The tools of the web and of a browser. */
export const WEB: string = EFFECTS.reach.group;

/** Services that a tool reaches are no web: who closes the web does not mean them, and names their own groups. */
const SERVICES: readonly string[] = "objects k8s gmail gcal gdocs gdrive gtasks".split(" ");
/** What the host tells of itself. */
const HOST = "host";
const GROUPS_OF_PACKS: readonly string[] = ["memory", "media", "messaging", "sessions", "browser", HOST, "cron"].concat(
  SERVICES,
);

const GROUPS: Readonly<Record<string, (tool: ToolFacts) => boolean>> = {
  "group:all": () => true,
  "group:fs": (tool) => !tool.local && tool.group === undefined && EFFECTS[tool.effect].namesPathsOnly,
  ...groupsOfEffects(),
  // Of packs, whose tools name their group.
  ...Object.fromEntries(GROUPS_OF_PACKS.map((name) => [`group:${name}`, () => false])),
  [WEB]: (tool) => tool.group === "web" || tool.group === "browser",
  "group:minio": (tool) => tool.group === "objects",
  "group:local": (tool) => tool.local === true,
};

function groupsOfEffects(): Record<string, (tool: ToolFacts) => boolean> {
  return Object.fromEntries(
    Object.values(EFFECTS).map(({ group }) => [group, (tool: ToolFacts) => EFFECTS[tool.effect].group === group]),
  );
}

/** The groups that a configuration may name, whether a tool is in them or not. */
export const GROUP_NAMES: readonly string[] = Object.keys(GROUPS);

const patterns = new Map<string, Pattern>();
/** More than any configuration has; grants of clients come and go. */
const MAX_KEPT = 256;

/**
 * For what is allowed: by its own name, and by those that other programs have for it. A client and a server choose the aliases of
 * what they offer, so of their tools it is the own name alone.
 */
export function matchesTool(pattern: string, tool: ToolFacts): boolean {
  const ofOurs = tool.local === true ? [] : otherNames(tool);
  return (
    matchesGroup(pattern, tool) ??
    (matchesName(pattern, tool.name, false) ||
      ofOurs.some((name) => isSaid(pattern, name) || matchesDotted(pattern, name)))
  );
}

/** For what is denied or asked about: by any of its names. */
export function meansTool(pattern: string, tool: ToolFacts): boolean {
  if (pattern === WEB && reachesAtLarge(tool)) return true;
  const names = [tool.name, ...(tool.aliases ?? [])];
  return (
    matchesGroup(pattern, tool) ??
    (names.some((name) => matchesName(pattern, name, true)) ||
      otherNames(tool).some((name) => isSaid(pattern, name) || matchesDotted(pattern, name)))
  );
}

/** Flynn's `process.kill` also in its plain form, `process_kill`. */
function isSaid(pattern: string, name: string): boolean {
  return pattern === name || (name.includes(".") && pattern === name.replaceAll(".", "_"));
}

/**
 * A glob means the other names only where both have a dot (`file.*`): no name of ours has one, so that nobody who writes
 * `*_file` for our tools means `move_file`, which is `move` elsewhere.
 */
function matchesDotted(pattern: string, name: string): boolean {
  return name.includes(".") && pattern.includes(".") && matchesName(pattern, name, false);
}

/** What nobody has heard of counts as the web where that is closed, and nowhere else. */
function reachesAtLarge({ effect, group = "" }: ToolFacts): boolean {
  return EFFECTS[effect].group === WEB && !SERVICES.includes(group);
}

/** Whether a tool that only reads is about files or about this host, and not about what another group has. */
export function isBasic({ group }: ToolFacts): boolean {
  return group === undefined || group === HOST;
}

/** For a list of what is not there. */
export function leavesOut(pattern: string, tool: ToolFacts): boolean {
  return meansTool(pattern, tool) || (pattern === WEB && tool.sends === true);
}

/** `undefined` for a pattern of names. */
export function matchesGroup(pattern: string, tool: ToolFacts): boolean | undefined {
  if (!pattern.startsWith("group:")) return undefined;
  if (tool.group !== undefined && pattern === `group:${tool.group}`) return true;
  return Object.hasOwn(GROUPS, pattern) && GROUPS[pattern]?.(tool) === true;
}

/** A group that a configuration may name, whether a tool is in it or not. */
export function isKnownGroup(pattern: string): boolean {
  return Object.hasOwn(GROUPS, pattern);
}

function matchesName(pattern: string, name: string, whenTooLong: boolean): boolean {
  if (pattern === name || pattern === "*") return true;
  if (!/[*?[{(]/.test(pattern)) return false;
  const key = `${String(whenTooLong)} ${pattern}`;
  let known = patterns.get(key);
  if (!known) {
    if (patterns.size >= MAX_KEPT) patterns.clear();
    known = compilePattern(pattern, { dot: false, ignoreCase: false, whenTooLong });
    patterns.set(key, known);
  }
  return known.matches(name);
}
