/**
 * Diagnostics for a person, on stderr and nowhere else: stdout carries the protocol. Kept to `writeSync` so that a line
 * is whole even when the process ends right after it, and silent when stderr is closed: a server that reports EPIPE to
 * the pipe that broke never ends.
 */
import { writeSync } from "node:fs";

export function logLine(text: string): void {
  try {
    writeSync(2, `ringfence: ${text}\n`);
  } catch {
    // Nobody is listening; there is no other place to say it.
  }
}

/** A bug: its id goes to the caller, its stack to stderr. */
export function logBug(id: string, thrown: unknown): void {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  logLine(`internal error ${id}: ${text}`);
}
