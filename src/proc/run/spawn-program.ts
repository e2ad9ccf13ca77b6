/**
 * Starting one program in a session of its own, with nothing open but its standard streams: by way of a keeper, which is
 * this program once more (fence/keeper.ts), bears it, and has whatever it leaves behind.
 *
 * Invariant: a keeper that ends without having said that nobody is left was ended by somebody, and whoever it kept is now a
 * child of the launcher (trees.ts).
 */
import { closeSync } from "node:fs";
import { Failure } from "../../base/index.ts";
import { EXEC_MARK, type ExecPlan, type KeeperWord } from "../../fence/index.ts";
import { openPipe, type Pipe } from "../../sys/index.ts";
import type { SelfStart } from "../launcher-protocol.ts";
import type { ReachBroker } from "../network/reach-broker.ts";
import type { ProgramStart } from "../plan/plan-program.ts";
import { drainAll, drainPipe, type Drain } from "./drain-pipe.ts";
import type { OutputStream } from "./stream-runs.ts";

export interface StartedProgram {
  readonly pid: number;
  /** The output of both streams. Whoever gets it closes it. */
  readonly drain: Drain;
  /** `pipe:[123]`; none of a terminal, which nothing holds when the program has ended. */
  readonly pipes: readonly string[];
  readonly exited: Promise<ProgramEnd>;
}

/** How this program starts itself, and the broker of what it starts. */
export interface Starter extends SelfStart {
  readonly broker?: ReachBroker | undefined;
}

export type TakesOutput = (bytes: Uint8Array, stream: OutputStream) => void;

/** Is told of the keeper at once, before anything else can look at what runs. */
export type OnKeeper = (keeper: number, followed: Followed) => void;

/**
 * @param output takes its output, or is where it goes
 * @throws Failure `unsupported` when the fence cannot be put on, `not_found` when the program cannot be started
 */
export async function spawnProgram(
  start: ProgramStart,
  self: Starter,
  onKeeper: OnKeeper,
  output: TakesOutput | OwnStreams,
): Promise<StartedProgram> {
  const supervised = start.fence?.supervised;
  const lease = supervised && self.broker?.lease(supervised.reach, supervised.hasProxy);
  const pipes = openKeeperPipes(start);
  let spawned: Spawned;
  try {
    const more = [pipes.status.write, pipes.control.read, ...(lease ? [lease.register] : [])];
    const plan = spawnPlan(lease ? withList(start, lease.list) : start, self, more);
    if (typeof output === "object") spawned = withStreams(plan, output);
    else spawned = (start.pty ? withTerminal : withPipes)(plan, start, output);
  } catch (thrown) {
    for (const fd of [pipes.status.read, pipes.control.write]) closeSync(fd);
    throw notStarted(start.program, thrown);
  } finally {
    for (const fd of [pipes.status.write, pipes.control.read]) closeSync(fd);
  }
  const { child, pipes: outputs, drain } = spawned;
  const unfollow = lease && self.broker?.follow(pipes.control.write);
  const followed = followKeeper(child, pipes.status.read, pipes.control.write, unfollow);
  onKeeper(child.pid, followed);
  const ready = await followed.ready;
  if (typeof ready !== "string") return { pid: ready.pid, drain, pipes: outputs, exited: followed.exited };
  child.kill("SIGKILL");
  await followed.gone;
  await drain.giveUp();
  drain.close();
  throw notStarted(start.program, ready);
}

function openKeeperPipes({ program }: ProgramStart): { status: Pipe; control: Pipe } {
  const status = openPipe();
  try {
    return { status, control: openPipe() };
  } catch (thrown) {
    for (const fd of [status.read, status.write]) closeSync(fd);
    throw notStarted(program, thrown);
  }
}

/** Instead of one pipe for all output: its three standard streams, which stay the caller's. */
export interface OwnStreams {
  readonly input: number;
  readonly output: number;
  readonly errors: number;
}

interface SpawnPlan {
  readonly command: string[];
  readonly options: { readonly cwd: string; readonly env: Record<string, string>; readonly detached: true };
  /** Behind the standard streams: where it says how it goes, what it ends without, and where connections are registered. */
  readonly more: readonly number[];
}

