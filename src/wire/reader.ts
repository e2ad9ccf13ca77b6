/**
 * Pulls bytes from a stream through the framer. There is no promise per message: the lines of a chunk are handled in one
 * go, and the next chunk is not asked for before `afterChunk` says so. That wait is the only thing that holds back a
 * sender that is faster than the work: the pipe fills, and its writes block.
 *
 * Usual mistake: `process.stdin` in place of `Bun.stdin.stream()`; paused and resumed it sometimes never ends
 * (https://github.com/oven-sh/bun/issues/43100).
 */
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
