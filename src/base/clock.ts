/**
 * The one place that reads the clock and randomness, so that a test can see every use of them.
 */

export function nowMs(): number {
  return Date.now();
}

/** Milliseconds that only go forward; for durations and deadlines. */
export function monotonicMs(): number {
  return performance.now();
}

/** What waits or measures takes its clock as an argument, so that a test can move one by hand. */
export interface Clock {
  readonly monotonicMs: () => number;
  /** Does it once, after so long; disposing of the timer takes it back. */
  readonly after: (ms: number, work: () => void) => Timer;
}

export interface Timer extends Disposable {
  /** The process may end before. */
  unref(): unknown;
}

/** The one of this machine. */
export const CLOCK: Clock = { monotonicMs, after: (ms, work) => setTimeout(work, ms) };

/** ISO 8601 in UTC, the only form of a time in answers. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) [lastMs, lastIso] = [ms, withinSecond(ms) ?? new Date(ms).toISOString()];
  return lastIso;
}

/** The record asks for the same millisecond many times over, and a listing for many of one second. */
let lastMs = Number.NaN;
let lastIso = "";

function withinSecond(ms: number): string | undefined {
  const passed = ms - Math.floor(Math.trunc(lastMs) / 1000) * 1000;
  if (!(passed >= 0 && passed < 1000) || !Number.isInteger(passed)) return undefined;
  return `${lastIso.slice(0, -MILLISECONDS.length)}${String(passed).padStart(3, "0")}Z`;
}

const MILLISECONDS = "000Z";

/** 256 random bits, base64. */
export function createSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64();
}

/** An id that cannot be guessed: 128 random bits, `<prefix>_<22 characters>`. */
export function newId(prefix: string): string {
  return `${prefix}_${crypto.getRandomValues(new Uint8Array(16)).toBase64({ alphabet: "base64url", omitPadding: true })}`;
}
