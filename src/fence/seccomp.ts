/**
 * Seccomp: which system calls this process may make, and which a program that is started for it. Both have a list of what
 * is allowed (call-table.txt); everything else is closed, also what a later kernel brings. The host needs no network, starts
 * no program once it serves and never touches other processes; a program that the launcher starts may start others.
 *
 * A filter sees numbers, not paths: files are Landlock's and the scope's. https://man7.org/linux/man-pages/man2/seccomp.2.html
 */
import { Failure } from "../base/index.ts";
import { ForeignMemory, openSystemCalls, type SystemCalls } from "../sys/index.ts";
import type { FilterReach } from "./call-rules.ts";
import { commandFilter, hostFilter, type Filters, type HelperNetwork } from "./filter-programs.ts";

/**
 * The filters of the processor that an executable was built for: making one takes as long as a sixth of what the start of a fenced host
 * takes after its runtime has started. Where they are, the bundler leaves out the table and what reads it.
 */
declare const __RINGFENCE_FILTERS__: Filters;
declare const __RINGFENCE_IS_BUILT__: true | undefined;

const SET_MODE_FILTER = 1;
/** For all threads that the runtime has started so far. */
const FILTER_FLAG_TSYNC = 1;

/** The filter of a program that is started for the host, in base64. */
export function encodedFilter(network: FilterReach): string {
  const { arch } = process;
  if (arch !== "x64" && arch !== "arm64") return "";
  return typeof __RINGFENCE_IS_BUILT__ === "undefined"
    ? commandFilter(arch, network)
    : __RINGFENCE_FILTERS__[`command ${network}`];
}

/** For this process, a host or a helper. @throws Failure `unsupported` */
export function refuseCalls(calls: SystemCalls, network: HelperNetwork = "none"): void {
  const made =
    typeof __RINGFENCE_IS_BUILT__ === "undefined"
      ? hostFilter(calls.architecture, network)
      : __RINGFENCE_FILTERS__[`host ${network}`];
  const filter = Buffer.from(made, "base64");
  const handle = putFilter(filter, new ForeignMemory(filter.length + 32));
  const result = calls.call("seccomp", SET_MODE_FILTER, FILTER_FLAG_TSYNC, handle);
  // A positive number names a thread that could not be brought in.
  if (result === 0) return;
  throw new Failure("unsupported", `Cannot start behind the kernel fence: seccomp ${result}`, {
    hint: "Start with --fence=off to go on with handles only.",
  });
}

/** struct sock_fprog: the number of instructions, padded to 64 bits, and where they are. @returns its address */
export function putFilter(filter: Uint8Array, memory: ForeignMemory): number {
  return memory.putWords([filter.length / 8, memory.put(filter)]);
}

/** What the start mark of a helper begins with; `none`, `internet` or `unfenced` follows. */
export const HELPER_MARK = "helper:";

/** What the start mark of the broker of programs begins with; `internet` or `unfenced` follows. */
export const BROKER_MARK = "broker:";

/**
 * The second half of a helper's fence, before any code of a pack is loaded: its keeper has put the files out of reach, and
 * now it loses programs, and sockets where it has no network.
 * @throws Failure `unsupported`
 */
export function finishHelperFence(mark: string): void {
  const network = mark.slice(HELPER_MARK.length);
  const calls = openSystemCalls();
  if (calls && (network === "none" || network === "internet" || network === "listen")) refuseCalls(calls, network);
}

const FILTER_FLAG_NEW_LISTENER = 8;
const FILTER_FLAG_WAIT_KILLABLE = 32;

/**
 * For a filter whose calls are answered by a supervisor. From Linux 5.19 on a call that the supervisor has seen is only
 * interrupted by the end of its caller; before, a signal may make it again, and its answer is then that of the second time.
 */
export function listenerFlags({ call }: SystemCalls): number {
  const flags = FILTER_FLAG_NEW_LISTENER | FILTER_FLAG_WAIT_KILLABLE;
  // With no filter at all: EFAULT says that the flags were understood.
  return call("seccomp", SET_MODE_FILTER, flags, 0) === "EFAULT" ? flags : FILTER_FLAG_NEW_LISTENER;
}

const GET_ACTION_AVAIL = 2;
/** SECCOMP_RET_ERRNO, which refused calls answer with. */
const ERRNO = 0x00050000;

/** SECCOMP_RET_USER_NOTIF. */
const USER_NOTIFICATION = 0x7fc00000;

/** Whether calls can be answered by a supervisor, from Linux 5.0 on. */
export function offersNotification({ call }: SystemCalls): boolean {
  return call("seccomp", GET_ACTION_AVAIL, 0, Uint32Array.of(USER_NOTIFICATION)) === 0;
}

/** Whether this kernel, or the sandbox that this program runs in, takes filters of system calls at all. */
export function takesFilters({ call }: SystemCalls): boolean {
  return call("seccomp", GET_ACTION_AVAIL, 0, Uint32Array.of(ERRNO)) === 0;
}
