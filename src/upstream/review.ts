/**
 * What a person approved of a server's tools, beside what the server was last seen to have. What is the same is offered;
 * everything else waits until it was looked at.
 */
import { Failure } from "../base/index.ts";
import { remoteWords, showUnseen, unseenIn } from "../contract/index.ts";
import type { UpstreamDeclaration } from "../proc/index.ts";
import { UpstreamStore, type KeptTools, type UpstreamStatus } from "../state/index.ts";
import { compareTools, hashTools, type ListedTool, type ToolChanges } from "./listed-tools.ts";

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
  if (!kept)
    return {
      ...changes,
      todo: `none of its tools are offered until a person has looked at them: ${command}`,
    };
  const news = (["changed", "gone", "added"] as const)
    .filter((kind) => changes[kind].length > 0)
    .map((kind) => `${kind}: ${changes[kind].join(", ")}`);
  if (news.length === 0) return changes;
  return {
    ...changes,
    todo: `withheld until a person has looked (${news.join("; ").slice(0, 500)}): ${command}`,
  };
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
    ? `; ${status.at}: ${status.said}, started ${status.starts} times, failed ${status.failures} times${status.fence === undefined ? "" : `, fence: ${status.fence}`}`
    : "; not started so far";
  return `${name} (${at}): ${offered} tools offered${did}${todo === undefined ? "" : `; ${todo}`}`;
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
