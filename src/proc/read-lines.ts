/**
 * Lines from a connection until its end, without a thread that waits for them.
 */
import { MAX_LINE_BYTES } from "./launcher-protocol.ts";

const NEWLINE = 0x0a;

export interface LineReader {
  /** When the other side is gone, or says more than a line can hold, or nobody listens any more. Rejects with what `onLine` throws. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
}

export function readLines(
  fd: number,
  onLine: (line: string) => void,
  maxBytes: number = MAX_LINE_BYTES,
): LineReader {
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
