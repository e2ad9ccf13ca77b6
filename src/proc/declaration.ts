/**
 * What the operator said about commands, hooks and other MCP servers. The program and its fixed arguments are the
 * configuration's, only typed parameters are the caller's. The names of members are those of the configuration file.
 */
import type { NetworkConfig } from "../reach/index.ts";
import type { NetworkReach } from "../fence/index.ts";

/** Each value becomes one argument; it is never put into a text that something reads again. */
export interface ParameterDeclaration {
  readonly type: "string" | "integer" | "number" | "boolean" | "enum" | "path" | "list";
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  /** `--name` makes two arguments, `--name=` one. Of a boolean: the argument when it is true. */
  readonly flag?: string | undefined;
  /** A value may begin with a dash. Without it such a value is refused, because it would be read as an option. */
  readonly may_be_option?: boolean | undefined;
  /** A regular expression that a string must match as a whole. */
  readonly pattern?: string | undefined;
  readonly max_length?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly values?: readonly string[] | undefined;
  /** What the program does with a path. Default read. */
  readonly intent?: "read" | "write" | undefined;
  readonly items?: Omit<ParameterDeclaration, "items" | "flag" | "required"> | undefined;
  readonly max_items?: number | undefined;
}

export type ParameterDeclarations = Readonly<Record<string, ParameterDeclaration>>;

export interface CommandLimits {
  readonly timeout_ms?: number | undefined;
  /** Processor time of each process. */
  readonly cpu_seconds?: number | undefined;
  /** Data of each process. */
  readonly memory_mb?: number | undefined;
  readonly processes?: number | undefined;
  /** The size of one file that is written. */
  readonly file_mb?: number | undefined;
}

export interface CommandDeclaration extends CommandLimits {
  readonly description: string;
  /** What it may put out while a call waits for it, in megabytes. */
  readonly output_mb?: number | undefined;
  /** An absolute path, or a name that is looked up once at the start, never where a tool can write. */
  readonly program: string;
  /** The program's sha256, hex. Another program is not started. */
  readonly sha256?: string | undefined;
  /** `{name}` stands for the arguments of that parameter. Parameters that are not named here follow in their order. */
  readonly args?: readonly string[] | undefined;
  readonly parameters?: ParameterDeclarations | undefined;
  /** A directory inside a root. Default: the first root. */
  readonly cwd?: string | undefined;
  /** Variables besides those that every command gets. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Names of variables of the host that it gets too. */
  readonly inherit?: readonly string[] | undefined;
  /**
   * user: HOME is that of the host's user; the fence still decides what is there. Default own: a folder that is gone
   * after it.
   */
  readonly home?: "own" | "user" | undefined;
  /** given: the caller may send text. Default closed. */
  readonly stdin?: "closed" | "given" | undefined;
  /** The program gets a terminal of its own, for programs that do something else without one. Default false. */
  readonly pty?: boolean | undefined;
  readonly risk?: "R0" | "R1" | "R2" | "R3" | "R4" | undefined;
  /** Whether it changes files: those that it changed are reported. Default true. */
  readonly changes?: boolean | undefined;
  /** Globs in the writable roots: such files are kept before it runs, so that what it makes of them can be undone. */
  readonly snapshot?: readonly string[] | undefined;
  readonly network?: NetworkDeclaration | undefined;
  /** Absolute paths outside the roots that it may read and run, and that it may change. */
  readonly reads?: readonly string[] | undefined;
  readonly writes?: readonly string[] | undefined;
  /** The file that it was declared in; without that file there is no command. */
  readonly source?: string | undefined;
}

/** All of a network, none of it, or a list of hosts, which the kernel holds a program to. */
export type NetworkDeclaration = NetworkReach | NetworkList;

export interface NetworkList {
  /** `host:port`, `host`, `*.suffix`, `*.suffix:port`, or an address, with or without a port. */
  readonly reach: readonly string[];
  /** Unix sockets that have a path, which lead to other programs here. Default: only connected pairs. */
  readonly unix?: boolean | undefined;
}

export type CommandDeclarations = Readonly<Record<string, CommandDeclaration>>;

/** A tool of a space as a person approved it; the launcher reads the space itself. */
export interface SpaceOrder {
  /** The real path of the space. */
  readonly folder: string;
  /** The tool's id in the space. */
  readonly tool: string;
  /** Names exactly what was approved. */
  readonly hash: string;
}

/** Reads a tool of a space from what lies there now. @throws Failure for one that is gone or has changed */
export type ReadSpaceTool = (order: SpaceOrder, directories: readonly string[]) => Promise<CommandDeclaration>;

export interface ShellSettings
  extends CommandLimits, Pick<CommandDeclaration, "output_mb" | "snapshot" | "network" | "environment" | "inherit"> {
  readonly enabled: boolean;
  /** Programs that may be started with their arguments, without a shell, also where there is none. */
  readonly programs?: readonly string[] | undefined;
  /** The time of a call that names none; `timeout_ms` is the longest. */
  readonly usual_timeout_ms?: number | undefined;
  /** How many may run in the background at once. */
  readonly background?: number | undefined;
}

/** A caller's values for a command, by the names of its parameters. */
export type CommandInput = Readonly<Record<string, unknown>>;

/** Programs around a call, each as what it is started with. They read the roots and change what `writes` names. */
export interface HookPrograms extends Pick<
  CommandDeclaration,
  "timeout_ms" | "network" | "environment" | "inherit" | "reads" | "writes"
> {
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
  /** For what happens besides a call, which `on` names. */
  readonly run?: readonly string[] | undefined;
}

/** A tool of a server by another name. */
export interface RenamedTool {
  /** As the server calls it. */
  readonly tool: string;
  /** The argument of the server by the name that callers use. Default: all of its own. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  /** Arguments of the server that are always sent so. */
  readonly with?: Readonly<Record<string, string | number | boolean>> | undefined;
}

export interface UpstreamDeclaration
  extends
    CommandLimits,
    Pick<CommandDeclaration, "sha256" | "args" | "environment" | "inherit" | "home" | "network" | "reads" | "writes"> {
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
  /** The tools that only read, as the operator knows: names, or globs of them. */
  readonly read_tools?: readonly string[] | undefined;
  /** Tools of the server by names of ours or of a dialect, which are listed by these names alone. */
  readonly as?: Readonly<Record<string, RenamedTool>> | undefined;
}

export interface UpstreamsConfig {
  readonly servers: Readonly<Record<string, UpstreamDeclaration>>;
  /** Hosts, as `name` or `name:port`, that addresses may name. */
  readonly reach: readonly string[];
  /** How connections leave this machine. */
  readonly network?: NetworkConfig | undefined;
}

/** The first line that the process at an address is told; it is in no list of processes and in no environment. */
export interface RelayOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly reach: readonly string[];
  readonly network: NetworkConfig;
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

/**
 * A program of this machine that the tools of a pack speak to, in a fence of its own, for as long as they want it. Its messages are
 * texts that end with NUL, which it reads from descriptor 3 and writes to descriptor 4, as browsers do.
 */
export interface PackProgram {
  /** Absolute, in a place where no tool can write. */
  readonly program: string;
  /**
   * `{folder}` stands for a folder of its own, which is removed when it ends, and `{proxy}` for the address of its way out. It
   * reaches nothing around that but addresses that are listed as such.
   */
  readonly args: readonly string[];
  /** Entries as in `reach`. */
  readonly reach: readonly string[];
  /** Megabytes that all of its processes may have together. */
  readonly memoryMb: number;
  /** Processes that it may have at a time. */
  readonly processes: number;
}
