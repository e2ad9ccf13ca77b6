/**
 * Whether this kernel, or the sandbox that this program runs in, takes filters of system calls at all. Asked before the way
 * into the fence: from there is none back, and half a fence is not what anybody asked for.
 */
import type { SystemCalls } from "../sys/index.ts";

const GET_ACTION_AVAIL = 2;
/** SECCOMP_RET_ERRNO, which refused calls answer with. */
const ERRNO = 0x00050000;

export function takesFilters({ call }: SystemCalls): boolean {
  return call("seccomp", GET_ACTION_AVAIL, 0, Uint32Array.of(ERRNO)) === 0;
}

export const NO_FILTERS = "system calls cannot be filtered here (seccomp)";
