/**
 * What the operator said about another MCP server: a program that the launcher starts in a fence of its own, or an address
 * that a process of this program's own speaks to. The names of members are those of the configuration file.
 */
import type { CommandDeclaration } from "./declaration.ts";

export interface UpstreamDeclaration extends Pick<
  CommandDeclaration,
  | "sha256"
  | "args"
  | "environment"
  | "inherit"
  | "home"
  | "network"
  | "reads"
  | "writes"
  | "timeout_ms"
  | "cpu_seconds"
  | "memory_mb"
  | "processes"
  | "file_mb"
> {
  /** An absolute path, or a name that is looked up once at the start, never where a tool can write. */
  readonly command?: string | undefined;
  /** A directory inside a root, for a server that may reach them. Default: a folder of its own that goes with it. */
  readonly cwd?: string | undefined;
  /** What its fence leaves of the roots of this host. Default none. */
  readonly roots?: "none" | "read" | "write" | undefined;
  /** Instead of a command: streamable HTTP. */
  readonly url?: string | undefined;
  /** `${NAME}` in a value stands for a variable of the host's environment. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Its tools that only read, as the operator knows: names, or globs of them. */
  readonly read_tools?: readonly string[] | undefined;
}

export interface UpstreamsConfig {
  readonly servers: Readonly<Record<string, UpstreamDeclaration>>;
  /** Hosts, as `name` or `name:port`, that addresses may name. */
  readonly reach: readonly string[];
}

/** The first line that the process at an address is told; it is in no list of processes and in no environment. */
export interface RelayOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly reach: readonly string[];
  /** Of one result. */
  readonly maxBytes: number;
}

/** What the start mark says to it. */
export const RELAY_MARK = "upstream-http";

/** Why an address may not be spoken to, or `undefined`. Plain HTTP is for this machine alone. */
export function refusedAddress(url: string, reach: readonly string[]): string | undefined {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return "it is no address";
  }
  const { protocol, hostname, host, username, password } = parsed;
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && isHere)) return "it is not https";
  if (username !== "" || password !== "") return "it holds a password";
  const isListed = reach.some((one) => one.toLowerCase() === host || one.toLowerCase() === hostname);
  return isListed ? undefined : `${host} is not in upstream_reach`;
}