/** The number of its list at the broker is known only here. */
function withList(start: ProgramStart, list: number): ProgramStart {
  const { fence } = start;
  if (!fence?.supervised) return start;
  return { ...start, fence: { ...fence, supervised: { ...fence.supervised, list } } };
}

interface Spawned extends Pick<StartedProgram, "drain" | "pipes"> {
  readonly child: Bun.Subprocess;
}

function spawnPlan(start: ProgramStart, self: SelfStart, more: SpawnPlan["more"]): SpawnPlan {
  const { program, args, cwd, environment, mark, limits, fence, group, pty } = start;
  const variables: Record<string, string> = mark === undefined ? {} : { [self.markName]: mark };
  const argv = [program, ...args];
  const plan: ExecPlan = { program, argv, limits, fence, group, hasTerminal: pty, variables };
  const marks = markVariables(self.markName, `${EXEC_MARK}${JSON.stringify(plan)}`);
  return { command: [...self.command], options: { cwd, env: { ...environment, ...marks }, detached: true }, more };
}

/**
 * One pipe for both streams, in which they stay in the order in which they were written. Where they are wanted apart a pipe
 * for each, and what comes is put together in the order in which it comes: of writes to both within a moment the kernel does
 * not say which was first.
 */
function withPipes(
  { command, options, more }: SpawnPlan,
  { stdin, dropsErrors, apart }: ProgramStart,
  push: TakesOutput,
): Spawned {
  const streams: readonly OutputStream[] = apart && !dropsErrors ? ["stdout", "stderr"] : ["stdout"];
  const pipes: Pipe[] = [];
  try {
    for (const _ of streams) pipes.push(openPipe());
    const [output, errors = dropsErrors ? "ignore" : output] = pipes.map(({ write }) => write);
    const input = stdin === undefined ? "ignore" : Buffer.from(stdin, "utf8");
    const child = Bun.spawn(command, { ...options, stdio: [input, output, errors, ...more] });
    const drains = streams.map((stream, at) => drainPipe(pipes[at]!.read, (bytes) => push(bytes, stream)));
    return { child, drain: drainAll(drains), pipes: pipes.flatMap(({ name }) => name ?? []) };
  } catch (thrown) {
    for (const { read } of pipes) closeSync(read);
    throw thrown;
  } finally {
    for (const { write } of pipes) closeSync(write);
  }
}

function withStreams({ command, options, more }: SpawnPlan, { input, output, errors }: OwnStreams): Spawned {
  const child = Bun.spawn(command, { ...options, stdio: [input, output, errors, ...more] });
  return { child, drain: NOTHING, pipes: [] };
}

/** Whoever gave the streams reads them. */
const NOTHING: Drain = { ended: Promise.resolve(), giveUp: () => Promise.resolve(), close: () => undefined };

function withTerminal({ command, options, more }: SpawnPlan, { stdin }: ProgramStart, push: TakesOutput): Spawned {
  const terminal = newTerminal(stdin ?? "", push);
  const stdio: ["ignore", "ignore", "ignore", ...number[]] = ["ignore", "ignore", "ignore", ...more];
  const child = Bun.spawn(command, { ...options, stdio, terminal: terminal.options });
  if (child.terminal) return { child, drain: terminal.attach(child.terminal), pipes: [] };
  child.kill("SIGKILL");
  throw new Error("there are no terminals here");
}

/**
 * A terminal of its own, for a program that does something else without one. Its window never changes, nothing is echoed, and
 * its input ends: the end of the input is typed again and again, because on a terminal it holds for one read only.
 *
 * Usual mistake: to wait until nobody holds the terminal. When the program ends, the kernel hangs up on all that it left.
 */
interface NewTerminal {
  /** For the start of the program: only so does it become the terminal that it is controlled by. */
  readonly options: Bun.TerminalOptions;
  /** Types what it is given, and then the end. */
  readonly attach: (terminal: Bun.Terminal) => Drain;
}

