/**
 * Lines from a connection until its end, without a thread that waits for them.
 */
import { MAX_LINE_BYTES } from "./launcher-protocol.ts";

const NEWLINE = 0x0a;

/** Ends when the other side is gone, or says more than a line can hold. @throws what `onLine` throws */
export async function readLines(fd: number, onLine: (line: string) => void): Promise<void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of Bun.file(fd).stream()) {
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
    if (length > MAX_LINE_BYTES) return;
  }
}
