/**
 * By name or alias; an unknown tool is the caller's mistake in the protocol, answered with the nearest name.
 */
import type { Registry, Tool } from "../contract/index.ts";
import { turnedOff } from "../packs/index.ts";
import { OPTIONAL_PACKS, turnedOffPacks } from "../packs/optional.ts";
import { nearestNames } from "../text/index.ts";
import { RPC, RpcError } from "../wire/index.ts";
import type { Call, CallRecord } from "./call.ts";
import { recordUnknown } from "./record.ts";
import type { Services } from "./services.ts";

interface Naming {
  /** The names that are offered. Default: ours. */
  readonly names?: readonly string[] | undefined;
  /** Our name for the tool, where the one that is called is of a dialect and not offered. */
  readonly meant?: string | undefined;
  /** Tools that this host could have, and what would turn them on. Default: none. */
  readonly off?: Readonly<Record<string, string>>;
}

/**
 * A dialect lists the tool under other names, or not at all: the name that was called is none of its.
 */
function unlistedTool(called: string, listed: readonly string[]): RpcError {
  const hint = listed.length === 0 ? "tools/list names them all" : `did you mean ${listed.join(", ")}?`;
  return new RpcError(RPC.invalidParams, `there is no tool ${JSON.stringify(called)}: ${hint}`, {
    tool: called,
    candidates: listed,
  });
}

/** @throws RpcError -32602 */
export function findTool(registry: Registry, name: string, { names, off = {}, meant = name }: Naming = {}): Tool {
  const tool = registry.get(name);
  if (tool) return tool;
  const how = Object.hasOwn(off, meant) ? off[meant] : undefined;
  if (how !== undefined)
    throw new RpcError(
      RPC.invalidParams,
      `the tool ${JSON.stringify(name)} exists but is turned off on this host. ${how} Only the person who runs this host ` +
        "decides that: go on with the tools of tools/list, or tell them what you need it for",
      { tool: name, turned_off: true },
    );
  const shown = name.length > 60 ? `${name.slice(0, 60)}...` : name;
  const near = nearestNames(name, names ?? registry.names(), 6);
  // A tool is named once, by the nearest of its names.
  const candidates = near.filter((one, i) => near.findIndex((other) => isSame(registry, one, other)) === i).slice(0, 3);
  const hint = candidates.length === 0 ? "tools/list names them all" : `did you mean ${candidates.join(", ")}?`;
  throw new RpcError(RPC.invalidParams, `there is no tool ${JSON.stringify(shown)}: ${hint}`, {
    tool: shown,
    candidates,
  });
}

function isSame(registry: Registry, one: string, other: string): boolean {
  const tool = registry.get(one);
  return one === other || (tool !== undefined && tool === registry.get(other));
}

/** As `findTool`, with what is said of a tool that this host could have. */
export async function findHere(host: Services, registry: Registry, name: string): Promise<Tool> {
  const { dialect } = host;
  return findTool(registry, name, {
    names: dialect?.names,
    meant: dialect?.missing(name),
    off: registry.get(name) ? {} : await offHere(host),
  });
}

/** As `findHere`, among all names of this host. A name that no tool has is on record too. */
export async function findKnown(host: Services, registry: Registry, call: Call, record: CallRecord): Promise<Tool> {
  try {
    if (call.unlisted) throw unlistedTool(call.name, call.unlisted);
    return await findHere(host, registry, call.name);
  } catch (thrown) {
    recordUnknown(host, call, record);
    throw thrown;
  }
}

/** What the configuration could turn on, and why it does not offer what it has turned on, as `ringfence tools --all` says it. */
async function offHere(host: Services): Promise<Readonly<Record<string, string>>> {
  const { commands, shell } = host.config;
  const git = await OPTIONAL_PACKS.git.load();
  const reasons = [...git.tools({}), ...(await host.packs.tools())].flatMap((tool) => {
    const why = host.whyHidden(tool);
    return why === undefined ? [] : [tool.name, ...(tool.aliases ?? [])].map((name) => [name, `The reason: ${why}.`]);
  });
  return { ...turnedOffPacks(), ...turnedOff(commands, shell), ...(Object.fromEntries(reasons) as object) };
}
