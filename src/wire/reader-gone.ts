/**
 * Whether whoever reads standard output is gone. A write finds that out too, but a host with a long call under way writes
 * nothing for minutes, and its input stays open as long as anybody holds the other end, as a sibling that was started
 * without care does.
 *
 * Invariant: only what is final counts. The reader of a named pipe may be followed by another one, so there the next write
 * decides. A parent that has changed proves nothing either: what was started in the background has another one at once.
 */
import { fstatSync, readlinkSync } from "node:fs";
import { openPoll, POLL } from "../sys/index.ts";

const OUTPUT = 1;
const LOOK_EVERY_MS = 1000;

/** `false` also where nobody can tell. */
export function openReaderCheck(): () => boolean {
  const poll = openPoll();
  if (!poll || isNamedPipe()) return () => false;
  return () => (poll(OUTPUT, POLL.out) & (POLL.error | POLL.hangUp)) !== 0;
}

/** Calls back once, a moment after the reader went away. Keeps no process alive. */
export function whenReaderGone(listener: () => void): void {
  let isGone: (() => boolean) | undefined;
  const timer = setInterval(() => {
    // Not before: what is opened here would delay the first answer.
    isGone ??= openReaderCheck();
    if (!isGone()) return;
    clearInterval(timer);
    listener();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** Without `/proc` a pipe is taken for one without a name, as nearly all are. */
function isNamedPipe(): boolean {
  try {
    return fstatSync(OUTPUT).isFIFO() && !readlinkSync(`/proc/self/fd/${OUTPUT}`).startsWith("pipe:");
  } catch {
    return false;
  }
}