const COLUMNS = 120;
const ROWS = 40;
const ECHO = 0o10;
/** `^D` at the beginning of a line. */
const END_OF_INPUT = "\u0004";
const TYPE_AGAIN_MS = 250;

/** @param input is typed first; a line of it can have 4095 bytes */
function newTerminal(input: string, push: TakesOutput): NewTerminal {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  return {
    options: {
      cols: COLUMNS,
      rows: ROWS,
      data: (_terminal, bytes) => push(bytes, "stdout"),
      exit: () => resolve(),
    },
    attach(terminal) {
      terminal.localFlags &= ~ECHO;
      const type = (text: string): void => {
        if (!terminal.closed) terminal.write(text);
      };
      type(input === "" || input.endsWith("\n") ? input : `${input}\n`);
      type(END_OF_INPUT);
      const again = setInterval(() => type(END_OF_INPUT), TYPE_AGAIN_MS);
      const close = (): void => {
        clearInterval(again);
        if (!terminal.closed) terminal.close();
        resolve();
      };
      return { ended, giveUp: async () => await Promise.resolve(close()), close };
    },
  };
}

/** In several variables: the kernel takes 128 KiB in each, and a character may need three bytes. */
export function markVariables(name: string, mark: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (let part = 0; part === 0 || part * MAX_PART_CHARS < mark.length; part++)
    variables[part === 0 ? name : `${name}_${part}`] = mark.slice(part * MAX_PART_CHARS, (part + 1) * MAX_PART_CHARS);
  return variables;
}

const MAX_PART_CHARS = 40_000;

function notStarted(program: string, thrown: unknown): Failure {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  const isFence = /landlock|seccomp|prctl/.test(why);
  return new Failure(isFence ? "unsupported" : "not_found", `Cannot start "${program}": ${why}`, {
    hint: isFence ? "Without its fence it is not started." : "Look at the declaration of the command.",
  });
}

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Followed {
  /** The number of the program, or a text that says why it was not started. */
  readonly ready: Promise<{ readonly pid: number } | string>;
  /** How the program ended. When the keeper was ended, the program was too. */
  readonly exited: Promise<ProgramEnd>;
  /** The keeper has ended. Whether it said before that nobody is left. */
  readonly gone: Promise<boolean>;
}

/** A start takes milliseconds; many at once on a busy machine take seconds. */
const MAX_START_MS = 60_000;
/** @param status where it speaks, @param control what it ends without; both are closed here, after `unfollow` */
function followKeeper(
  keeper: Bun.Subprocess,
  status: number,
  control: number,
  unfollow: (() => void) | undefined,
): Followed {
  const ready = Promise.withResolvers<Awaited<Followed["ready"]>>();
  const exited = Promise.withResolvers<ProgramEnd>();
  let isGone = false;
  const timer = setTimeout(
    () => ready.resolve("the helper process that starts it did not answer within 60 seconds"),
    MAX_START_MS,
  );
  const hear = (line: string): void => {
    const word = JSON.parse(line) as KeeperWord;
    if ("ready" in word) ready.resolve({ pid: word.ready });
    else if ("code" in word) exited.resolve({ code: word.code, signal: null });
    else if ("signal" in word) exited.resolve({ code: null, signal: word.signal });
    else isGone = true;
  };
  void ready.promise.then(() => clearTimeout(timer));
  const heard = readWords(status, hear);
  void heard.then((rest) => ready.resolve(rest || "the helper process that starts it ended without a message"));
  const gone = Promise.all([keeper.exited, heard]).then(() => {
    unfollow?.();
    for (const fd of [status, control]) closeSync(fd);
    return isGone;
  });
  // Not before it is known that it was ended: then all that it kept has come to the launcher.
  void gone.then(() => exited.resolve({ code: null, signal: "SIGKILL" }));
  return { ready: ready.promise, exited: exited.promise, gone };
}

/** @returns what it said last, when that is no line */
async function readWords(fd: number, hear: (line: string) => void): Promise<string> {
  let rest = "";
  for await (const chunk of Bun.file(fd).stream()) {
    const lines = `${rest}${Buffer.from(chunk).toString("utf8")}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  }
  return rest;
}
