/**
 * What a rule is judged against, gathered from this machine: the asks of the record, the rules and grants that hold for some roots,
 * and the tools there are. For `ringfence rules`, `ringfence report`, and every sheet on which a person says "always".
 */
import { readEvents } from "../audit/index.ts";
import { hostFlags, loadPacks, type Config } from "../config/index.ts";
import type { Tool } from "../contract/index.ts";
import { builtinTools, commandTools } from "../packs/index.ts";
import { OPTIONAL_PACKS } from "../packs/optional.ts";
import { checkRule, parseRule, type ToolFacts } from "../policy/index.ts";
import { ASK_EVENTS, readAsks, type ReachFacts, type RecordedAsk } from "../review/index.ts";
import { toolFacts } from "../session/index.ts";
import { GrantStore, findStateFolder } from "../state/index.ts";
import { offeredTools, openUpstreamStore } from "../upstream/index.ts";

/** @param since ISO 8601 */
export function readRecordedAsks({ stateDir }: Pick<Config, "stateDir">, since: string): RecordedAsk[] {
  return readAsks(readEvents(findStateFolder(stateDir).audit, ASK_EVENTS, since));
}

/** @param config of a host with these roots. @param asks of hosts with the same roots */
export async function reachFacts(config: Config, asks: readonly RecordedAsk[]): Promise<ReachFacts> {
  const roots = JSON.stringify(config.roots.map(({ path }) => path));
  const grants = new GrantStore(findStateFolder(config.stateDir).grants)
    .list()
    .filter((grant) => JSON.stringify(grant.roots) === roots)
    .map(({ rule, id }) => parseRule({ allow: rule, source: `grant ${id}` }));
  return {
    asks,
    rules: { rules: config.rules.map(checkRule), grants },
    tools: await knownTools(config),
    isOpaque: await opaqueLines(asks),
  };
}

/** The reader is loaded only where there is a line to read. */
async function opaqueLines(asks: readonly RecordedAsk[]): Promise<(line: string) => boolean> {
  if (!asks.some(({ line }) => line !== undefined)) return () => false;
  const { openShellReader } = await import("../shell/index.ts");
  const reader = await openShellReader();
  return (line) => reader.assess(line, { cwd: "/", roots: ["/"], home: "/nonexistent", guarded: [] }).opaque;
}

/**
 * The tools that a configuration gives, without starting anything to ask for more.
 * @throws Failure as `loadPacks`
 */
export async function knownTools(config: Config): Promise<ToolFacts[]> {
  const { commands, shell } = config;
  const own = commandTools(commands, shell?.enabled === true, shell?.programs);
  return [...[...builtinTools, ...own, ...(await packTools(config))].map(toolFacts), ...upstreamFacts(config)];
}

/** As `knownTools`, and the shell where it is off: `guard` asks about lines of the client's own shell, and grants hold for those. */
export async function grantableTools(config: Config): Promise<ToolFacts[]> {
  const tools = await knownTools(config);
  const shell = commandTools({}, true).filter(({ name }) => name === "shell");
  return tools.some(({ name }) => name === "shell") ? tools : [...tools, ...shell.map(toolFacts)];
}

/** The tools of the packs that are on. A root may become a work tree, so git counts where the configuration has no word about it. */
async function packTools(config: Config): Promise<readonly Tool[]> {
  const packs = await loadPacks(config);
  const git = Object.hasOwn(config.packSettings, "git") ? [] : (await OPTIONAL_PACKS.git.load()).tools({});
  return [...git, ...packs.flatMap(({ pack, isOn, settings }) => (isOn ? pack.tools(settings) : []))];
}

/** What is known of approved tools of other servers. */
function upstreamFacts(config: Config): ToolFacts[] {
  const { upstreams, stateDir } = config;
  if (!upstreams) return [];
  const store = openUpstreamStore(stateDir, hostFlags(config));
  const offered = offeredTools(
    upstreams,
    store,
    async () => undefined,
    () => undefined,
  );
  return offered.map(toolFacts);
}
