/**
 * Whether this machine lets a keeper make the connections of its program. Where it does not a list of hosts cannot be kept,
 * and nothing but the whole network or none of it could be given.
 *
 * Usual mistake: to believe the version of the kernel. A sandbox around the host refuses single calls, and Yama, a kernel
 * module, forbids looking into other processes.
 */
import { readFileSync } from "node:fs";
import { openSystemCalls, ForeignMemory, forkProgram, type SystemCalls } from "../../sys/index.ts";
import { offersNotification, listenerFlags, putFilter } from "../seccomp.ts";

export type OfferedSupervision = { readonly reason?: undefined } | { readonly reason: string };

/** Asked once: it does not change while a process lives. */
let known: OfferedSupervision | undefined;

export function offeredSupervision(): OfferedSupervision {
  known ??= probe();
  return known;
}

function probe(): OfferedSupervision {
  if (process.platform !== "linux") return { reason: `a list of hosts cannot be kept on ${process.platform}` };
  const calls = openSystemCalls();
  if (!calls) return { reason: "libc cannot be called on this machine" };
  const reason = missingCall(calls) ?? yamaForbids() ?? nestedListener(calls);
  return reason === undefined ? {} : { reason };
}

function missingCall(calls: SystemCalls): string | undefined {
  if (!offersNotification(calls)) return "this kernel does not let one process answer the calls of another (seccomp)";
  const missing = (["pidfd_open", "pidfd_getfd", "process_vm_readv"] as const).find((name) =>
    ["ENOSYS", "EPERM"].includes(String(calls.call(name, name === "process_vm_readv" ? process.pid : -1, 0, 0, 0, 0))),
  );
  return missing && `${missing} is refused here`;
}

/** 1 lets a process look into what came from it, as a keeper does; from 2 on nobody but an administrator may, or nobody. */
const FIRST_FORBIDDING = 2;
const NOBODY = 3;
const CAP_SYS_PTRACE = 19n;

function yamaForbids(): string | undefined {
  const scope = Number(textOf("/proc/sys/kernel/yama/ptrace_scope") || "0");
  const capabilities = BigInt(`0x${/^CapEff:\s+([0-9a-f]+)$/m.exec(textOf("/proc/self/status"))?.[1] ?? "0"}`);
  const mayLook = scope < NOBODY && ((capabilities >> CAP_SYS_PTRACE) & 1n) === 1n;
  if (scope < FIRST_FORBIDDING || mayLook) return undefined;
  return `kernel.yama.ptrace_scope is ${scope}, and must be 0 or 1`;
}

const PR_SET_NO_NEW_PRIVS = 38;
const SET_MODE_FILTER = 1;
/** A filter of one instruction, which allows everything. */
const ALLOW_ALL: Uint8Array = Uint8Array.of(0x06, 0, 0, 0, 0, 0, 0xff, 0x7f);
const ROOM_BYTES = 4096;

/** Among the filters around a process one may have a listener, and there may be filters around this one. */
function nestedListener(calls: SystemCalls): string | undefined {
  if (/^Seccomp_filters:\s+0$/m.test(textOf("/proc/self/status"))) return undefined;
  const memory = new ForeignMemory(ROOM_BYTES);
  try {
    forkProgram(
      calls.architecture,
      [
        ["prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0],
        ["seccomp", SET_MODE_FILTER, listenerFlags(calls), putFilter(ALLOW_ALL, memory)],
        ["exit_group", 0],
      ],
      memory,
      undefined,
    );
    return undefined;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return why.includes("EBUSY")
      ? "another program answers system calls of this one already (a nested seccomp listener)"
      : `no listener can be made: ${why}`;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
