/**
 * This program as the keeper of one command: between fork and exec there is no place for JavaScript, so the launcher starts
 * itself. That start bears the program behind its limits and its fence, which hold for everything that the program starts
 * and cannot be taken back, and stays for as long as anything of it is there.
 *
 * Invariant: whoever loses its parent in there becomes a child of the keeper and of nobody else, so that what belongs to a
 * command is told by ancestry, and by nothing that a program can choose. The keeper stands outside the fence. When nobody
 * is left it says so and ends; when the launcher is gone it ends all of it.
 */
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { constants as os } from "node:os";
import {
  foreignBytes,
  forkProgram,
  memoryForExec,
  openSystemCalls,
  type ForeignMemory,
  type Step,
  type SystemCalls,
} from "../sys/index.ts";
import type { FilterReach } from "./call-rules.ts";
import { checked, createRuleset, type FenceRule } from "./landlock.ts";
import { listenerFlags, putFilter } from "./seccomp.ts";
import { hearBroker, startSupervising, type StartSupervisor } from "./supervise/start-supervising.ts";
import type { SupervisePlan } from "./supervise/supervise.ts";

/** What the start mark of such a start begins with; the plan follows. */
export const EXEC_MARK = "exec:";
const STATUS_FD = 3;
/** Nobody holds the other end but the launcher. */
const CONTROL_FD = 4;

/** What the keeper says on its status pipe, a line of JSON each; a text instead says why the program was not started. */
export type KeeperWord =
  | { readonly ready: number }
  | { readonly code: number }
  | { readonly signal: string }
  /** Nothing of the command is left. */
  | { readonly gone: true };

/** By the names of setrlimit(2); bytes, seconds or numbers. */
export type ResourceLimits = Readonly<Partial<Record<LimitName, number>>>;
type LimitName = keyof typeof RESOURCES;

/** The fence of a program, ready to be put on. */
export interface ProgramFence {
  readonly abi: number;
  readonly rules: readonly FenceRule[];
  readonly network: FilterReach;
  /** With the network `listen`: the one port that it binds. */
  readonly port?: number | undefined;
  /** The filter of system calls, made beforehand (`encodedFilter`). */
  readonly filter: string;
  /** For a network that is a list: this process makes every connection of the program. */
  readonly supervised?: SupervisePlan | undefined;
}

/** What a keeper cannot do by itself. */
export interface KeeperHelp {
  /** Ends everything that came from this process. */
  readonly endDescendants: () => Promise<void>;
  readonly startSupervisor: StartSupervisor;
}

export interface ExecPlan {
  readonly program: string;
  /** With the name that it is told to have. */
  readonly argv: readonly string[];
  /** Variables besides those that the keeper itself was started with. */
  readonly variables: Readonly<Record<string, string>>;
  readonly limits: ResourceLimits;
  /** The program's standard input is a terminal, which becomes its controlling terminal. */
  readonly hasTerminal?: boolean | undefined;
  /** The folder of the control group that it is born in. */
  readonly group?: string | undefined;
  readonly fence?: ProgramFence | undefined;
}

const RESOURCES = { CPU: 0, FSIZE: 1, DATA: 2, CORE: 4, NPROC: 6, NOFILE: 7 } as const;

const PR_SET_PDEATHSIG = 1;
const PR_CAPBSET_DROP = 24;
const PR_SET_CHILD_SUBREAPER = 36;
const PR_SET_NO_NEW_PRIVS = 38;
const CLOSE_RANGE_CLOEXEC = 4;
const LAST_DESCRIPTOR = 0x7fffffff;
const TIOCNOTTY = 0x5422;
const TIOCSCTTY = 0x540e;
const SIG_SETMASK = 2;
const SIGNAL_SET_BYTES = 8;
/** struct sigaction of the kernel; zeros are the default. */
const SIGNAL_ACTION_BYTES = 32;
const { SIGHUP, SIGKILL, SIGPIPE } = os.signals;
/** SIG_IGN in the place of a handler. */
const IGNORED = 1n;
const SET_MODE_FILTER = 1;
const LAST_CAPABILITY = 63;
/** To use files of other users, which is what root builds with: CHOWN, DAC_OVERRIDE, FOWNER, FSETID. */
const KEPT_CAPABILITIES: readonly number[] = [0, 1, 3, 4];
const WNOHANG = 1;
/** The kernel writes four; the runtime does not move so much. */
const STATUS_BYTES = 4096;

