/**
 * What a program is given before its first instruction: limits, no new privileges, the narrower fence, a session of its
 * own. What is set here holds for the program and everything that it starts, and cannot be taken back.
 */
import { closeSync, constants, openSync } from "node:fs";
import {
  foreignBytes,
  ForeignMemory,
  forkProgram,
  openSystemCalls,
  sizeOfTexts,
  type Step,
  type SystemCalls,
} from "../sys/index.ts";
import type { NetworkReach } from "./call-rules.ts";
import { checked, createRuleset, type FenceRule } from "./landlock.ts";

/** By the names of setrlimit(2); bytes, seconds or numbers. */
export type ResourceLimits = Readonly<Partial<Record<LimitName, number>>>;
type LimitName = keyof typeof RESOURCES;

export interface NextProgram {
  readonly program: string;
  /** With the name that it is told to have. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: ResourceLimits;
  /** The program's standard input is a terminal, which becomes its controlling terminal. */
  readonly hasTerminal?: boolean | undefined;
  /** The folder of the control group that it is born in. */
  readonly group?: string | undefined;
  readonly fence?:
    | {
        readonly abi: number;
        readonly rules: readonly FenceRule[];
        readonly network: NetworkReach;
        /** The filter of system calls, made beforehand (`encodedFilter`). */
        readonly filter: string;
      }
    | undefined;
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
const SIGHUP = 1;
const SIGKILL = 9;
const SIGPIPE = 13;
/** SIG_IGN in the place of a handler. */
const IGNORED = 1n;
const SET_MODE_FILTER = 1;
const LAST_CAPABILITY = 63;
/** To use files of other users, which is what root builds with: CHOWN, DAC_OVERRIDE, FOWNER, FSETID. */
const KEPT_CAPABILITIES: readonly number[] = [0, 1, 3, 4];
/** Structures and lists of a few numbers, and 256 bytes to tell trouble with. */
const OTHER_BYTES = 4096;

/**
 * Starts it as a child, and makes this process the one to which everything comes that the program leaves behind.
 *
 * @returns its number
 * @throws Error that names the call and its error
 */
export function bearProgram(next: NextProgram): number {
  const calls = openSystemCalls();
  if (!calls) throw new Error("libc cannot be called on this machine");
  checked("prctl", calls.call("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
  if (next.fence) {
    dropCapabilities(calls);
    checked("prctl", calls.call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  }
  if (next.hasTerminal) leaveTerminal(calls);
  const ruleset = rulesetOf(calls, next.fence);
  const group = openGroup(next.group);
  try {
    const filter = next.fence && Buffer.from(next.fence.filter, "base64");
    const memory = memoryFor(next, filter);
    return forkProgram(calls.architecture, stepsOf(calls, next, memory, ruleset, filter), memory, group);
  } finally {
    for (const fd of [ruleset, group]) if (fd !== undefined) closeSync(fd);
  }
}

/** What is handed down stays within what there is. The order matters: behind its fence it may do less. */
function stepsOf(
  calls: SystemCalls,
  { program, argv, environment, limits, hasTerminal }: NextProgram,
  memory: ForeignMemory,
  ruleset: number | undefined,
  filter: Uint8Array | undefined,
): Step[] {
  const { DATA, ...others } = limits;
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const nothing = memory.put(new Uint8Array(SIGNAL_ACTION_BYTES));
  return [
    ["setsid"],
    ...(hasTerminal ? [["ioctl", 0, TIOCSCTTY, 0] satisfies Step] : []),
    // Who keeps it is the only one that knows what it leaves.
    ["prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0],
    // Nothing but its standard streams is its own.
    ["close_range", 3, LAST_DESCRIPTOR, CLOSE_RANGE_CLOEXEC],
    // Of a runtime; a program that writes to a pipe nobody reads should end.
    ["rt_sigaction", SIGPIPE, nothing, 0, SIGNAL_SET_BYTES],
    ["rt_sigaction", SIGHUP, nothing, 0, SIGNAL_SET_BYTES],
    ["rt_sigprocmask", SIG_SETMASK, nothing, 0, SIGNAL_SET_BYTES],
    ...limitSteps(calls, others, memory),
    ...(ruleset === undefined ? [] : [["landlock_restrict_self", ruleset, 0] satisfies Step]),
    ...(filter === undefined ? [] : [["seccomp", SET_MODE_FILTER, 0, putFilter(filter, memory)] satisfies Step]),
    // The runtime has more already than many a program may have, and must not ask for anything after this.
    ...limitSteps(calls, DATA === undefined ? {} : { DATA }, memory),
    ["execve", memory.putText(program), memory.putTexts(argv), memory.putTexts(variables)],
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

/** struct sock_fprog: the number of instructions, padded to 64 bits, and where they are. */
function putFilter(filter: Uint8Array, memory: ForeignMemory): number {
  return memory.putWords([filter.length / 8, memory.put(filter)]);
}

function memoryFor({ program, argv, environment }: NextProgram, filter: Uint8Array | undefined): ForeignMemory {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const texts = sizeOfTexts([program]) + sizeOfTexts(argv) + sizeOfTexts(variables);
  return new ForeignMemory(texts + (filter?.length ?? 0) + OTHER_BYTES);
}

function rulesetOf(calls: SystemCalls, fence: NextProgram["fence"]): number | undefined {
  return fence && createRuleset(calls, fence.abi, fence.rules, fence.network !== "none");
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
