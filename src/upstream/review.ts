/**
 * What a server says about its tools, bounded, in a form that can be kept, hashed and compared; and what a person approved of
 * them, beside what the server was last seen to have. Only what is shown to a model or to the person who approves it counts: a
 * changed word is a changed tool. What is the same is offered; everything else waits until it was looked at.
 */
import { createHash } from "node:crypto";
import { canonicalJson, Failure, limits } from "../base/index.ts";
import { remoteWords } from "../contract/index.ts";
import { count, readableText, showUnseen, unseenIn } from "../text/index.ts";
import type { UpstreamDeclaration } from "../proc/index.ts";
import { UpstreamStore, type KeptTools, type UpstreamStatus } from "../state/index.ts";

export interface Review extends ToolChanges {
  readonly approved: readonly ListedTool[];
  /** Absent when the server was never asked. */
  readonly seen: (KeptTools & { readonly tools: readonly ListedTool[] }) | undefined;
  /** Why not all of it is offered, and what is to be done. */
  readonly todo?: string;
}

/**
 * @param stateDir the state folder, opened before
 * @param flags those with which a command finds the same servers
 */
export function openUpstreamStore(stateDir: string, flags: readonly string[] = []): UpstreamStore {
  return new UpstreamStore(stateDir, hashTools, flags);
}

export function reviewOf(store: UpstreamStore, server: string): Review {
  const kept = store.tools(server, "approved");
  const seen = store.tools(server, "seen") as Review["seen"];
  const approved = (kept?.tools ?? []) as readonly ListedTool[];
  const changes = { ...compareTools(approved, seen?.tools ?? approved), approved, seen };
  const command = `\`${store.reviewCommand(server)}\``;
  if (!kept) return { ...changes, todo: `none of its tools are offered until a person has looked at them: ${command}` };
  const news = (["changed", "gone", "added"] as const)
    .filter((kind) => changes[kind].length > 0)
    .map((kind) => `${kind}: ${changes[kind].join(", ")}`);
  if (news.length === 0) return changes;
  return { ...changes, todo: `withheld until a person has looked (${news.join("; ").slice(0, 500)}): ${command}` };
}

/** One server for people: where it is, what it offers, what it did. */
export interface ServerView {
  readonly name: string;
  /** The server's program, or its address. */
  readonly at: string;
  /** How many of its tools are offered. */
  readonly offered: number;
  readonly todo?: string;
  /** The state in the last host that used it; absent when none has. */
  readonly status?: UpstreamStatus;
}

export function viewServer(
  store: UpstreamStore,
  name: string,
  { url, command = "", args = [] }: UpstreamDeclaration,
): ServerView {
  const { same, todo } = reviewOf(store, name);
  const status = store.status(name);
  return {
    name,
    at: url ?? [command, ...args].join(" ").slice(0, 200),
    offered: same.length,
    ...(todo === undefined ? {} : { todo }),
    ...(status ? { status } : {}),
  };
}

/** The view in one line. */
export function describeView({ name, at, offered, todo, status }: ServerView): string {
  const did = status
    ? `; ${status.at}: ${status.said}, started ${count(status.starts, "time")}, failed ${count(status.failures, "time")}${status.fence === undefined ? "" : `, fence: ${status.fence}`}`
    : "; not started so far";
  return `${name} (${at}): ${count(offered, "tool")} offered${did}${todo === undefined ? "" : `; ${todo}`}`;
}

const MAX_UNSEEN_CHARS = 1000;

/**
 * One tool of a server as lines for the person who approves it: the words that a model will get, in the form in which it gets
 * them, and beside them what models never get. "" for a tool that is not there. A changed word stands in a line of its own.
 *
 * Usual mistake: to show what the server said instead. What cannot be seen there a model would read.
 */
export function showTool(tool: ListedTool | undefined): string {
  if (!tool) return "";
  const { name, title = "", description = "", annotations = {} } = tool;
  const unseen = unseenIn(`${title}${description}`);
  return [
    ...wordsOf(tool),
    `hints of the server: ${showUnseen(JSON.stringify(annotations))}`,
    ...(unseen === "" ? [] : [`left out of the words of ${name}: ${unseen.slice(0, MAX_UNSEEN_CHARS)}`]),
    "",
  ].join("\n");
}

function wordsOf(tool: ListedTool): string[] {
  try {
    const { title, description, inputSchema } = remoteWords(tool.name, tool);
    const schema = JSON.stringify(inputSchema, null, 2);
    return [`title: ${title}`, "description:", description, "arguments:", schema];
  } catch (thrown) {
    if (thrown instanceof Failure) return [showUnseen(thrown.message)];
    throw thrown;
  }
}

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
