/**
 * A host on standard input and output, from its first byte to its exit code.
 *
 * End of input: every accepted call is answered, then 0. A reader that went away, an output that cannot be written, or a signal: nothing more is begun, a
 * change under way is finished or taken back, every call has its end on record, then the end. A client that was killed is
 * both: its end of the input and of the output. Nothing but the writer touches stdout.
 */
import { Failure, limits, logLine, monotonicMs } from "../base/index.ts";
import { loadCommands, resolveConfig, scrubEnvironment, type RawConfig } from "../config/index.ts";
import type { AnyLocalTool, Pack } from "../contract/index.ts";
import { Session } from "../mcp/index.ts";
import { Watchdog } from "../pool/index.ts";
import type { Guard, GuardSettings } from "../pipeline/index.ts";
import { openStateFolder } from "../state/index.ts";
import { runAsHelper, startHost, type StartedHost } from "../start/index.ts";
import { createFrames, Writer, readFrames, stdoutSink, whenReaderGone } from "../wire/index.ts";
import { aboutHost } from "./about.ts";
import { Host } from "./host.ts";
import { createHostService } from "./service.ts";

/** How long a change under way may take to finish when the host is told to end, and what else runs to stop. */
const LAST_CHANGE_MS = 5000;
const LAST_CALL_MS = 1000;
/** A program of a hook that hangs keeps no host for longer. */
const LAST_TELLING_MS = 10_000;
const POLL_MS = 5;
/** As every command of ours ends where the host could not work. */
const HOST_FAILED = 3;
/** As a shell reports a process ended by a signal. */
const SIGNAL_EXIT: Readonly<Record<string, number>> = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 };

/** What the flags of `serve` take, tools and packs. */
export interface RunHostOptions extends RawConfig {
  /** Default: the built-in tools. Order is the order of `tools/list`. */
  readonly tools?: readonly AnyLocalTool[];
  /** Packs of this program. Each is off until `packSettings` has its name; their tools follow all others. */
  readonly packs?: readonly Pack[];
  /** A function that is asked before every call, after the rules and the hooks. It can only be stricter. */
  readonly guard?: Guard;
  /** Milliseconds in which the guard has to answer; later means deny. Default 5000. */
  readonly guardTimeoutMs?: number;
}

/**
 * Serves MCP over stdin and stdout until the input ends, then ends the process.
 *
 * @throws Failure `invalid_input`, `not_found`, `denied` for a configuration that cannot be used, `conflict` for two tools
 *   of one name
 * @example await runHost({ roots: ["/srv/project"], tools: [...builtinTools, myTool] });
 */
export async function runHost(options: RunHostOptions): Promise<never> {
  const { tools, packs = [], guard, guardTimeoutMs, ...raw } = options;
  scrubEnvironment();
  await runAsHelper(packs);
  const started = await startHost(async () => resolveConfig(await loadCommands(raw)), {
    // What it starts is fenced, whether or not its own program can be.
    programs: ({ fence }) => (raw.fence === undefined ? "auto" : fence),
    packs,
  });
  return await serveStarted(started, {
    tools,
    hasOwnPacks: packs.length > 0,
    guard: guardOf({ guard, guardTimeoutMs }),
  });
}

interface ServedTools {
  readonly tools?: readonly AnyLocalTool[] | undefined;
  /** Some of the packs are not of this program, so that names may be taken. */
  readonly hasOwnPacks?: boolean;
  readonly guard?: GuardSettings | undefined;
}

/** @throws Failure `invalid_input` for a time that is none */
export function guardOf({ guard, guardTimeoutMs: timeoutMs = GUARD_MS }: GuardOptions): GuardSettings | undefined {
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= limits.LONG_CALL_MS))
    throw new Failure("invalid_input", `Cannot start: guardTimeoutMs cannot be ${timeoutMs}`, {
      hint: `It is a number of milliseconds from 1 to ${limits.LONG_CALL_MS}.`,
    });
  return guard && { check: guard, timeoutMs };
}

interface GuardOptions {
  readonly guard?: Guard | undefined;
  readonly guardTimeoutMs?: number | undefined;
}

/** As for the programs of hooks. */
const GUARD_MS = 5000;

/** As `runHost`, with a configuration that is resolved already and a fence that was entered if it was asked for. */
export async function serveStarted(
  started: StartedHost,
  { tools, hasOwnPacks = false, guard }: ServedTools = {},
): Promise<never> {
  const { config } = started;
  const host = new Host({ ...started, tools, guard });
  host.recover();
  // Tools that cannot stand together are an error at start. The built-in ones can, and are loaded when they are needed.
  // A dialect's names stand in the instructions.
  if (tools || hasOwnPacks || config.dialect !== "ringfence") await host.registry();
  const writer = new Writer(stdoutSink(), { maxQueueBytes: limits.MAX_OUTPUT_QUEUE_BYTES });
  host.isOutputHeld = () => writer.queuedBytes >= limits.MAX_OUTPUT_QUEUE_BYTES;
  const { audit, checkpoints, keys } = openStateFolder(config.stateDir);
  const runsForeignCode = tools !== undefined || hasOwnPacks || guard !== undefined;
  const watchdog = new Watchdog({
    folders: { audit, checkpoints, keys },
    // Code of others may go on at any time while a call is open, and when that was answered before its code had ended.
    isWorking: () => host.isWorking || (runsForeignCode && (host.openCalls.count > 0 || host.running.size > 0)),
    runsForeignCode,
  });
  host.onWork = () => watchdog.begin();
  const session = new Session(writer, (...way) => createHostService(host, aboutHost(host), ...way));
  let ending: Promise<never> | undefined;
  const end = async (code: number, why: string): Promise<never> =>
    await (ending ??= endProcess(host, session, code, why));
  const endWithReader = (): void => void end(0, "nobody reads its output");
  writer.onBroken((problem) => {
    if (problem === undefined) return endWithReader();
    const why = `its output cannot be written (${problem})`;
    logLine(`ends, because ${why}`);
    void end(HOST_FAILED, why);
  });
  whenReaderGone(endWithReader);
  for (const [signal, code] of Object.entries(SIGNAL_EXIT)) process.on(signal, () => void end(code, signal));
  const frames = createFrames({ maxBytes: limits.MAX_FRAME_BYTES, maxDepth: limits.MAX_JSON_DEPTH });
  await readFrames(Bun.stdin.stream(), frames, {
    onFrame: (frame) => session.receive(frame),
    afterChunk: () => session.afterChunk(),
  });
  session.endInput();
  await session.settled();
  // What a person has approved is made to its end, as the calls of the client are.
  await Promise.all(host.proposed.made.values());
  await writer.close();
  await whenTold(host);
  return await end(0, "the end of its input");
}

async function endProcess(host: Host, session: Session, code: number, why: string): Promise<never> {
  session.cancelAll();
  await waitWhile(() => host.changing, LAST_CHANGE_MS);
  await waitWhile(() => host.openCalls.count > 0, LAST_CALL_MS);
  host.end(why);
  process.exit(code);
}

/**
 * No call waits for the programs of hooks that are told of it, but without the launcher of the host they would never hear. So
 * whoever ends a host in peace lets them end first.
 */
export async function whenTold({ telling }: Pick<Host, "telling">): Promise<void> {
  await waitWhile(() => telling.size > 0, LAST_TELLING_MS);
}

async function waitWhile(holds: () => boolean, mostMs: number): Promise<void> {
  for (const until = monotonicMs() + mostMs; holds() && monotonicMs() < until;) await Bun.sleep(POLL_MS);
}
