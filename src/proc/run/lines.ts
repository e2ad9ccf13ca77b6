/**
 * Lines over a connection: read until its end without a thread that waits for them, and written one after the other and
 * whole, also when the other side reads slowly.
 */
import { closeSync, writeSync } from "node:fs";
import { monotonicMs } from "../../base/index.ts";
import type { LauncherConfig, LaunchRequest, CancelRequest, SayRequest, LaunchAnswer } from "../launcher-protocol.ts";

const NEWLINE = 0x0a;

export interface LineReader {
  /**
   * When the other side is gone, or says more than a line can hold, or nobody listens any more. Rejects with what
   * `onLine` throws.
   */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** @param end the last byte of each line. Default: a line feed */
export function readLines(
  fd: number,
  onLine: (line: string) => void,
  maxBytes: number = MAX_LINE_BYTES,
  end: number = NEWLINE,
): LineReader {
  const reader = Bun.file(fd).stream().getReader();
  return { ended: readAll(reader, onLine, maxBytes, end), stop: async () => await reader.cancel() };
}

async function readAll(
  reader: { read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }> },
  onLine: (line: string) => void,
  maxBytes: number,
  last: number,
): Promise<void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value: chunk } = await reader.read();
    if (done || !chunk) return;
    let rest: Uint8Array = chunk;
    for (let end = rest.indexOf(last); end >= 0; end = rest.indexOf(last)) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString("utf8");
      [parts, length] = [[], 0];
      rest = rest.subarray(end + 1);
      onLine(line);
    }
    // The memory of a chunk is used again.
    if (rest.length > 0) parts.push(Uint8Array.from(rest));
    length += rest.length;
    if (length > maxBytes) return;
  }
}

const FIRST_AGAIN_MS = 1;
const LAST_AGAIN_MS = 8;

/** What a writer does about a side that does not read. Absent: it keeps what it has, and waits. */
export interface Impatience {
  readonly maxBytes: number;
  /** So long nothing at all was taken. */
  readonly maxMs: number;
  readonly onStuck: () => void;
}

/** Text into a descriptor without ever waiting for it: what is not taken now is kept, and tried again. */
export class TextWriter {
  readonly #fd: number;
  readonly #impatience: Impatience | undefined;
  readonly #waiting: Buffer[] = [];
  #bytes = 0;
  #lastTaken = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isBroken = false;
  #isClosed = false;

  /** @param fd of which no write waits */
  constructor(fd: number, impatience?: Impatience) {
    this.#fd = fd;
    this.#impatience = impatience;
  }

  /** @returns false when nobody reads any more */
  write(text: string): boolean {
    if (this.#isBroken) return false;
    const bytes = Buffer.from(text, "utf8");
    if (this.#waiting.length === 0) this.#lastTaken = monotonicMs();
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > (this.#impatience?.maxBytes ?? Infinity)) this.#giveUp();
    else if (!this.#timer) this.#flush(FIRST_AGAIN_MS);
    return !this.#isBroken;
  }

  /** Drops what was not taken, and closes the descriptor. Without it the descriptor is somebody else's to close. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stop();
    closeSync(this.#fd);
  }

  #stop(): void {
    this.#isBroken = true;
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
  }

  #flush(againMs: number): void {
    this.#timer = undefined;
    const before = this.#bytes;
    try {
      for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
        const taken = writeSync(this.#fd, first);
        this.#bytes -= taken;
        if (taken === first.length) this.#waiting.shift();
        else this.#waiting[0] = first.subarray(taken);
      }
      return;
    } catch (thrown) {
      // Whoever reads it has ended, and that is told elsewhere.
      if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") return this.#stop();
    }
    const now = monotonicMs();
    if (this.#bytes < before) this.#lastTaken = now;
    if (now - this.#lastTaken > (this.#impatience?.maxMs ?? Infinity)) return this.#giveUp();
    const wait = this.#bytes < before ? FIRST_AGAIN_MS : Math.min(againMs * 2, LAST_AGAIN_MS);
    this.#timer = setTimeout(() => this.#flush(wait), wait);
  }

  #giveUp(): void {
    this.#stop();
    this.#impatience?.onStuck();
  }
}

export class LineWriter {
  readonly #writer: TextWriter;

  constructor(fd: number) {
    this.#writer = new TextWriter(fd);
  }

  /** An empty line, which says nothing. */
  wake(): void {
    this.#writer.write("\n");
  }

  /** @returns false when nobody reads any more */
  write(message: LauncherConfig | LaunchRequest | CancelRequest | SayRequest | LaunchAnswer): boolean {
    return this.#writer.write(`${JSON.stringify(message)}\n`);
  }
}

/** The longest line. A path may have 4096 bytes, and each may need six as JSON; a text on standard input is the longest. */
const MAX_LINE_BYTES: number = 64 * 1024 * 1024;
