/**
 * What a client tells its hook: the event, the tool, and what the tool is about to do. Pure.
 *
 * Invariant: what cannot be read is an error or a refusal, and never a call that is left out.
 */
import { isAbsolute } from "node:path";
import { isObject } from "../../base/index.ts";
import { ownCalls, type GuardCall } from "./own-calls.ts";
import type { GuardRow, ToolUse } from "./guard-row.ts";

/** What a tool of a client means here. */
export type ToolMeaning =
  | { readonly means: "calls"; readonly calls: readonly GuardCall[] }
  /** A tool of an MCP server; the name of the server, where the client tells it. */
  | { readonly means: "mcp"; readonly server: string | undefined; readonly mcpTool: string }
  | { readonly means: "nothing" }
  | { readonly means: "ask" | "deny"; readonly why: string };

export interface ToldHook {
  readonly event: string;
  readonly tool: string;
  /** The client puts a question to its person at this event. */
  readonly canAsk: boolean;
  readonly meaning: ToolMeaning;
}

type Members = Readonly<Record<string, unknown>>;

/** @throws Error that says what about the message cannot be read */
export function readHook(row: GuardRow, text: string): ToldHook {
  const told = parseObject(text);
  const event = told["hook_event_name"];
  const known = typeof event === "string" && Object.hasOwn(row.events, event) ? row.events[event] : undefined;
  if (typeof event !== "string" || !known) throw new Error("it names no event that is answered");
  const cwd = placeOf(told);
  const at = { event, canAsk: known.asks };
  if (known.tool) return { ...at, tool: event, meaning: meaningOf(known.tool, told, cwd) };
  const tool = told["tool_name"];
  if (typeof tool !== "string" || tool === "") throw new Error("it names no tool");
  const use = Object.hasOwn(row.tools, tool) ? row.tools[tool] : undefined;
  return { ...at, tool, meaning: use ? meaningOf(use, inputOf(told), cwd) : otherMeaning(row, tool) };
}

function otherMeaning(row: GuardRow, tool: string): ToolMeaning {
  if (row.passes.includes(tool)) return { means: "nothing" };
  const { server, tool: mcpTool } = row.mcp.exec(tool)?.groups ?? {};
  if (mcpTool !== undefined) return { means: "mcp", server, mcpTool };
  return { means: "deny", why: "the guard does not know this tool, and so no rule for it" };
}

function meaningOf(use: ToolUse, input: Members, cwd: string | undefined): ToolMeaning {
  if (use.does === "ask") return { means: "ask", why: use.why };
  const calls = ownCalls(use, input, cwd);
  if (calls) return { means: "calls", calls };
  return { means: "deny", why: "the guard cannot tell from its arguments what it would do" };
}

function parseObject(text: string): Members {
  let told: unknown;
  try {
    told = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new Error("what came on stdin is not JSON");
  }
  if (!isObject(told)) throw new Error("it is no object");
  return told;
}

/** Some clients send the arguments as a text of JSON. */
function inputOf(told: Members): Members {
  const input = told["tool_input"];
  if (typeof input === "string") return parseObject(input);
  if (input === undefined || input === null) return {};
  if (!isObject(input)) throw new Error("its arguments are no object");
  return input;
}

/** Where relative paths begin. Cursor leaves `cwd` empty and names the folders of its window. */
function placeOf(told: Members): string | undefined {
  const roots = told["workspace_roots"];
  const [first] = Array.isArray(roots) ? (roots as readonly unknown[]) : [];
  return [told["cwd"], first].find((one): one is string => typeof one === "string" && isAbsolute(one));
}
