/**
 * Both ends of the pipe: standard input as frames, whether whoever reads standard output is gone, and the one way out.
 *
 * There is no promise per message: the lines of a chunk are handled in one go, and the next chunk is not asked for before
 * `afterChunk` says so. That wait is the only thing that holds back a sender that is faster than the work: the pipe fills, and
 * its writes block.
 *
 * Usual mistakes: `process.stdin` in place of `Bun.stdin.stream()`, which paused and resumed sometimes never ends
 * (https://github.com/oven-sh/bun/issues/43100); and awaiting only `flush()`, as the error of a closed pipe rejects `write()`.
 */
import { fstatSync, readlinkSync } from "node:fs";
import { monotonicMs } from "../base/index.ts";
import { openPoll, POLL } from "../sys/index.ts";
import type { Frame, Frames } from "./frames.ts";

export interface FrameHandlers {
  readonly onFrame: (frame: Frame) => void;
  /** Called after each chunk; what it returns is awaited before the next read. */
  readonly afterChunk: () => Promise<void> | undefined;
}

/** Resolves at the end of input; rejects when the stream or a handler fails. */
export async function readFrames(
  stream: ReadableStream<Uint8Array>,
  frames: Frames,
  handlers: FrameHandlers,
): Promise<void> {
  const { onFrame, afterChunk } = handlers;
  const reader = stream.getReader();
  let turnedMs = monotonicMs();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(endOfKilledClient);
      if (done) break;
      frames.push(value, onFrame);
      const held = afterChunk();
      if (held !== undefined) await held;
      if (monotonicMs() - turnedMs < TURN_EVERY_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      turnedMs = monotonicMs();
    }
  } finally {
    reader.releaseLock();
  }
  frames.end(onFrame);
}

/** A file or a device that always has more is read without a turn of the event loop, in which timers and signals are heard. */
const TURN_EVERY_MS = 20;

/** A client that is killed leaves a socket in this way when it has not read all that came to it. */
function endOfKilledClient(thrown: unknown): { readonly done: true; readonly value: undefined } {
  if ((thrown as NodeJS.ErrnoException).code !== "ECONNRESET") throw thrown;
  return { done: true, value: undefined };
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

/** The part of Bun's file sink that is used. */
export interface LineSink {
  write(text: string): void | number | Promise<number | void>;
  flush(): void | number | Promise<number | void>;
}

/** The mark of `drained()`; sends above it are still accepted. */
const DEFAULT_QUEUE_BYTES: number = 8 * 1024 * 1024;
/** One write to the sink, in bytes; a longer line goes alone. Bounds what the sink holds for a slow reader. */
const MAX_CHUNK_BYTES: number = 256 * 1024;

/** Codes of a file behind the output, which nobody has stopped reading. */
const STORAGE_ERRORS: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);

/** @param problem the code of what cannot be written to; `undefined` where the reader is gone */
type BrokenListener = (problem: string | undefined) => void;

interface Line {
  readonly text: string;
  readonly bytes: number;
}

/**
 * The one way out. Lines sent in one tick leave as one chunk, whole and in order; the next chunk is not written before
 * the sink has taken the last one, so a reader that is slow fills our queue, which can be asked about, and not the
 * sink's, which cannot.
 *
 * The first write error breaks the writer for good: the queue is dropped, listeners are told once, and later sends do
 * nothing. Never write again after an error: Bun's sink then reports success.
 */
export class Writer {
  /** UTF-8 bytes that were sent and that the sink has not yet taken. */
  queuedBytes = 0;
  broken = false;
  #queue: Line[] = [];
  #closed = false;
  #pumping = false;
  #listeners: BrokenListener[] = [];
  #problem: string | undefined;
  /** Called before anything is written, for what must be done by then. */
  beforeWrite: () => void = () => undefined;
  #drained: PromiseWithResolvers<void> | undefined;
  #flushed: PromiseWithResolvers<void> | undefined;
  readonly #sink: LineSink;
  readonly #maxQueueBytes: number;

  constructor(sink: LineSink, { maxQueueBytes = DEFAULT_QUEUE_BYTES }: { readonly maxQueueBytes?: number } = {}) {
    this.#sink = sink;
    this.#maxQueueBytes = maxQueueBytes;
  }

  /** Queues one JSON text. Throws when it holds a raw newline, which would be two lines to the reader: a bug. */
  send(line: string): void {
    // With its end from here on: a text of several parts is copied into one when it is first looked at, and each copy of an answer may
    // be megabytes until somebody collects it.
    const text = `${line}\n`;
    if (text.indexOf("\n") !== text.length - 1) throw new Error("Cannot send the line: it holds a raw newline");
    if (this.broken || this.#closed) return;
    const bytes = Buffer.byteLength(text);
    this.#queue.push({ text, bytes });
    this.queuedBytes += bytes;
    if (this.#pumping) return;
    this.#pumping = true;
    queueMicrotask(() => void this.#pump());
  }

  /** Undefined while the queue is below the mark; else resolves when it is below again, or the writer is broken. */
  drained(): Promise<void> | undefined {
    if (this.queuedBytes < this.#maxQueueBytes) return undefined;
    this.#drained ??= Promise.withResolvers<void>();
    return this.#drained.promise;
  }

  /** Takes no more lines. Resolves when everything is flushed or the writer is broken. */
  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#pumping) return;
    this.#flushed ??= Promise.withResolvers<void>();
    await this.#flushed.promise;
  }

  /** Calls back when the first write fails; at once when that has already happened. */
  onBroken(listener: BrokenListener): void {
    if (this.broken) listener(this.#problem);
    else this.#listeners.push(listener);
  }

  /** Runs while there are lines; never rejects. */
  async #pump(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const chunk = this.#takeChunk();
        this.beforeWrite();
        const written = this.#sink.write(chunk.text);
        if (written instanceof Promise) await written;
        const flushed = this.#sink.flush();
        if (flushed instanceof Promise) await flushed;
        this.queuedBytes -= chunk.bytes;
        this.#wakeIfDrained();
      }
    } catch (thrown) {
      const { code = "" } = thrown as NodeJS.ErrnoException;
      this.#problem = STORAGE_ERRORS.has(code) ? code : undefined;
      this.#break();
    }
    this.#pumping = false;
    this.#flushed?.resolve();
    this.#flushed = undefined;
    if (this.broken) this.#tellListeners();
  }

  #takeChunk(): Line {
    let bytes = 0;
    let count = 0;
    for (const line of this.#queue) {
      if (count > 0 && bytes + line.bytes > MAX_CHUNK_BYTES) break;
      bytes += line.bytes;
      count++;
    }
    let text = "";
    for (const line of this.#queue.splice(0, count)) text += line.text;
    return { text, bytes };
  }

  #wakeIfDrained(): void {
    if (this.#drained === undefined || this.queuedBytes >= this.#maxQueueBytes) return;
    this.#drained.resolve();
    this.#drained = undefined;
  }

  #break(): void {
    this.broken = true;
    this.#queue = [];
    this.queuedBytes = 0;
    this.#wakeIfDrained();
  }

  #tellListeners(): void {
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener(this.#problem);
  }
}

/** Made once a process: two sinks on one fd would cut each other's lines. */
export function stdoutSink(): LineSink {
  return Bun.stdout.writer();
}
