/**
 * The last moments of this program before it becomes another one: limits, no new privileges, the narrower fence, execve.
 * What is set here holds for the other program and everything that it starts, and cannot be taken back.
 */
import { closeSync } from "node:fs";
import { openLibc } from "../base/index.ts";
import { checked, createRuleset, restrictSelf, type FenceRule } from "./landlock.ts";
import { childFilterProgram, refuseCalls, type NetworkReach } from "./seccomp.ts";
import { startAgain } from "./start-again.ts";
import { openSystemCalls, type SystemCalls } from "./system-calls.ts";

/** By the names of setrlimit(2); bytes, seconds or numbers. */
export type ResourceLimits = Readonly<Partial<Record<LimitName, number>>>;
export type LimitName = keyof typeof RESOURCES;

export interface NextProgram {
  readonly program: string;
  /** With the name that it is told to have. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: ResourceLimits;
  readonly fence?: {
    readonly abi: number;
    readonly rules: readonly FenceRule[];
    readonly network: NetworkReach;
  };
}

const RESOURCES = { CPU: 0, FSIZE: 1, DATA: 2, CORE: 4, NPROC: 6, NOFILE: 7 } as const;

const PR_SET_PDEATHSIG = 1;
const PR_CAPBSET_DROP = 24;
const PR_SET_NO_NEW_PRIVS = 38;
const CLOSE_RANGE_CLOEXEC = 4;
const LAST_DESCRIPTOR = 0x7fffffff;
const SIGKILL = 9;
const SIGPIPE = 13;
const LAST_CAPABILITY = 63;
/** To use files of other users, which is what root builds with: CHOWN, DAC_OVERRIDE, FOWNER, FSETID. */
const KEPT_CAPABILITIES: readonly number[] = [0, 1, 3, 4];

/**
 * Does not return. @param onReady the last that is done here
 * @throws Error that names the call and its error
 */
export function becomeProgram(
  { program, argv, environment, limits, fence }: NextProgram,
  onReady: () => void,
): never {
  const calls = openSystemCalls();
  if (!calls) throw new Error("libc cannot be called on this machine");
  endWithParent(calls);
  // Nothing but its standard streams is its own.
  checked("close_range", calls.call("close_range", 3, LAST_DESCRIPTOR, CLOSE_RANGE_CLOEXEC));
  // Of a runtime; a program that writes to a pipe nobody reads should end.
  openLibc({ signal: { args: ["i32", "i64"], returns: "i64" } })?.signal(SIGPIPE, 0);
  const { DATA, ...others } = limits;
  limitResources(calls, 0, others);
  dropCapabilities(calls);
  checked("prctl", calls.call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  if (fence) {
    const ruleset = createRuleset(calls, fence.abi, fence.rules, fence.network !== "none");
    restrictSelf(calls, ruleset);
    closeSync(ruleset);
    refuseCalls(calls, childFilterProgram(calls.architecture, fence.network));
  }
  return startAgain(calls, program, argv, environment, () => {
    onReady();
    // The runtime has more already than many a program may have, and must not ask for anything after this.
    if (DATA !== undefined) limitResources(calls, 0, { DATA });
  });
}

/** It ends with the process that started it. */
export function endWithParent(calls: SystemCalls | undefined = openSystemCalls()): void {
  if (calls) checked("prctl", calls.call("prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
}

/** Never more than there is. @param pid 0 for this process */
export function limitResources(calls: SystemCalls, pid: number, wanted: ResourceLimits): void {
  for (const [name, most] of Object.entries(wanted)) {
    const resource = RESOURCES[name as LimitName];
    const now = new BigUint64Array(2);
    checked("prlimit", calls.call("prlimit64", pid, resource, 0, now));
    const [, hard = 0n] = now;
    const value = hard < BigInt(most) ? hard : BigInt(most);
    const next = BigUint64Array.of(value, value);
    checked(`prlimit ${name}`, calls.call("prlimit64", pid, resource, next, 0));
  }
}

/** Of root only; nobody else has any to drop. */
function dropCapabilities({ call }: SystemCalls): void {
  for (let capability = 0; capability <= LAST_CAPABILITY; capability++)
    if (!KEPT_CAPABILITIES.includes(capability)) call("prctl", PR_CAPBSET_DROP, capability, 0, 0, 0);
}
