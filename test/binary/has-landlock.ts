/**
 * Whether this machine can fence the binary at all. Where it cannot, the tests of the fence are skipped, which the
 * runner counts and prints.
 */
import { OLDEST_ABI, probeLandlock } from "../../src/fence/landlock.ts";
import { openSystemCalls } from "../../src/sys/index.ts";

export function hasLandlock(): boolean {
  const calls = openSystemCalls();
  return calls !== undefined && probeLandlock(calls) >= OLDEST_ABI;
}
