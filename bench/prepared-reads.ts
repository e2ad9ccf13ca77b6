/**
 * Requests that read one file, written out before the clock runs. Their ids all have the same number of digits, so every
 * answer has the same number of bytes, and bytes received tell whether every answer was whole.
 */
const FIRST_ID = 1_000_000;
/** Far more than are ever in flight, so that an id is not used again while it is unanswered. */
const COUNT = 4096;

export interface PreparedReads {
  /** The bytes of so many requests in a row; no copy is made. At most 4096. */
  readonly next: (count: number) => Uint8Array<ArrayBuffer>;
}

export function prepareReads(tool: string, path: string): PreparedReads {
  const lines = Array.from({ length: COUNT }, (_, at) => {
    const params = { name: tool, arguments: { path } };
    return `${JSON.stringify({ jsonrpc: "2.0", id: FIRST_ID + at, method: "tools/call", params })}\n`;
  });
  const bytes = new TextEncoder().encode(lines.join(""));
  const lineBytes = bytes.length / COUNT;
  let at = 0;
  const next = (count: number): Uint8Array<ArrayBuffer> => {
    if (count > COUNT) throw new RangeError(`Cannot prepare ${count} requests: at most ${COUNT}`);
    if (at + count > COUNT) at = 0;
    const start = at * lineBytes;
    at += count;
    return bytes.subarray(start, start + count * lineBytes);
  };
  return { next };
}
