/**
 * Makes a Bun runtime deaf to the environment variables that would turn the compiled binary into something else: a raw
 * Bun (BUN_BE_BUN), one with other flags (BUN_OPTIONS), one under a debugger or writing files, one that phones home.
 * None of them has an official switch, so their names are overwritten in place before compiling.
 *
 * Invariant: every patch asserts its count, so that a new Bun which moved something fails the build instead of
 * shipping the hole; `test/binary/hostile.test.ts` shows the effect. A name loses its first four characters
 * to NUL bytes, and no environment can hold such a name. Two usual mistakes: `=` instead of NUL (glibc asked for
 * "BUN_BE=BUN" finds the variable BUN_BE with the value `BUN=1`), and overwriting the whole name (the linker
 * lets "OPTIONS" and "URL" live in the tail of a longer name). macOS: patched before `bun build` signs.
 */
import { blindJscOptions } from "./patch-jsc-options.ts";

/**
 * Patches `runtime` in place and returns how often each thing was found. Throws when a count is not as known.
 * @param heard a name of `PATCHES` that stays, for a program that is not shipped
 */
export function patchRuntime(runtime: Buffer, cpu: "x64" | "arm64", heard?: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const patch of PATCHES) if (patch.find !== heard) counts[patch.find] = blank(runtime, patch);
  counts["JSC option prefix"] = blindJscOptions(runtime, cpu);
  return counts;
}

export interface Patch {
  readonly find: string;
  /** The exact count in Bun 1.4.5 on every platform; "any" where platforms differ. */
  readonly expected: number | "any";
  /** Occurrences right after this text stay: they are JavaScript inside the runtime, which NUL bytes would break. */
  readonly notAfter?: string;
}

/** Blanks the head of every occurrence of one name and returns how many there were. */
export function blank(runtime: Buffer, patch: Patch): number {
  const find = Buffer.from(patch.find, "latin1");
  let count = 0;
  for (let at = runtime.indexOf(find); at !== -1; at = runtime.indexOf(find, at + find.length)) {
    if (isAfter(runtime, at, patch.notAfter)) continue;
    runtime.fill(0, at, at + HEAD_BYTES);
    count += 1;
  }
  if (patch.expected === "any" || count === patch.expected) return count;
  throw new Error(
    `Cannot patch the runtime: ${patch.find} occurs ${count} times, and must occur ${patch.expected} times. ` +
      "This Bun is not the one the patches were written for: look at what changed before you change the count.",
  );
}

/** The length of `BUN_` and of `bun.`. */
const HEAD_BYTES = 4;

function isAfter(runtime: Buffer, at: number, text: string | undefined): boolean {
  if (text === undefined) return false;
  return runtime.subarray(Math.max(0, at - text.length), at).equals(Buffer.from(text, "latin1"));
}

/** Order matters nowhere: no name contains another. Counts measured on all eight 1.4.5 runtimes. */
export const PATCHES: readonly Patch[] = [
  { find: "BUN_BE_BUN", expected: 1 },
  { find: "BUN_OPTIONS", expected: 2 },
  // As `--no-orphans`: the kernel would kill the host when the thread that started it ends, which may be one of a pool.
  { find: "BUN_FEATURE_FLAG_NO_ORPHANS", expected: 2 },
  // Opens a port or connects to one, for code from strings. With =strict Bun refuses to start; this lets it start.
  { find: "BUN_INSPECT", expected: 9, notAfter: "process.env." },
  // Write files at exit: BUN_BYTECODE_ORDER_OUT, _ORDER_NAMES_OUT, _DIGEST_OUT.
  { find: "BUN_BYTECODE_", expected: 4 },
  { find: "BUN_CRASH_REPORT_URL", expected: 1 },
  { find: "BUN_ENABLE_CRASH_REPORTING", expected: 1 },
  { find: "BUN_WATCHER_TRACE", expected: 1 },
  // Writes a log of system calls; Linux only.
  { find: "BUN_TRACE", expected: "any" },
  // The host of crash reports, which are sent by default on macOS and Windows: `https://` without a host goes nowhere.
  { find: "bun.report", expected: 1 },
];
