/**
 * The tools of all servers as this host offers them: what a person approved, without what a server was last seen to have
 * changed. Nothing is started for it, so the list is the same at every start.
 */
import { createHash } from "node:crypto";
import { limits } from "../base/index.ts";
import { defineRemoteTool, type RemoteContext, type Tool } from "../contract/index.ts";
import { compilePattern } from "../pattern/index.ts";
import type { UpstreamDeclaration, UpstreamsConfig } from "../proc/index.ts";
import type { UpstreamStore } from "../state/index.ts";
import { readOtherName } from "./other-names.ts";
import { type ListedTool, reviewOf, type Review } from "./review.ts";

export type CallServer = (
  server: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  ctx: RemoteContext,
) => Promise<unknown>;

/** In the order of the configuration, and of their names. @param onProblem of what cannot be offered */
export function offeredTools(
  config: UpstreamsConfig,
  store: UpstreamStore,
  call: CallServer,
  onProblem: (what: string) => void,
): Tool[] {
  return knownTools(config, store, call, onProblem).flatMap(({ tool, withheld }) =>
    withheld === undefined ? tool : [],
  );
}

export interface KnownTool {
  readonly tool: Tool;
  /** Why it is not offered. */
  readonly withheld: string | undefined;
}

/** All known tools, also those that wait for a person: of these it is only said that they are there. */
export function knownTools(
  { servers }: UpstreamsConfig,
  store: UpstreamStore,
  call: CallServer,
  onProblem: (what: string) => void,
): KnownTool[] {
  return Object.entries(servers).flatMap(([server, declared]) => {
    const review = reviewOf(store, server);
    const { approved, seen, added, todo } = review;
    if (todo !== undefined) onProblem(`the MCP server ${server}: ${todo}`);
    const all: readonly ListedTool[] = seen?.tools ?? [];
    const news = all.filter(({ name }) => added.includes(name));
    // What is new never changes the name of what was approved.
    const names = new Map([...nameTools(server, [...approved, ...news]), ...nameTools(server, approved)]);
    tellUnknown(server, declared, names, onProblem);
    return [...approved, ...news].flatMap((tool): KnownTool[] => {
      const named = names.get(tool.name);
      if (!named) return [];
      try {
        const withheld = withheldBecause(review, store.reviewCommand(server), tool.name);
        return offer(server, tool, declared, named, call).map((one) => ({ tool: one, withheld }));
      } catch (thrown) {
        onProblem(thrown instanceof Error ? thrown.message : String(thrown));
        return [];
      }
    });
  });
}

function withheldBecause({ same, changed, gone }: Review, command: string, tool: string): string | undefined {
  if (same.includes(tool)) return undefined;
  const what = changed.includes(tool) ? "it has changed" : gone.includes(tool) ? "it is gone" : "it is new";
  return `${what}, and waits for: \`${command}\``;
}

/** A name for a tool that the server does not have is a mistake, once something of the server is known. */
function tellUnknown(
  server: string,
  { as = {} }: UpstreamDeclaration,
  known: ReadonlyMap<string, string>,
  onProblem: (what: string) => void,
): void {
  if (known.size === 0) return;
  for (const [name, { tool }] of Object.entries(as))
    if (!known.has(tool))
      onProblem(`the MCP server ${server}: as.${name} names the tool ${JSON.stringify(tool)}, which it does not have`);
}

/** Under each name that the configuration gives it, or else its usual one. @throws Failure `invalid_input` */
function offer(
  server: string,
  tool: ListedTool,
  declared: UpstreamDeclaration,
  usual: string,
  call: CallServer,
): readonly Tool[] {
  const { read_tools = [], timeout_ms = limits.DEFAULT_CALL_MS, as = {} } = declared;
  const options = { dot: false, ignoreCase: false, whenTooLong: false };
  const reads = read_tools.some((pattern) => compilePattern(pattern, options).matches(tool.name));
  const alias = `mcp:${server}:${tool.name}`;
  const given = {
    owner: `the MCP server "${server}"`,
    tool: tool.name,
    title: tool.title,
    effect: reads ? "read" : "reach",
    timeoutMs: timeout_ms,
  } as const;
  const renamed = Object.entries(as).filter(([, one]) => one.tool === tool.name);
  if (renamed.length === 0)
    return [
      defineRemoteTool({
        ...given,
        name: usual,
        aliases: [alias],
        description: tool.description,
        inputSchema: tool.inputSchema,
        execute: async (args, ctx) => await call(server, tool.name, args, ctx),
      }),
    ];
  return renamed.map(([key, one]) => {
    const { name, alias: dotted, group, inputSchema, toTheirs } = readOtherName(key, one, tool);
    return defineRemoteTool({
      ...given,
      name,
      aliases: dotted === undefined ? [] : [dotted],
      // Rules for the server and its tool hold whatever it is called.
      ruledAs: [usual, alias],
      group,
      profiles: profilesOf(name, reads),
      description: tool.description,
      inputSchema,
      execute: async (args, ctx) => await call(server, tool.name, toTheirs(args), ctx),
    });
  });
}

/** As those of the pack whose tool it stands for. */
function profilesOf(name: string, reads: boolean): readonly string[] | undefined {
  if (name === "web_fetch") return ["minimal"];
  return reads || name === "web_search" ? ["messaging"] : undefined;
}

const MAX_NAME_CHARS = 31;
const KEPT_CHARS = 24;

/**
 * The names of a server's tools here: `mcp_<server>_<tool>`. No name of a server continues another one's, so `mcp_a_b` is one
 * server's only. A name that is too long, or like another one, is cut and ends with six digits of its hash.
 */
function nameTools(server: string, tools: readonly ListedTool[]): ReadonlyMap<string, string> {
  const plain = tools.map(({ name }) => plainName(server, name));
  const named = new Map<string, string>();
  const taken = new Set<string>();
  for (const [index, { name: tool }] of tools.entries()) {
    const short = plain[index] ?? "";
    const isAlone = plain.indexOf(short) === plain.lastIndexOf(short);
    const name = isAlone && short.length <= MAX_NAME_CHARS ? short : hashedName(server, tool, short);
    if (taken.has(name)) continue;
    taken.add(name);
    named.set(tool, name);
  }
  return named;
}

function plainName(server: string, tool: string): string {
  return `mcp_${server}_${tool}`.toLowerCase().replaceAll(/[^a-z0-9_]/g, "_");
}

function hashedName(server: string, tool: string, short: string): string {
  const hash = createHash("sha256").update(`mcp_${server}_${tool}`).digest("hex");
  return `${short.slice(0, KEPT_CHARS)}_${hash.slice(0, 6)}`;
}
