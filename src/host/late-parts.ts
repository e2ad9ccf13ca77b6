/**
 * What is loaded with the first request that needs the tools, in one bundle: the schemas, and everything that runs a call.
 * A client that only shakes hands must not wait for it, and a second bundle would make every first call slower.
 *
 * The tools of other MCP servers come with it; the SDK's client only with the first connection. What the servers do is told on
 * stderr and on record.
 */
import { logLine } from "../base/index.ts";
import { BUILD, hostFlags, type Config } from "../config/index.ts";
import type { Registry, Tool } from "../contract/index.ts";
import { openStateFolder } from "../state/index.ts";
import { knownTools, openUpstreamStore, Upstreams, type KnownTool } from "../upstream/index.ts";
import { remotePack } from "../packs/index.ts";
import type { Services } from "../pipeline/index.ts";
import { changeTools } from "./tools/change-tools.ts";
import type { HostSpaces } from "./tools/host-spaces.ts";
import { describedBridgeTools, spaceBridgeTools } from "./tools/space-bridge.ts";

export { answerMethod } from "./answer-request.ts";
export { registerOffered } from "./bridge-tools.ts";
export { changeTools };
export { askApart, awaitNews, speak } from "../pipeline/index.ts";

/** Their tools stand in the registry when it is given to anybody. */
export async function openSpaces(host: Services, registry: Registry): Promise<HostSpaces> {
  const { HostSpaces: Opened } = await import("./tools/host-spaces.ts");
  const spaces = new Opened(host);
  await spaces.open(async (change) => changeTools(host, registry, change));
  return spaces;
}

export function openUpstreams(host: Services): Upstreams | undefined {
  const { config, launch, clock } = host;
  if (!config.upstreams || !launch) return undefined;
  return new Upstreams(config.upstreams, openUpstreamStore(config.stateDir, hostFlags(config)), {
    launch,
    version: BUILD.version,
    clock,
    onEvent(server, { state, said }) {
      logLine(`the MCP server ${server}: ${said}`);
      host.audit.record("upstream", { server, state, said });
    },
  });
}

/** What other MCP servers have, and what the client carries out without an offer. */
export function loadRemoteTools(host: Services): readonly Tool[] {
  const { enabled, space_tools } = host.config.bridge;
  const tools = host.upstreams?.tools((problem) => logLine(problem)) ?? [];
  return remotePack.tools({ tools: [...tools, ...(enabled && space_tools ? spaceBridgeTools(host) : [])] });
}

/** What a host with this configuration would know of them, without one. */
export function knownRemoteTools(config: Config): readonly KnownTool[] {
  const { upstreams, stateDir, bridge } = config;
  const own = bridge.enabled && bridge.space_tools ? describedBridgeTools(config, nothing) : [];
  const bridged = own.map((tool) => ({ tool, withheld: undefined }));
  if (!upstreams) return bridged;
  openStateFolder(stateDir);
  return [...knownTools(upstreams, openUpstreamStore(stateDir, hostFlags(config)), nothing, isNotTold), ...bridged];
}

/** What is only listed is not called. */
async function nothing(): Promise<undefined> {}

/** What cannot be offered is told by the host itself, and by `ringfence upstream`. */
function isNotTold(): void {}

/** What a host with this configuration would find in its spaces, without one. */
export async function knownToolsOfSpaces(config: Config): Promise<readonly KnownTool[]> {
  const { spaces, roots, stateDir } = config;
  if (spaces.length === 0) return [];
  const [{ findSpaces, openSpaceStore }, { knownSpaceTools, reviewSpacesCommand }] = await Promise.all([
    import("../spaces/index.ts"),
    import("./tools/space-tools.ts"),
  ]);
  openStateFolder(stateDir);
  const { tools } = knownSpaceTools(openSpaceStore(stateDir), await findSpaces(spaces, roots));
  const waits = `it waits for a person: \`${reviewSpacesCommand(config)}\``;
  return tools.map(({ tool, isApproved }) => ({ tool, withheld: isApproved ? undefined : waits }));
}
