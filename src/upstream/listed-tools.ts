/**
 * What a server says about its tools, bounded, in a form that can be kept, hashed and compared. Only what is shown to a
 * model or to the person who approves it counts: a changed word is a changed tool.
 */
import { createHash } from "node:crypto";
import { limits } from "../base/index.ts";
import { readableText } from "../contract/index.ts";

export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  /** Hints of the server's; shown to who approves it, believed by nobody. */
  readonly annotations?: unknown;
}

const NAME = /^[!-~]{1,128}$/;
const MAX_TEXT_CHARS = 8192;
const MAX_PROBLEMS = 20;

/** @param given unchecked */
export function readListedTools(given: readonly unknown[]): { tools: ListedTool[]; problems: string[] } {
  const tools = new Map<string, ListedTool>();
  const problems: string[] = [];
  for (const one of given.slice(0, limits.MAX_FOREIGN_TOOLS)) {
    const read = readTool(one);
    if (typeof read === "string") problems.push(read);
    else if (tools.has(read.name)) problems.push(`${read.name} is there twice`);
    else tools.set(read.name, read);
  }
  const more = given.length - limits.MAX_FOREIGN_TOOLS;
  if (more > 0) problems.push(`${more} tools more than the ${limits.MAX_FOREIGN_TOOLS} that one server may offer`);
  // In the order of their names: a server that shuffles them has changed nothing.
  const sorted = [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { tools: sorted, problems: problems.slice(0, MAX_PROBLEMS) };
}

function readTool(one: unknown): ListedTool | string {
  if (typeof one !== "object" || one === null) return "one is no tool";
  const { name, title, description, inputSchema, annotations } = one as Partial<Record<keyof ListedTool, unknown>>;
  if (typeof name !== "string" || !NAME.test(name)) return `${readableText(name, 60) || "one"} has no usable name`;
  const size = JSON.stringify(inputSchema ?? {}).length + JSON.stringify(annotations ?? {}).length;
  if (size > limits.MAX_FOREIGN_SCHEMA_BYTES) return `${name} has a schema of ${size} characters`;
  return {
    name,
    ...(typeof title === "string" ? { title: title.slice(0, MAX_TEXT_CHARS).toWellFormed() } : {}),
    ...(typeof description === "string" ? { description: description.slice(0, MAX_TEXT_CHARS).toWellFormed() } : {}),
    inputSchema: inputSchema ?? {},
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/** A hash that is equal for equal tools, whatever the order of their members. */
export function hashTools(tools: readonly unknown[]): string {
  return createHash("sha256").update(canonicalJson(tools)).digest("hex");
}

export interface ToolChanges {
  readonly same: readonly string[];
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

export function compareTools(approved: readonly ListedTool[], seen: readonly ListedTool[]): ToolChanges {
  const now = new Map(seen.map((tool) => [tool.name, hashTools([tool])]));
  const before = new Map(approved.map((tool) => [tool.name, hashTools([tool])]));
  const known = [...before.keys()].filter((name) => now.has(name));
  return {
    same: known.filter((name) => now.get(name) === before.get(name)),
    changed: known.filter((name) => now.get(name) !== before.get(name)),
    added: [...now.keys()].filter((name) => !before.has(name)),
    gone: [...before.keys()].filter((name) => !now.has(name)),
  };
}

/** Members in the order of their names. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  );
}
