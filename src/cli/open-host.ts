/**
 * A host for one command: the same pipeline as `serve`, without the wire; and the requests that a command makes of it, which
 * are those that a client can make.
 */
import { Failure, StopSource, type StopSignal } from "../base/index.ts";
import type { MethodName, MethodParams, MethodResults } from "../calls/index.ts";
import { loadConfig, parseRoot, type Config, type RawConfig } from "../config/index.ts";
import type { Host } from "../host/index.ts";
import { startHost } from "../start/index.ts";
import { COMMAND_DEFAULTS, starting } from "./command.ts";

/** @throws Failure `invalid_input` without a root, `not_found` for one that is not there, `denied` for the state folder */
export async function openHost(raw: RawConfig, defaults: RawConfig = {}): Promise<Host> {
  return await open(async () => (await loadConfig(raw, { ...COMMAND_DEFAULTS, ...defaults })).config);
}

/**
 * Opens a host for commands that concern the state folder alone. Proposals bring the roots in which they were made, so there
 * is nothing yet around which a fence could be built.
 */
export async function openRootlessHost(raw: RawConfig): Promise<Host> {
  return await open(async () => bareConfig((await loadConfig(raw, {}, false)).config, []));
}

/** Opens such a host to take back what `init` has written, which writes whether tools may (`read_only`) or not. */
export async function openWritingHost(raw: RawConfig): Promise<Host> {
  return await open(async () => ({ ...bareConfig((await loadConfig(raw, {}, false)).config, []), readOnly: false }));
}

/** Removes everything that starts programs, and with it the need of a fence. */
function bareConfig({ shell: _shell, upstreams: _upstreams, ...config }: Config, roots: Config["roots"]): Config {
  return { ...config, commands: {}, spaces: [], hooks: [], packSettings: {}, roots, fence: "off" };
}

/**
 * Opens a host for a grant, which names the roots for which it holds and reaches into none of them. Those are the roots of the
 * command line or the configuration, and without any the current directory.
 */
export async function openGrantHost(raw: RawConfig): Promise<Host> {
  return await open(async () => {
    const { config, roots } = await loadConfig(raw, {}, false);
    const named = (roots.length > 0 ? roots : ["."]).map((root) => parseRoot(root));
    return bareConfig(config, named);
  });
}

/** Opens a host that may start other MCP servers. Roots are not required, because asking a server for its tools needs none. */
export async function openUpstreamHost(raw: RawConfig): Promise<Host> {
  return await open(async () => await configWithRoots(raw));
}

/** The configuration of a command that works without roots, with those that were given here or in a file. */
export async function configWithRoots(raw: RawConfig): Promise<Config> {
  const { config, roots } = await loadConfig(raw, COMMAND_DEFAULTS, false);
  return roots.length === 0 ? config : (await loadConfig(raw, COMMAND_DEFAULTS)).config;
}

async function open(load: () => Promise<Config>): Promise<Host> {
  return await starting(async () => {
    const started = await startHost(load);
    // Not before: where a fenced host starts twice, its first start ends above.
    const { Host } = await import("../host/index.ts");
    const host = new Host(started);
    host.recover();
    return host;
  });
}

/** Calls a method `ringfence/*`. @throws Failure */
export async function askHost<Name extends MethodName>(
  host: Host,
  method: Name,
  params: MethodParams[Name],
  onProgress?: (done: number, total: number | undefined, what: string) => void,
): Promise<MethodResults[Name]> {
  const { callMethod } = await import("../methods/index.ts");
  const caller = onProgress ? { onProgress } : {};
  return await stopBySignal(async (signal) => await callMethod(host, method, params, { signal, ...caller }));
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const stopped = new StopSource();
const stop = (signal: NodeJS.Signals): void => {
  // Whichever comes next ends the process.
  for (const one of SIGNALS) process.off(one, stop);
  stopped.abort();
  // A shell leaves its loop where a signal has ended the command, and goes on after any exit code.
  process.once("exit", () => process.kill(process.pid, signal));
};

/**
 * Lets a signal cancel work in order: the work fails as `cancelled`, its end is recorded, and a change under way is finished or
 * reverted, where the signal alone would end the process in the middle. Whatever the command would begin after that is
 * cancelled too, and the signal ends the process when all is said. A second signal ends it at once, and so does one that comes
 * while nothing is under way.
 */
export async function stopBySignal<T>(work: (signal: StopSignal) => Promise<T>): Promise<T> {
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(stopped);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

interface KnownId {
  readonly id: string;
  /** A line that says which one this is. */
  readonly what: string;
}

const ID_CHARS = "p_".length + 22;
/** How many ids are named; further ones are only counted. */
const MAX_NAMED = 20;

/**
 * Completes an id from its beginning, as people type it: `p_6Dk` is enough where no other id begins so. A whole id, and a text
 * that is no id, are returned as they are and left to whoever looks them up. The beginning of an id does not prove that
 * somebody has seen what it names: that is what the digest is for.
 *
 * @param known all that there are; looked for only when `given` is the beginning of an id
 * @throws Failure `ambiguous`
 */
export async function wholeId(given: string, known: () => Promise<readonly KnownId[]>): Promise<string> {
  if (given.length >= ID_CHARS || !/^[a-z]_[\w-]/.test(given)) return given;
  const found = (await known()).filter(({ id }) => id.startsWith(given));
  const [first, ...others] = found;
  if (!first) return given;
  if (others.length === 0) return first.id;
  const named = found.slice(0, MAX_NAMED).map(({ id, what }) => `\n  ${id}  ${what}`);
  const left = found.length - named.length;
  throw new Failure("ambiguous", `Cannot tell which one "${given}" is: ${found.length} ids begin so`, {
    hint: `Give more of the one that you mean:${named.join("")}${left > 0 ? `\n  and ${left} more` : ""}`,
    candidates: found.map(({ id }) => id),
  });
}
