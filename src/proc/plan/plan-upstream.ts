/**
 * From the declaration of another MCP server to a program in a fence of its own. What is not said is not there: no roots,
 * no network, no files but those of the system. A server at an address is this program again, with the network and nothing
 * else.
 */
import { Failure, limits } from "../../base/index.ts";
import {
  type CommandDeclaration,
  RELAY_MARK,
  refusedAddress,
  type RelayOrder,
  type UpstreamDeclaration,
  type UpstreamsConfig,
} from "../declaration.ts";
import type { NetworkConfig } from "../../reach/index.ts";
import { fillOrder } from "./fill-order.ts";
import type { SelfStart } from "../launcher-protocol.ts";
import { openDirectory, planProgram, programOf, type PlannedRun, type PlanWorld } from "./plan-program.ts";

/** A server may live as long as its host. */
const DEFAULT_CPU_SECONDS = 86_400;
const DEFAULT_PROCESSES = 128;

/** @throws Failure `not_found`, `denied` */
export function planUpstream(
  server: string,
  { servers, reach, network = {} }: UpstreamsConfig,
  world: PlanWorld,
  self: SelfStart,
): { readonly planned: PlannedRun; readonly order: RelayOrder | undefined } {
  const declared = Object.hasOwn(servers, server) ? servers[server] : undefined;
  if (!declared)
    throw new Failure("not_found", `Cannot start the MCP server "${server.slice(0, 60)}": it is not declared`);
  if (declared.url === undefined) {
    const environment = filled(`Cannot start the MCP server "${server}"`, declared.environment, world.environment);
    return { planned: planServer(server, { ...declared, environment }, world), order: undefined };
  }
  const order = { ...orderOf(server, declared, reach, world.environment), network: networkFor(network, world) };
  return { planned: planRelay(server, declared, world, self), order };
}

function planServer(server: string, declared: UpstreamDeclaration, world: PlanWorld): PlannedRun {
  const { command = "", args = [], cwd, roots = "none" } = declared;
  const program = programOf({ program: command, sha256: declared.sha256 }, world);
  return planProgram(
    {
      name: `upstream ${server}`,
      declaration: declarationOf(declared, command),
      args,
      program,
      roots:
        roots === "none" ? [] : world.roots.map((root) => ({ ...root, readOnly: root.readOnly || roots === "read" })),
      openIn: cwd === undefined ? undefined : () => openDirectory(cwd, world.scopeOf()),
    },
    world,
  );
}

/** This program again, with nothing but the network: it reaches no root and no file of the user. */
function planRelay(
  server: string,
  declared: UpstreamDeclaration,
  world: PlanWorld,
  { command }: SelfStart,
): PlannedRun {
  const [program = "", ...args] = command;
  const { environment, inherit, timeout_ms } = declared;
  const relay = { environment, inherit, timeout_ms, network: "internet" as const };
  const planned = planProgram(
    { name: `upstream ${server}`, declaration: declarationOf(relay, program), args, program, roots: [] },
    world,
  );
  return { ...planned, start: { ...planned.start, mark: RELAY_MARK } };
}

function declarationOf(declared: UpstreamDeclaration, program: string): CommandDeclaration {
  const { cpu_seconds = DEFAULT_CPU_SECONDS, processes = DEFAULT_PROCESSES } = declared;
  return { ...declared, cpu_seconds, processes, description: "", program };
}

function orderOf(
  server: string,
  { url = "", headers = {} }: UpstreamDeclaration,
  reach: readonly string[],
  environment: Readonly<Record<string, string>>,
): Omit<RelayOrder, "network"> {
  const why = refusedAddress(url, reach);
  if (why !== undefined) throw new Failure("denied", `Cannot speak to the MCP server "${server}": ${why}`);
  return {
    url,
    headers: filled(`Cannot speak to the MCP server "${server}"`, headers, environment),
    reach,
    maxBytes: limits.MAX_UPSTREAM_LINE_BYTES - 4096,
  };
}

/** With the certificates themselves, because the process reads no files. */
function networkFor({ ca, ...network }: NetworkConfig, world: PlanWorld): NetworkConfig {
  if (ca === undefined) return network;
  return { ...network, ca: String(fillOrder(`\${file:${ca}}`, world, ["network", "ca"])) };
}

/** The values with `${NAME}` replaced by variables of the host's environment. @throws Failure `denied` for one that is not set */
export function filled(
  what: string,
  values: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const fill = (value: string): string =>
    value.replaceAll(/\$\{(\w+)\}/g, (_all, variable: string) => {
      const found = environment[variable];
      if (found !== undefined) return found;
      throw new Failure("denied", `${what}: the variable ${variable} is not set`, {
        hint: `Set ${variable} in the environment of this host and start it again.`,
      });
    });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value)]));
}
