/**
 * From what a declaration says of the network to what the fence of its program is told, and the variables by which programs
 * find their way to the broker. Pure, but for what the machine offers.
 *
 * Invariant: a list is kept by the kernel or there is no network. A fence without it is never put on in its place.
 *
 * Usual mistake: to set NO_PROXY for this machine. An address of it that is listed is reached with the proxy as well, and one
 * that is not must not be tried around it.
 */
import { Failure } from "../../base/index.ts";
import { offeredSupervision, type FilterReach, type ProgramFence } from "../../fence/index.ts";
import { parseReach, type ReachList } from "../../reach/index.ts";
import type { NetworkDeclaration } from "../declaration.ts";

export interface NetworkPlan {
  readonly network: FilterReach;
  readonly supervised?: ProgramFence["supervised"];
  /** For people: "no network". */
  readonly described: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What the network of a program depends on besides its list. */
export interface NetworkWorld {
  readonly supervisedOnly?: boolean | undefined;
  /** The broker is there for a list of addresses too. */
  readonly hasProxy?: boolean | undefined;
}

/** @param program its name for the record @throws Failure `invalid_input` for a list that is none */
export function planNetwork(
  declared: NetworkDeclaration = "none",
  program: string,
  { supervisedOnly, hasProxy = false }: NetworkWorld = {},
): NetworkPlan {
  if (typeof declared === "string") return { network: declared, described: OPEN[declared], variables: {} };
  const list = parseReach(declared.reach);
  const offered = offeredSupervision();
  if (offered.reason !== undefined)
    return { network: "none", described: `no network (its list cannot be kept: ${offered.reason})`, variables: {} };
  const { unix = false } = declared;
  const proxyPort = proxyPortFor(list);
  return {
    network: unix ? "listed and unix" : "listed",
    supervised: { reach: list.texts, unix, proxyPort, program, list: 0, withoutLandlock: supervisedOnly, hasProxy },
    described: describeList(list, unix),
    variables: hasProxy || hasNames(list) ? networkVariables(proxyPort) : {},
  };
}

const OPEN = { none: "no network", internet: "network", all: "network and unix sockets" } as const;

/** Without its fence a program has all of the network, which the list was to keep from it. */
export function refuseWithoutFence(declared: NetworkDeclaration | undefined, reason: string): void {
  if (declared === undefined || typeof declared === "string") return;
  throw new Failure("unsupported", `Cannot start the program: its list of hosts cannot be kept, ${reason}`, {
    hint: 'A list needs the fence. Start with --fence=auto on Linux, or declare "network": "internet".',
  });
}

/** What is not an address goes by way of the broker. */
export function hasNames({ entries }: Pick<ReachList, "entries">): boolean {
  return entries.some(({ kind }) => kind !== "address");
}

const SHOWN_ENTRIES = 8;

function describeList({ texts }: ReachList, unix: boolean): string {
  const more = texts.length - SHOWN_ENTRIES;
  const shown = [...texts.slice(0, SHOWN_ENTRIES), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return `network: ${shown === "" ? "no host" : shown}${unix ? ", and unix sockets" : ""}`;
}

/** What proxies usually have. Nothing listens there: the supervisor takes the port for the broker, wherever that is. */
const PROXY_PORTS: readonly number[] = [3128, 8118, 13128];

function proxyPortFor({ entries }: ReachList): number {
  const isTaken = (port: number): boolean => entries.some((entry) => entry.host === "127.0.0.1" && entry.port === port);
  return PROXY_PORTS.find((port) => !isTaken(port)) ?? 23_128;
}

/** What curl, git, Python, Node, npm, Go and the JVM look for, each in its own place. */
export function networkVariables(port: number): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const names = ["http_proxy", "https_proxy", "all_proxy"];
  const java = ["http", "https"].map((one) => `-D${one}.proxyHost=127.0.0.1 -D${one}.proxyPort=${port}`);
  return {
    ...Object.fromEntries([...names, ...names.map((name) => name.toUpperCase())].map((name) => [name, proxy])),
    // From Node 22.21 and 24 on.
    NODE_USE_ENV_PROXY: "1",
    // The JVM leaves out this machine otherwise.
    JAVA_TOOL_OPTIONS: `${java.join(" ")} -Dhttp.nonProxyHosts=`,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.proxy",
    GIT_CONFIG_VALUE_0: proxy,
  };
}

/** Would lead a program past the proxy, where nothing answers it. */
const AROUND = /^no_proxy$/i;

/** The program's environment with what its network needs, which wins over what was declared. */
export function withNetwork(
  environment: Readonly<Record<string, string>>,
  { variables }: NetworkPlan,
): Record<string, string> {
  if (Object.keys(variables).length === 0) return { ...environment };
  const kept = Object.entries(environment).filter(([name]) => !AROUND.test(name));
  return { ...Object.fromEntries(kept), ...afterDeclared(environment, variables) };
}

/** The pairs of git's configuration are numbered, and those of the declaration stay. */
function afterDeclared(
  { GIT_CONFIG_COUNT: declared = "0" }: Readonly<Record<string, string>>,
  { GIT_CONFIG_COUNT, GIT_CONFIG_KEY_0 = "", GIT_CONFIG_VALUE_0 = "", ...others }: Readonly<Record<string, string>>,
): Record<string, string> {
  const at = /^\d{1,4}$/.test(declared) ? Number(declared) : 0;
  return {
    ...others,
    GIT_CONFIG_COUNT: String(at + Number(GIT_CONFIG_COUNT)),
    [`GIT_CONFIG_KEY_${at}`]: GIT_CONFIG_KEY_0,
    [`GIT_CONFIG_VALUE_${at}`]: GIT_CONFIG_VALUE_0,
  };
}