/** Returns when there is nothing to keep any more. */
export async function beProgram(
  mark: string,
  environment: Readonly<Record<string, string>>,
  { endDescendants, startSupervisor }: KeeperHelp,
): Promise<void> {
  const nobodyLeft = Promise.withResolvers<void>();
  const brokerPort = new SharedArrayBuffer(4);
  let supervised: SupervisePlan | undefined;
  let program = 0;
  const look = (): void => {
    if (program > 0 && !reap(program)) nobodyLeft.resolve();
  };
  process.on("SIGCHLD", look);
  try {
    const plan = JSON.parse(mark.slice(EXEC_MARK.length)) as ExecPlan;
    program = bearProgram(plan, { ...environment, ...plan.variables });
    supervised = plan.fence?.supervised;
    say({ ready: program });
  } catch (thrown) {
    writeSync(STATUS_FD, thrown instanceof Error ? thrown.message : String(thrown));
    return;
  }
  letGoOfStreams();
  if (supervised) await startSupervising(supervised, brokerPort, startSupervisor);
  look();
  await Promise.race([nobodyLeft.promise, endOfControl(brokerPort).then(endDescendants)]);
  say({ gone: true });
}

/** Looks after all that have ended. @returns whether anybody is left */
function reap(program: number): boolean {
  const calls = openSystemCalls();
  const status = Buffer.allocUnsafeSlow(STATUS_BYTES);
  for (;;) {
    const pid = calls?.call("wait4", -1, status, WNOHANG, 0);
    if (pid === 0) return true;
    if (typeof pid !== "number") return false;
    if (pid === program) say(endOf(Buffer.from(status).readInt32LE(0)));
  }
}

function endOf(status: number): KeeperWord {
  const signal = status & 0x7f;
  if (signal === 0) return { code: (status >> 8) & 0xff };
  const name = Object.entries(os.signals).find(([, number]) => number === signal)?.[0];
  return { signal: name ?? `SIG${signal}` };
}

function say(word: KeeperWord): void {
  try {
    writeSync(STATUS_FD, `${JSON.stringify(word)}\n`);
  } catch {
    // Nobody hears it: the launcher is gone, and the end of the control pipe says so too.
  }
}

/** They are the program's: while they are held here, its output has no end. */
function letGoOfStreams(): void {
  const nothing = openSync("/dev/null", "r+");
  const calls = openSystemCalls();
  for (const fd of [0, 1, 2]) calls?.call("dup3", nothing, fd, 0);
  closeSync(nothing);
}

/** Hears where the broker is, until nobody will say anything any more. */
async function endOfControl(brokerPort: SharedArrayBuffer): Promise<void> {
  const hear = hearBroker(brokerPort);
  try {
    for await (const chunk of Bun.file(CONTROL_FD).stream()) hear(Buffer.from(chunk));
  } catch {
    // A read that fails is as good as the end.
  }
}

/**
 * Starts the program as a child, and makes this process the one to which everything comes that the program leaves behind.
 *
 * @returns its number
 * @throws Error that names the call and its error
 */
