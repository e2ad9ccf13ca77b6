/**
 * `connect`: a host as a process of its own, driven from TypeScript or JavaScript. Every option that steers the host is a
 * flag of `ringfence serve`, so what it does is what the same command line does.
 */
import { createToolHost, openStop, type ToolHost } from "../calls/index.ts";
import { Connection } from "./connection.ts";
import { CallError, ConnectionError } from "./host-process.ts";

/** How the host is found and started. */
export interface ConnectOptions {
  /** The path of the executable, or a name that is looked up in PATH. Default: `ringfence`. */
  readonly binary?: string;
  /** Directories that the tools may reach; `DIR:ro` for reading only. */
  readonly roots?: readonly string[];
  /** Globs relative to each root that nothing reaches. */
  readonly deny?: readonly string[];
  /** `default` proposes changes, `accept_edits` applies ordinary edits, `plan` only proposes, `bypass` does everything. */
  readonly mode?: "default" | "accept_edits" | "plan" | "bypass";
  /** `required` (default): an existing file is changed only when it was read or its hash is given. */
  readonly baseline?: "required" | "if_known";
  readonly profile?: string;
  readonly stateDir?: string;
  /** A configuration file. */
  readonly config?: string;
  /** The kernel fence. Default: the host's own, `auto`. */
  readonly fence?: "auto" | "require" | "off";
  /** Further flags of `ringfence serve`. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the host. Default: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** How this program calls itself; on record with every call, and what limits by client go by. */
  readonly client?: { readonly name: string; readonly version?: string };
  /** The limit of each call that names none. Default: only the limits of the host. */
  readonly timeoutMs?: number;
  /** Until the host has answered for the first time. Default 10,000. */
  readonly startTimeoutMs?: number;
  /** How long the host may take to end, and again after SIGTERM, before it is killed. Default 5,000. */
  readonly graceMs?: number;
  /** Gives up the start. */
  readonly signal?: AbortSignal;
  /** What the host writes for people, as it comes. */
  readonly onStderr?: (text: string) => void;
}

/** A host in a process of its own. */
export interface Client extends ToolHost {
  readonly pid: number | undefined;
  readonly server: { readonly name: string; readonly version: string };
  /** What a model should be told of this host. */
  readonly instructions: string;
  /** The last 8 KiB that the host wrote for people. */
  readonly stderr: string;
}

const START_MS = 10_000;
const GRACE_MS = 5_000;
const PROTOCOL = "2025-11-25";

/**
 * Starts a host and shakes hands with it.
 *
 * @throws ConnectionError when it cannot be started or ends before it has answered, with the end of its stderr
 * @example
 * const client = await connect({ binary: "dist/ringfence", roots: ["/srv/project"] });
 * const { text, proposal } = await client.callTool("write_file", { path: "a.txt", content: "a" });
 * if (proposal) await client.proposals.apply(proposal.id);
 * await client.close();
 */
export async function connect(options: ConnectOptions): Promise<Client> {
  const { binary = "ringfence", cwd, env, onStderr, graceMs = GRACE_MS } = options;
  const connection = new Connection({ binary, args: flagsOf(options), cwd, env, onStderr });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => await (closing ??= connection.close(graceMs));
  try {
    const greeting = await shakeHands(connection, options);
    const host = createToolHost(connection, close, options.timeoutMs);
    return {
      ...host,
      pid: connection.process.pid,
      server: greeting.serverInfo,
      instructions: greeting.instructions ?? "",
      get stderr() {
        return connection.process.stderr;
      },
    };
  } catch (thrown) {
    connection.process.kill();
    await connection.process.ended;
    throw startError(binary, thrown, connection.process.stderr);
  }
}

interface Greeting {
  readonly serverInfo: Client["server"];
  readonly instructions?: string;
}

async function shakeHands(
  connection: Connection,
  { client, signal, startTimeoutMs = START_MS }: ConnectOptions,
): Promise<Greeting> {
  const stop = openStop({ signal, timeoutMs: startTimeoutMs });
  try {
    const { name = "ringfence-client", version = "0" } = client ?? {};
    const params = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name, version } };
    const greeting = await connection.request("initialize", params, { stop, onProgress: undefined });
    connection.notify("notifications/initialized");
    return greeting as Greeting;
  } finally {
    stop.end();
  }
}

function startError(binary: string, thrown: unknown, stderr: string): unknown {
  const end = { exitCode: null, signal: null, stderr };
  if (thrown instanceof CallError)
    return thrown.code === "timed_out"
      ? new ConnectionError(`Cannot start "${binary}": it did not answer in time`, end)
      : thrown;
  if (!(thrown instanceof ConnectionError) || !thrown.message.startsWith("The host has ended")) return thrown;
  const { exitCode, signal } = thrown;
  const how = signal === null ? `exit code ${exitCode}` : signal;
  return new ConnectionError(`Cannot start "${binary}": it ended before it answered (${how})`, thrown);
}

function flagsOf(options: ConnectOptions): string[] {
  const { roots = [], deny = [], mode, baseline, profile, stateDir, config, fence, args = [] } = options;
  const single = {
    mode,
    baseline,
    profile,
    "state-dir": stateDir,
    config,
    fence,
    // The types are those of our own names, and of the structured form; `args` can say otherwise.
    dialect: "ringfence",
    results: "structured",
  };
  return [
    "serve",
    ...roots.map((root) => `--root=${root}`),
    ...deny.map((glob) => `--deny=${glob}`),
    ...Object.entries(single).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
    ...args,
  ];
}
