/**
 * Diagnostics for a person, on stderr and nowhere else: stdout carries the protocol. Kept to `writeSync` so that a line
 * is whole even when the process ends right after it, and silent when stderr is closed: a server that reports EPIPE to
 * the pipe that broke never ends.
 */
import { writeSync } from "node:fs";

const listeners: Set<(text: string) => void> = new Set();

/** While somebody listens, the lines of this thread are theirs and nobody else sees them. */
export function listenToLog(listener: (text: string) => void): Disposable {
  listeners.add(listener);
  return { [Symbol.dispose]: () => void listeners.delete(listener) };
}

export function logLine(text: string): void {
  for (const listener of listeners) listener(text);
  if (listeners.size > 0) return;
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
