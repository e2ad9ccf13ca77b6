/**
 * The bridge tools of the Construct operator, carried out by the client: `space_snapshot`, `space_list_actions`,
 * `space_run_action` and `space_context_request`, with their dotted names as aliases. The actions that a space lists become tools of
 * their own, `{space}_{action}`, until it lists others.
 */
import { createHash } from "node:crypto";
import { isObject, limits, logLine } from "../../base/index.ts";
import type { Config } from "../../config/index.ts";
import { defineRemoteTool, type RemoteContext, type Tool } from "../../contract/index.ts";
import { readableText } from "../../text/index.ts";
import { builtinTools, turnedOff } from "../../packs/index.ts";
import { callClient, type Services } from "../../pipeline/index.ts";

type Members = Readonly<Record<string, unknown>>;

const SPACE_ID = { type: "string", description: "Space ID (defaults to active space)" };

/** The operator's words and schemas, and whether a call only reads. */
const TOOLS: readonly (readonly [method: string, reads: boolean, description: string, schema: object])[] = [
  [
    "space.snapshot",
    true,
    "Get structured state from a Construct space: its current view, form fields and available actions.",
    { type: "object", properties: { space_id: SPACE_ID } },
  ],
  [
    "space.list_actions",
    true,
    "List available semantic actions for a space. Each has an ID, a description and a parameter schema, and becomes a tool.",
    { type: "object", properties: { space_id: SPACE_ID } },
  ],
  [
    "space.run_action",
    false,
    "Execute a semantic action in a Construct space, for example create a project, fill a form, submit.",
    {
      type: "object",
      properties: {
        space_id: SPACE_ID,
        action: { type: "string", description: "Action ID from space_list_actions" },
        payload: { type: "object", description: "Action parameters" },
      },
      required: ["action"],
    },
  ],
  [
    "space.context_request",
    true,
    "Request data from a Construct space.",
    {
      type: "object",
      properties: {
        space_id: SPACE_ID,
        request: { type: "object", description: "What is asked for: a type, and what belongs to it" },
      },
      required: ["request"],
    },
  ],
];

/** The four tools; each call asks the client. */
export function spaceBridgeTools(host: Services): readonly Tool[] {
  const offered = new Map<string, readonly string[]>();
  return describedBridgeTools(host.config, async (method, args, ctx) => {
    const result = await callClient(host, method, args, ctx);
    if (method === "space.list_actions") await offerActions(host, offered, args, result);
    return result;
  });
}

type Ask = (method: string, args: Members, ctx: RemoteContext) => Promise<unknown>;

/** @param ask carries out a call of one */
export function describedBridgeTools(config: Config, ask: Ask): readonly Tool[] {
  return TOOLS.map(([method, reads, description, inputSchema]) =>
    bridged(config, {
      name: method.replace(".", "_"),
      aliases: [method],
      tool: method,
      description,
      inputSchema,
      effect: reads ? "read" : "reach",
      execute: async (args, ctx) => await ask(method, args, ctx),
    }),
  );
}

type Bridged = Omit<Parameters<typeof defineRemoteTool>[0], "owner" | "timeoutMs">;

function bridged(config: Config, tool: Bridged): Tool {
  const { timeout_ms: timeoutMs } = config.bridge;
  return defineRemoteTool({ ...tool, owner: "the client", ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

/** @param offered the names of the actions of each space */
async function offerActions(
  host: Services,
  offered: Map<string, readonly string[]>,
  args: Members,
  result: unknown,
): Promise<void> {
  const said = saidBy(result);
  const space = said?.["space_id"] ?? args["space_id"];
  const actions = said?.["actions"];
  if (typeof space !== "string" || !ID.test(space) || !Array.isArray(actions)) return;
  const others = [...offered].reduce((sum, [one, names]) => (one === space ? sum : sum + names.length), 0);
  const add = actions.slice(0, Math.max(0, limits.MAX_FOREIGN_TOOLS - others)).flatMap((action: unknown) => {
    const tool = actionTool(host, space, action);
    if (typeof tool !== "string") return [tool];
    logLine(`an action of the space ${space} is no tool: ${tool}`);
    return [];
  });
  const { added, refused } = await host.changeTools({ remove: offered.get(space) ?? [], add });
  offered.set(space, added);
  for (const { name, why } of refused) logLine(`the action ${name} is no tool: ${why}`);
}

/** The client's answer as data: structured, or JSON in its text. */
function saidBy(result: unknown): Members | undefined {
  if (!isObject(result)) return undefined;
  const { structuredContent, content } = result as Members;
  if (isObject(structuredContent)) return structuredContent;
  const [first] = Array.isArray(content) ? (content as { readonly text?: unknown }[]) : [];
  try {
    const said: unknown = typeof first?.text === "string" ? JSON.parse(first.text) : undefined;
    return isObject(said) ? said : undefined;
  } catch {
    return undefined;
  }
}

const ID = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** Rules about these mean tools of somebody else. */
const RESERVED = /^(?:client|cmd|mcp|process|run|space)_/;
const TAKEN: ReadonlySet<string> = new Set([
  ...builtinTools.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  ...Object.keys(turnedOff({}, undefined)),
]);
const MAX_NAME_CHARS = 31;
const KEPT_CHARS = 24;

/** The tool, or why there is none. */
function actionTool(host: Services, space: string, action: unknown): Tool | string {
  const { id, description, params } = (isObject(action) ? action : {}) as Members;
  if (typeof id !== "string" || !/^[A-Za-z0-9_.:-]{1,64}$/.test(id)) return "it has no usable id";
  const name = nameOf(`${space}_${id}`);
  if (RESERVED.test(name) || TAKEN.has(name)) return `${name} is the name of another tool`;
  try {
    return bridged(host.config, {
      name,
      tool: `space.run_action ${id}`,
      description: `[${space}] ${readableText(description, 1500)}`,
      inputSchema: params ?? { type: "object", properties: {} },
      execute: async (payload, ctx: RemoteContext) =>
        await callClient(host, "space.run_action", { space_id: space, action: id, payload }, ctx),
    });
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function nameOf(whole: string): string {
  const plain = whole.toLowerCase().replaceAll(/[^a-z0-9_]/g, "_");
  if (plain.length <= MAX_NAME_CHARS) return plain;
  return `${plain.slice(0, KEPT_CHARS)}_${createHash("sha256").update(whole).digest("hex").slice(0, 6)}`;
}
