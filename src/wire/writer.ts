/**
 * The one way out. Lines sent in one tick leave as one chunk, whole and in order; the next chunk is not written before
 * the sink has taken the last one, so a reader that is slow fills our queue, which can be asked about, and not the
 * sink's, which cannot.
 *
 * The first write error breaks the writer for good: the queue is dropped, listeners are told once, and later sends do
 * nothing. Never write again after an error: Bun's sink then reports success.
 *
 * Usual mistake: awaiting only `flush()`. The error of a closed pipe rejects the promise of `write()`.
 */

/** The part of Bun's file sink that is used. */
export interface LineSink {
  write(text: string): void | number | Promise<number | void>;
  flush(): void | number | Promise<number | void>;
}

export interface WriterOptions {
  /** The mark of `drained()`; sends above it are still accepted. Default 8 MiB. */
  readonly maxQueueBytes?: number;
}

export interface Writer {
  /** Queues one JSON text. Throws when it holds a raw newline, which would be two lines to the reader: a bug. */
  send(line: string): void;
  /** UTF-8 bytes that were sent and that the sink has not yet taken. */
  readonly queuedBytes: number;
  /** Undefined while the queue is below the mark; else resolves when it is below again, or the writer is broken. */
  drained(): Promise<void> | undefined;
  /** Takes no more lines. Resolves when everything is flushed or the writer is broken. */
  close(): Promise<void>;
  readonly broken: boolean;
  /** Called once when the first write fails; at once when that has already happened. */
  onBroken(listener: () => void): void;
}

const DEFAULT_QUEUE_BYTES: number = 8 * 1024 * 1024;
/** One write to the sink, in bytes; a longer line goes alone. Bounds what the sink holds for a slow reader. */
const MAX_CHUNK_BYTES: number = 256 * 1024;

export function createWriter(sink: LineSink, options: WriterOptions = {}): Writer {
  return new QueueWriter(sink, options.maxQueueBytes ?? DEFAULT_QUEUE_BYTES);
}

interface Line {
  readonly text: string;
  readonly bytes: number;
}

class QueueWriter implements Writer {
  queuedBytes = 0;
  broken = false;
  #queue: Line[] = [];
  #closed = false;
  #pumping = false;
  #listeners: (() => void)[] = [];
  #drained: PromiseWithResolvers<void> | undefined;
  #flushed: PromiseWithResolvers<void> | undefined;
  readonly #sink: LineSink;
  readonly #maxQueueBytes: number;

  constructor(sink: LineSink, maxQueueBytes: number) {
    this.#sink = sink;
    this.#maxQueueBytes = maxQueueBytes;
  }

  send(line: string): void {
    if (line.includes("\n")) throw new Error("Cannot send the line: it holds a raw newline");
    if (this.broken || this.#closed) return;
    const bytes = Buffer.byteLength(line) + 1;
    this.#queue.push({ text: line, bytes });
    this.queuedBytes += bytes;
    if (this.#pumping) return;
    this.#pumping = true;
    queueMicrotask(() => void this.#pump());
  }

  drained(): Promise<void> | undefined {
    if (this.queuedBytes < this.#maxQueueBytes) return undefined;
    this.#drained ??= Promise.withResolvers<void>();
    return this.#drained.promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#pumping) return;
    this.#flushed ??= Promise.withResolvers<void>();
    await this.#flushed.promise;
  }

  onBroken(listener: () => void): void {
    if (this.broken) listener();
    else this.#listeners.push(listener);
  }

  /** Runs while there are lines; never rejects. */
  async #pump(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const chunk = this.#takeChunk();
        const written = this.#sink.write(chunk.text);
        if (written instanceof Promise) await written;
        const flushed = this.#sink.flush();
        if (flushed instanceof Promise) await flushed;
        this.queuedBytes -= chunk.bytes;
        this.#wakeIfDrained();
      }
    } catch {
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
    for (const line of this.#queue.splice(0, count)) text += `${line.text}\n`;
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
    for (const listener of listeners) listener();
  }
}

/** Made once a process: two sinks on one fd would cut each other's lines. */
export function stdoutSink(): LineSink {
  return Bun.stdout.writer();
}
