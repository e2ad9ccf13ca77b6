/**
 * Which tools a name in the configuration means: a tool, a group, or a glob of names. Groups go by what a tool may do,
 * so that a tool that nobody has heard of yet is in the right one.
 */
import picomatch from "picomatch";

export interface ToolFacts {
  readonly name: string;
  /** Other names that a call may use. */
  readonly aliases?: readonly string[] | undefined;
  /** What it may do; of a tool of a consumer's own program of the plain kind, whether it changes something. */
  readonly effect: "read" | "change" | "run" | "reach" | "show";
  /** It does its own work, without the powers of a context. */
  readonly local?: boolean;
}

export const GROUPS: Readonly<Record<string, (tool: ToolFacts) => boolean>> = {
  "group:all": () => true,
  "group:fs": (tool) => !tool.local && (tool.effect === "read" || tool.effect === "change"),
  "group:read": (tool) => tool.effect === "read",
  "group:change": (tool) => tool.effect === "change",
  "group:runtime": (tool) => tool.effect === "run",
  "group:web": (tool) => tool.effect === "reach",
  "group:desktop": (tool) => tool.effect === "show",
  "group:memory": (tool) => tool.name.startsWith("memory_"),
  "group:messaging": (tool) => /^messages?_/.test(tool.name),
  "group:local": (tool) => tool.local === true,
};

const matchers = new Map<string, (name: string) => boolean>();

/** For what is allowed: by its own name. A client chooses the aliases of what it offers. */
export function matchesTool(pattern: string, tool: ToolFacts): boolean {
  if (pattern.startsWith("group:")) return Object.hasOwn(GROUPS, pattern) && GROUPS[pattern]?.(tool) === true;
  return matchesName(pattern, tool.name);
}

/** For what is denied or asked about: by any of its names. */
export function meansTool(pattern: string, tool: ToolFacts): boolean {
  return matchesTool(pattern, tool) || (tool.aliases?.some((alias) => matchesName(pattern, alias)) ?? false);
}

function matchesName(pattern: string, name: string): boolean {
  if (pattern === name || pattern === "*") return true;
  if (!/[*?[{(]/.test(pattern)) return false;
  let matcher = matchers.get(pattern);
  if (!matcher) matchers.set(pattern, (matcher = picomatch(pattern)));
  return matcher(name);
}
