/**
 * Lines over a connection: read until its end without a thread that waits for them, and written one after the other and
 * whole, also when the other side reads slowly.
 */
import { writeSync } from "node:fs";
import type {
  LauncherConfig,
  LaunchRequest,
  CancelRequest,
  HelperAnswer,
  SayRequest,
  LaunchAnswer,
} from "../launcher-protocol.ts";

const NEWLINE = 0x0a;

export interface LineReader {
  /** When the other side is gone, or says more than a line can hold, or nobody listens any more. Rejects with what `onLine` throws. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
}

export function readLines(fd: number, onLine: (line: string) => void, maxBytes: number = MAX_LINE_BYTES): LineReader {
  const reader = Bun.file(fd).stream().getReader();
  return { ended: readAll(reader, onLine, maxBytes), stop: async () => await reader.cancel() };
}

async function readAll(
  reader: { read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }> },
  onLine: (line: string) => void,
  maxBytes: number,
): Promise<void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value: chunk } = await reader.read();
    if (done || !chunk) return;
    let rest: Uint8Array = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
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

const AGAIN_MS = 2;

export class LineWriter {
  readonly #fd: number;
  #last: Promise<void> | undefined;
  #isBroken = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** @returns false when nobody reads any more */
  write(message: LauncherConfig | LaunchRequest | CancelRequest | SayRequest | LaunchAnswer | HelperAnswer): boolean {
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`, "utf8");
    const at = this.#last ? 0 : this.#writeSome(bytes, 0);
    if (at < bytes.length && !this.#isBroken) {
      const before = this.#last;
      const rest = this.#writeRest(before, bytes, at).finally(() => {
        if (this.#last === rest) this.#last = undefined;
      });
      this.#last = rest;
    }
    return !this.#isBroken;
  }

  async #writeRest(before: Promise<void> | undefined, bytes: Buffer, from: number): Promise<void> {
    await before;
    for (let at = from; at < bytes.length && !this.#isBroken;) {
      const next = this.#writeSome(bytes, at);
      if (next === at) await Bun.sleep(AGAIN_MS);
      at = next;
    }
  }

  /** Writes as much as is taken now. @returns where it got to */
  #writeSome(bytes: Buffer, from: number): number {
    let at = from;
    try {
      while (at < bytes.length) at += writeSync(this.#fd, bytes, at);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") this.#isBroken = true;
    }
    return at;
  }
}

/** The longest line. A path may have 4096 bytes, and each may need six as JSON; a text on standard input is the longest. */
const MAX_LINE_BYTES: number = 64 * 1024 * 1024;
