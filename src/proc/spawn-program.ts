/**
 * Starting one program in a session of its own, with nothing open but its standard streams. With a fence by way of this
 * program's own exec stage; without one directly, which saves its start.
 */
import { closeSync } from "node:fs";
import { Failure } from "../base/index.ts";
import {
  EXEC_MARK,
  EXEC_READY,
  limitResources,
  type ExecPlan,
  openSystemCalls,
  type FenceRule,
  type NetworkReach,
  type ResourceLimits,
} from "../fence/index.ts";
import { drainPipe, type Bites, type Drain } from "./drain-pipe.ts";
import { openPipe } from "./pipes.ts";
import { newTerminal } from "./new-terminal.ts";
import type { SelfStart } from "./spare-stage.ts";

export interface ProgramStart {
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
  /** A directory that is held while this starts. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Absent: nothing, and the end at once. */
  readonly stdin?: string | undefined;
  /** What it says on stderr is nobody's business. Default: it is part of its output. */
  readonly dropsErrors?: boolean | undefined;
  /** It is this program again, and is told what to be. */
  readonly mark?: string | undefined;
  readonly limits: ResourceLimits;
  /** Instead of pipes a terminal of its own; `stdin` is typed into it. */
  readonly pty?: boolean | undefined;
  readonly fence?: {
    readonly abi: number;
    readonly rules: readonly FenceRule[];
    readonly network: NetworkReach;
  };
}