function bearProgram(plan: ExecPlan, environment: Readonly<Record<string, string>>): number {
  const { fence, hasTerminal } = plan;
  const calls = openSystemCalls();
  if (!calls) throw new Error("libc cannot be called on this machine");
  checked("prctl", calls.call("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
  if (fence) {
    dropCapabilities(calls);
    checked("prctl", calls.call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  }
  if (hasTerminal) leaveTerminal(calls);
  const flags = fence?.supervised ? listenerFlags(calls) : 0;
  const ruleset = fence && createRuleset(calls, fence.abi, fence.rules, isOpen(fence), fence.port);
  const group = openGroup(plan.group);
  try {
    const filter = fence && Buffer.from(fence.filter, "base64");
    const { memory, exec } = memoryForExec(plan.program, plan.argv, environment, (filter?.length ?? 0) + OTHER_BYTES);
    const behind = [
      ...(ruleset === undefined ? [] : [["landlock_restrict_self", ruleset, 0] satisfies Step]),
      ...(filter ? [["seccomp", SET_MODE_FILTER, flags, putFilter(filter, memory)] satisfies Step] : []),
    ];
    const steps = stepsOf(calls, plan, memory, behind, exec);
    return forkProgram(calls.architecture, steps, memory, group, fence?.supervised !== undefined);
  } finally {
    for (const fd of [ruleset, group]) if (fd !== undefined) closeSync(fd);
  }
}

/** Landlock has no word for where a connection may lead; a supervised program makes none itself. */
function isOpen({ network, supervised }: ProgramFence): boolean {
  return network === "internet" || network === "all" || supervised?.withoutLandlock === true;
}

/** Structures and lists of a few numbers, and 256 bytes to tell trouble with. */
const OTHER_BYTES = 4096;

/** The order matters: behind its fence the child may do less. */
function stepsOf(
  calls: SystemCalls,
  { limits: { DATA, ...limits }, hasTerminal }: ExecPlan,
  memory: ForeignMemory,
  fence: readonly Step[],
  exec: readonly [program: number, argv: number, variables: number],
): Step[] {
  const nothing = memory.put(new Uint8Array(SIGNAL_ACTION_BYTES));
  return [
    ["setsid"],
    ...(hasTerminal ? [["ioctl", 0, TIOCSCTTY, 0] satisfies Step] : []),
    // Who keeps it is the only one that knows what it leaves.
    ["prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0],
    // Nothing but its standard streams is its own.
    ["close_range", 3, LAST_DESCRIPTOR, CLOSE_RANGE_CLOEXEC],
    // The runtime ignores these; a program that writes to a pipe nobody reads should end.
    ["rt_sigaction", SIGPIPE, nothing, 0, SIGNAL_SET_BYTES],
    ["rt_sigaction", SIGHUP, nothing, 0, SIGNAL_SET_BYTES],
    ["rt_sigprocmask", SIG_SETMASK, nothing, 0, SIGNAL_SET_BYTES],
    ...limitSteps(calls, limits, memory),
    ...fence,
    // The runtime has more already than many a program may have, and must not ask for anything after this.
    ...limitSteps(calls, DATA === undefined ? {} : { DATA }, memory),
    ["execve", ...exec],
  ];
}

/** Never more than there is. */
function limitSteps(calls: SystemCalls, limits: ResourceLimits, memory: ForeignMemory): Step[] {
  return Object.entries(limits).map(([name, most]) => {
    const resource = RESOURCES[name as LimitName];
    const now = foreignBytes(new Uint8Array(16));
    checked(`prlimit ${name}`, calls.call("prlimit64", 0, resource, 0, now));
    const hard = Buffer.from(now).readBigUInt64LE(8);
    const value = hard < BigInt(most) ? hard : BigInt(most);
    return ["prlimit64", 0, resource, memory.putWords([value, value]), 0];
  });
}

/** Where it cannot be had any more, what the program leaves is found by ancestry alone. */
function openGroup(folder: string | undefined): number | undefined {
  try {
    return folder === undefined ? undefined : openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  } catch {
    return undefined;
  }
}

/** A terminal belongs to one session: this one lets go of it, and is told so. */
function leaveTerminal({ call }: SystemCalls): void {
  const action = Buffer.alloc(SIGNAL_ACTION_BYTES);
  action.writeBigUInt64LE(IGNORED, 0);
  checked("rt_sigaction", call("rt_sigaction", SIGHUP, foreignBytes(action), 0, SIGNAL_SET_BYTES));
  checked("ioctl", call("ioctl", 0, TIOCNOTTY, 0));
}

/** Only root has capabilities to drop. */
function dropCapabilities({ call }: SystemCalls): void {
  for (let capability = 0; capability <= LAST_CAPABILITY; capability++)
    if (!KEPT_CAPABILITIES.includes(capability)) call("prctl", PR_CAPBSET_DROP, capability, 0, 0, 0);
}
