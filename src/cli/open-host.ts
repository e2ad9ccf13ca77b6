/**
 * A host for one command: the same pipeline as `serve`, without the wire; and the requests that a command makes of it, which
 * are those that a client can make.
 */
import type { MethodName, MethodParams, MethodResults } from "../calls/index.ts";
import { loadConfig, parseRoot, type Config, type RawConfig } from "../config/index.ts";
import type { Tool } from "../contract/index.ts";
import type { Host } from "../host/index.ts";
import { COMMAND_DEFAULTS } from "./flags.ts";
import { enterHostFence } from "../start/index.ts";
import { stopBySignal } from "./stop-by-signal.ts";

/** @throws Failure `invalid_input` without a root, `not_found` for one that is not there, `denied` for the state folder */
export async function openHost(raw: RawConfig): Promise<Host> {
  return await open((await loadConfig(raw, COMMAND_DEFAULTS)).config);
}

/**
 * Opens a host for commands that concern the state folder alone. Proposals bring the roots in which they were made, so there
 * is nothing yet around which a fence could be built.
 */
export async function openRootlessHost(raw: RawConfig): Promise<Host> {
  return await open(bareConfig((await loadConfig(raw, {}, false)).config, []));
}

/** Removes everything that starts programs, and with it the need of a fence. */
function bareConfig({ shell: _shell, upstreams: _upstreams, ...config }: Config, roots: Config["roots"]): Config {
  return { ...config, commands: {}, hooks: [], roots, fence: "off" };
}

/**
 * Opens a host for a grant, which names the roots for which it holds and reaches into none of them. Those are the roots of the
 * command line or the configuration, and without any the current directory.
 */
export async function openGrantHost(raw: RawConfig): Promise<Host> {
  const { config, roots } = await loadConfig(raw, {}, false);
  const named = (roots.length > 0 ? roots : ["."]).map((root) => parseRoot(root));
  return await open(bareConfig(config, named));
}

/** Opens a host that may start other MCP servers. Roots are not required, because asking a server for its tools needs none. */
export async function openUpstreamHost(raw: RawConfig): Promise<Host> {
  const { roots } = await loadConfig(raw, COMMAND_DEFAULTS, false);
  return await open((await loadConfig(raw, COMMAND_DEFAULTS, roots.length > 0)).config);
}

async function open(config: Config): Promise<Host> {
  const fence = await enterHostFence(config);
  // Not before: the first start of a fenced host ends above.
  const { Host } = await import("../host/index.ts");
  const host = new Host({ config, fence, loadTools: loadBuiltin });
  host.recover();
  return host;
}

async function loadBuiltin(): Promise<readonly Tool[]> {
  return (await import("../packs/index.ts")).builtinTools;
}

/** Calls a method `ringfence/*`. @throws Failure */
export async function askHost<Name extends MethodName>(
  host: Host,
  method: Name,
  params: MethodParams[Name],
): Promise<MethodResults[Name]> {
  const { callMethod } = await import("../methods/index.ts");
  return await stopBySignal(async (signal) => await callMethod(host, method, params, { signal }));
}
