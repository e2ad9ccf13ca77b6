/**
 * Standard input as frames, and whether whoever reads standard output is gone.
 *
 * There is no promise per message: the lines of a chunk are handled in one go, and the next chunk is not asked for before
 * `afterChunk` says so. That wait is the only thing that holds back a sender that is faster than the work: the pipe fills, and
 * its writes block.
 *
 * Usual mistake: `process.stdin` in place of `Bun.stdin.stream()`; paused and resumed it sometimes never ends
 * (https://github.com/oven-sh/bun/issues/43100).
 */
import { fstatSync, readlinkSync } from "node:fs";
import { openPoll, POLL } from "../sys/index.ts";
import type { Frame, Frames } from "./frames.ts";

export interface FrameHandlers {
  readonly onFrame: (frame: Frame) => void;
  /** Called after each chunk; what it returns is awaited before the next read. */
  readonly afterChunk: () => Promise<void> | undefined;
}

/** Resolves at the end of input; rejects when the stream or a handler fails. */
export async function readFrames(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  frames: Frames,
  handlers: FrameHandlers,
): Promise<void> {
  const { onFrame, afterChunk } = handlers;
  for await (const chunk of "getReader" in stream ? chunksOf(stream) : stream) {
    frames.push(chunk, onFrame);
    const held = afterChunk();
    if (held !== undefined) await held;
  }
  frames.end(onFrame);
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (thrown) {
    // A client that is killed leaves a socket in this way when it has not read all that came to it.
    if ((thrown as NodeJS.ErrnoException).code !== "ECONNRESET") throw thrown;
  } finally {
    reader.releaseLock();
  }
}

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