export interface StartedProgram {
  readonly pid: number;
  /** Of both its streams. Whoever gets it closes it. */
  readonly drain: Drain;
  /** `pipe:[123]`; absent of a terminal, which nothing holds when the program has ended. */
  readonly pipe: string | undefined;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/**
 * @param onPid is told at once, before anything else can look at what runs
 * @param output takes its output, or is where it goes
 * @throws Failure `unsupported` when the fence cannot be put on, `not_found` when the program cannot be started
 */
export async function spawnProgram(
  start: ProgramStart,
  self: SelfStart,
  onPid: (pid: number) => void,
  output: Bites | OwnStreams,
): Promise<StartedProgram> {
  const status = start.fence ? openPipe() : undefined;
  let spawned: Spawned;
  try {
    const plan = spawnPlan(start, self, status?.write);
    if ("errors" in output) spawned = withStreams(plan, output);
    else spawned = (start.pty ? withTerminal : withPipe)(plan, start, output);
  } catch (thrown) {
    if (status) closeSync(status.read);
    throw notStarted(start.program, thrown instanceof Error ? thrown.message : String(thrown));
  } finally {
    if (status) closeSync(status.write);
  }
  const { child, pipe, drain } = spawned;
  onPid(child.pid);
  const trouble = status === undefined ? limitHere(child.pid, start.limits) : await readStatus(status.read);
  if (trouble !== "") {
    child.kill("SIGKILL");
    await child.exited;
    await drain.giveUp();
    drain.close();
    throw notStarted(start.program, trouble);
  }
  return { pid: child.pid, drain, pipe, exited: endOf(child) };
}

/** Instead of one pipe for all output: its three standard streams, which stay the caller's. */
export interface OwnStreams {
  readonly input: number;
  readonly output: number;
  readonly errors: number;
}

interface SpawnPlan {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Behind the standard streams. */
  readonly status: number | undefined;
}

interface Spawned {
  readonly child: Bun.Subprocess;
  readonly drain: Drain;
  readonly pipe: string | undefined;
}

function spawnPlan(start: ProgramStart, self: SelfStart, status: number | undefined): SpawnPlan {
  const { program, args, cwd, environment, mark, limits, fence } = start;
  const variables = mark === undefined ? {} : { [self.markName]: mark };
  if (!fence || status === undefined)
    return { command: [program, ...args], cwd, env: { ...environment, ...variables }, status: undefined };
  const plan: ExecPlan = { program, argv: [program, ...args], limits, fence, variables };
  const marks = markVariables(self.markName, `${EXEC_MARK}${JSON.stringify(plan)}`);
  return { command: self.command, cwd, env: { ...environment, ...marks }, status };
}

function withPipe(
  { command, cwd, env, status }: SpawnPlan,
  { stdin, dropsErrors }: ProgramStart,
  bites: Bites,
): Spawned {
  const pipe = openPipe();
  try {
    const input = stdin === undefined ? "ignore" : Buffer.from(stdin, "utf8");
    const child = Bun.spawn([...command], {
      cwd,
      env,
      stdio: [
        input,
        pipe.write,
        dropsErrors ? "ignore" : pipe.write,
        ...(status === undefined ? [] : [status]),
      ],
      detached: true,
    });
    return { child, drain: drainPipe(pipe.read, bites), pipe: pipe.name };
  } catch (thrown) {
    closeSync(pipe.read);
    throw thrown;
  } finally {
    closeSync(pipe.write);
  }
}

function withStreams({ command, cwd, env, status }: SpawnPlan, streams: OwnStreams): Spawned {
  const { input, output, errors } = streams;
  const stdio: [number, number, number, ...number[]] = [
    input,
    output,
    errors,
    ...(status === undefined ? [] : [status]),
  ];
  return {
    child: Bun.spawn([...command], { cwd, env, stdio, detached: true }),
    drain: NOTHING,
    pipe: undefined,
  };
}

/** Whoever gave the streams reads them. */
const NOTHING: Drain = {
  ended: Promise.resolve(),
  giveUp: () => Promise.resolve(),
  close: () => undefined,
};

function withTerminal(
  { command, cwd, env, status }: SpawnPlan,
  { stdin }: ProgramStart,
  bites: Bites,
): Spawned {
  const { options, attach } = newTerminal(stdin ?? "", (bytes) => bites.push(bytes));
  const child = Bun.spawn([...command], {
    cwd,
    env,
    stdio: ["ignore", "ignore", "ignore", ...(status === undefined ? [] : [status])],
    terminal: options,
    detached: true,
  });
  if (child.terminal) return { child, drain: attach(child.terminal), pipe: undefined };
  child.kill("SIGKILL");
  throw new Error("there are no terminals here");
}

/** It may have begun to run; what it starts in that moment is as limited as the host. */
function limitHere(pid: number, limits: ResourceLimits): string {
  const calls = openSystemCalls();
  try {
    if (calls) limitResources(calls, pid, limits);
  } catch {
    // It has ended already.
  }
  return "";
}

/** In several variables: the kernel takes 128 KiB in each, and a character may need three bytes. */
function markVariables(name: string, mark: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (let part = 0; part === 0 || part * MAX_PART_CHARS < mark.length; part++)
    variables[part === 0 ? name : `${name}_${part}`] = mark.slice(
      part * MAX_PART_CHARS,
      (part + 1) * MAX_PART_CHARS,
    );
  return variables;
}

const MAX_PART_CHARS = 40_000;

/** It takes milliseconds; many at once on a busy machine take seconds. */
const MAX_START_MS = 60_000;

/** It has ended before it came so far. */
export const SAID_NOTHING = "the start before it has failed";

/** "" once the other program runs. */
export async function readStatus(fd: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve("the start before it takes too long"), MAX_START_MS);
  try {
    const status = await Promise.race([Bun.file(fd).text(), promise]);
    if (status === EXEC_READY) return "";
    return status.replace(EXEC_READY, "") || SAID_NOTHING;
  } finally {
    clearTimeout(timer);
    closeSync(fd);
  }
}

export function notStarted(program: string, why: string): Failure {
  const isFence = /landlock|seccomp|prctl/.test(why);
  return new Failure(isFence ? "unsupported" : "not_found", `Cannot start "${program}": ${why}`, {
    hint: isFence ? "Without its fence it is not started." : "Look at the declaration of the command.",
  });
}

export async function endOf(child: Bun.Subprocess): Promise<{ code: number | null; signal: string | null }> {
  await child.exited;
  const { exitCode, signalCode } = child;
  return signalCode === null ? { code: exitCode, signal: null } : { code: null, signal: String(signalCode) };
}
