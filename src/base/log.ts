/**
 * Diagnostics for a person, on stderr and nowhere else: stdout carries the protocol. Kept to `writeSync` so that a line
 * is whole even when the process ends right after it, and silent when stderr is closed: a server that reports EPIPE to
 * the pipe that broke never ends.
 */
import { writeSync } from "node:fs";
import { newId } from "./clock.ts";

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

/** Reports a bug: its stack goes to stderr. @returns the id that its caller is told */
export function reportBug(thrown: unknown): string {
  const id = newId("bug");
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  logLine(`internal error ${id}: ${text}`);
  return id;
}
