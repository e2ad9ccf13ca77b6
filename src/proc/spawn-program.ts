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
import { openPipe } from "./pipes.ts";

export interface ProgramStart {
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
  /** A directory that is held while this starts. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Absent: nothing, and the end at once. */
  readonly stdin?: string | undefined;
  /** Instead: descriptors of standard input and of standard error, which stay the caller's. */
  readonly streams?: { readonly input: number; readonly errors: number } | undefined;
  /** It is this program again, and is told what to be. */
  readonly mark?: string | undefined;
  readonly limits: ResourceLimits;
  readonly fence?: {
    readonly abi: number;
    readonly rules: readonly FenceRule[];
    readonly network: NetworkReach;
  };
}

/** How this program starts itself, and the variable that tells it what to be. */
export interface SelfStart {
  readonly command: readonly string[];
  readonly markName: string;
}

export interface StartedProgram {
  readonly pid: number;
  /** Of both its streams, or of standard output alone. Whoever gets it closes it. */
  readonly output: number;
  /** `pipe:[123]` */
  readonly pipe: string | undefined;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/**
 * @param onPid is told at once, before anything else can look at what runs
 * @throws Failure `unsupported` when the fence cannot be put on, `not_found` when the program cannot be started
 */
export async function spawnProgram(
  start: ProgramStart,
  self: SelfStart,
  onPid: (pid: number) => void,
): Promise<StartedProgram> {
  const pipe = openPipe();
  const status = start.fence ? openPipe(4096) : undefined;
  let child: Bun.Subprocess;
  try {
    child = spawn(start, self, pipe.write, status?.write);
  } catch (thrown) {
    for (const fd of [pipe.read, status?.read]) if (fd !== undefined) closeSync(fd);
    throw notStarted(start.program, thrown instanceof Error ? thrown.message : String(thrown));
  } finally {
    for (const fd of [pipe.write, status?.write]) if (fd !== undefined) closeSync(fd);
  }
  onPid(child.pid);
  const trouble = status === undefined ? limitHere(child.pid, start.limits) : await readStatus(status.read);
  if (trouble !== "") {
    child.kill("SIGKILL");
    closeSync(pipe.read);
    await child.exited;
    throw notStarted(start.program, trouble);
  }
  return {
    pid: child.pid,
    output: pipe.read,
    pipe: pipe.name,
    exited: endOf(child),
  };
}

function spawn(
  start: ProgramStart,
  self: SelfStart,
  output: number,
  status: number | undefined,
): Bun.Subprocess {
  const { program, args, cwd, environment, stdin, streams, mark, limits, fence } = start;
  const input = streams?.input ?? (stdin === undefined ? "ignore" : Buffer.from(stdin, "utf8"));
  const errors = streams?.errors ?? output;
  const variables = mark === undefined ? {} : { [self.markName]: mark };
  if (!fence || status === undefined)
    return Bun.spawn([program, ...args], {
      cwd,
      env: { ...environment, ...variables },
      stdio: [input, output, errors],
      detached: true,
    });
  const plan: ExecPlan = { program, argv: [program, ...args], limits, fence, variables };
  return Bun.spawn([...self.command], {
    cwd,
    env: { ...environment, ...markVariables(self.markName, `${EXEC_MARK}${JSON.stringify(plan)}`) },
    stdio: [input, output, errors, status],
    detached: true,
  });
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

/** "" once the other program runs. */
async function readStatus(fd: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve("the start before it takes too long"), MAX_START_MS);
  try {
    const status = await Promise.race([Bun.file(fd).text(), promise]);
    if (status === EXEC_READY) return "";
    return status.replace(EXEC_READY, "") || "the start before it has failed";
  } finally {
    clearTimeout(timer);
    closeSync(fd);
  }
}

function notStarted(program: string, why: string): Failure {
  const isFence = /landlock|seccomp|prctl/.test(why);
  return new Failure(isFence ? "unsupported" : "not_found", `Cannot start "${program}": ${why}`, {
    hint: isFence ? "Without its fence it is not started." : "Look at the declaration of the command.",
  });
}

async function endOf(child: Bun.Subprocess): Promise<{ code: number | null; signal: string | null }> {
  await child.exited;
  const { exitCode, signalCode } = child;
  return signalCode === null ? { code: exitCode, signal: null } : { code: null, signal: String(signalCode) };
}
