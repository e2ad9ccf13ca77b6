/**
 * Whether a program that is started can be fenced here. Unlike the host, which must be compiled to start again behind its
 * fence, anything can be started inside one.
 */
import { NEWEST_ABI, OLDEST_ABI, probeLandlock } from "./landlock.ts";
import { openSystemCalls } from "../sys/index.ts";
import { NO_FILTERS, takesFilters } from "./takes-filters.ts";

export function offeredChildFence(): { readonly abi: number } | { readonly reason: string } {
  if (process.platform !== "linux") return { reason: `there is no Landlock on ${process.platform}` };
  const calls = openSystemCalls();
  if (!calls) return { reason: "libc cannot be called on this machine" };
  if (!takesFilters(calls)) return { reason: NO_FILTERS };
  const abi = probeLandlock(calls);
  if (abi >= OLDEST_ABI) return { abi: Math.min(abi, NEWEST_ABI) };
  return {
    reason: abi === 0 ? "this kernel offers no Landlock" : `the Landlock of this kernel is too old (${abi})`,
  };
}
