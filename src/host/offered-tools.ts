/**
 * What a host with this configuration would offer, without starting one: every tool that there is, and why one is not
 * advertised. For `ringfence tools` and `doctor`; a host itself makes its registry in the same way.
 */
import { logLine } from "../base/index.ts";
import type { Services } from "../pipeline/index.ts";
import { loadBuiltinPacks, loadContract, loadGit, loadLateParts } from "./lazy.ts";
import { cleanEnvironment, loadPacks, type Config } from "../config/index.ts";
import type { AnyLocalTool, Tool } from "../contract/index.ts";
import { findPrograms } from "../proc/index.ts";
import { gitUse } from "../start/index.ts";
import type { Upstreams } from "../upstream/index.ts";
import { hiddenBecause } from "./offer.ts";

export interface OfferedTool {
  readonly tool: Tool;
  /** `undefined` when clients see it. */
  readonly hidden: string | undefined;
}

/** In the order of `tools/list`. */
export async function offeredTools(config: Config): Promise<readonly OfferedTool[]> {
  const { commands, shell, roots, stateDir } = config;
  const { builtinTools, commandTools } = await loadBuiltinPacks();
  const programs = findPrograms(commands, { roots, hidden: [stateDir] }, cleanEnvironment());
  const [there, missing] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(commands).filter(([name]) => "path" in (programs[name] ?? {}) === wanted)),
  );
  const offered = [...builtinTools, ...commandTools(there ?? {}, shell?.enabled === true, shell?.programs)];
  const without = commandTools(missing ?? {}, false).filter(({ command }) => command !== undefined);
  return [
    ...[...offered, ...(await packTools(config))].map((tool) => ({ tool, hidden: hiddenBecause(tool, config) })),
    ...without.map((tool) => ({ tool, hidden: whyMissing(programs[tool.command ?? ""]) })),
    ...(await foreignTools(config)),
  ];
}

async function packTools(config: Config): Promise<readonly Tool[]> {
  const packs = await loadPacks(config);
  const own = packs.flatMap(({ pack, isOn, settings }) => (isOn ? pack.tools(settings) : []));
  if (Object.hasOwn(config.packSettings, "git") || "off" in gitUse(config)) return own;
  return [...(await loadGit()).tools({}), ...own];
}

/**
 * The tools of other servers, of the client and of spaces, loaded with the pipeline. What a person has not approved yet is
 * withheld, which they can change.
 */
async function foreignTools(config: Config): Promise<OfferedTool[]> {
  if (!config.upstreams && !config.bridge.space_tools && config.spaces.length === 0) return [];
  const { knownRemoteTools, knownToolsOfSpaces } = await loadLateParts();
  // In a host, spaces are read when all else is there.
  const known = [...knownRemoteTools(config), ...(await knownToolsOfSpaces(config))];
  return known.map(({ tool, withheld }) => ({ tool, hidden: withheld ?? hiddenBecause(tool, config) }));
}

function whyMissing(program: ReturnType<typeof findPrograms>[string] | undefined): string {
  return program && "missing" in program ? program.missing : "there is no program for it";
}

/**
 * Every tool of a host, in the order of `tools/list`: its own, commands, git, packs, and those of other servers. @param own the
 * tools that a program brings in the place of the built-in ones
 */
export async function loadTools(host: ToolHolder, own: readonly AnyLocalTool[] | undefined): Promise<readonly Tool[]> {
  const [tools, commands, git, packs] = await Promise.all([
    loadOwnTools(own),
    loadCommandTools(host),
    loadGitTools(host),
    host.packs.tools(),
  ]);
  return [...tools, ...commands, ...git, ...packs, ...(await loadRemote(host))];
}

/** A host to be, whose connections to other servers are made with their tools. */
type ToolHolder = Services & { upstreams: Upstreams | undefined };

async function loadRemote(host: ToolHolder): Promise<readonly Tool[]> {
  const { upstreams, bridge } = host.config;
  if (!upstreams && !bridge.space_tools) return [];
  const { loadRemoteTools, openUpstreams } = await loadLateParts();
  host.upstreams = openUpstreams(host);
  return loadRemoteTools(host);
}

/** The tools of git, where no configuration has a word about them; else they come with its packs. */
async function loadGitTools({ config, launch }: Pick<Services, "config" | "launch">): Promise<readonly Tool[]> {
  if (!launch || Object.hasOwn(config.packSettings, "git") || "off" in gitUse(config)) return [];
  return (await loadGit()).tools({});
}

/**
 * The tools that a program brings, else the built-in ones. What a schema of its own did not say, and was put in, is told on
 * stderr, because its author can say it better.
 */
async function loadOwnTools(given: readonly AnyLocalTool[] | undefined): Promise<readonly Tool[]> {
  if (!given) return (await loadBuiltinPacks()).builtinTools;
  const { checkInput, toTool } = await loadContract();
  const tools = given.map(toTool);
  const { builtinTools } = await loadBuiltinPacks();
  for (const tool of tools) if (!builtinTools.includes(tool)) checkInput(tool);
  for (const { name, completed = [] } of tools)
    if (completed.length > 0) logLine(`the tool ${name} was completed: ${completed.join("; ")}`);
  return tools;
}

/** The tools of the declared commands. One whose program is missing is left out, as `doctor` and stderr say. */
async function loadCommandTools({ config, launch }: Services): Promise<readonly Tool[]> {
  const { commands, shell } = config;
  if (!launch || (shell === undefined && Object.keys(commands).length === 0)) return [];
  const { programs } = await launch("commands", {});
  const offered = Object.entries(commands).filter(([name]) => {
    const found = programs[name];
    if (found && "path" in found) return true;
    logLine(`the command ${name} is not offered: ${found?.missing ?? "the launcher does not know it"}`);
    return false;
  });
  const { commandsPack } = await loadBuiltinPacks();
  const { enabled = false, programs: named } = shell ?? {};
  return commandsPack.tools({ declarations: Object.fromEntries(offered), hasShell: enabled, programs: named });
}
