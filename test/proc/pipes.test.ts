/** What is thrown away out of a pipe is all but its end, to the byte, and nothing where there is little. */
import { expect, test } from "bun:test";
import { closeSync, readSync, writeSync } from "node:fs";
import { openPipe, PipeSkipper, widen } from "../../src/sys/index.ts";

test.skipIf(process.platform !== "linux")("all but the end of what waits in a pipe is thrown away", () => {
  const pipe = openPipe();
  widen(pipe.read);
  using skipper = new PipeSkipper(pipe.read);
  const read = Buffer.alloc(1_000_000);
  for (const [length, end] of [
    [500_000, 16_384],
    [100_000, 1],
    [65_536 + 16_384, 16_384],
    [70_000, 0],
  ] as const) {
    const text = Buffer.from(Array.from({ length }, (_, at) => at % 251));
    // Pieces that share no page.
    for (let at = 0; at < length; at += 9001) writeSync(pipe.write, text, at, Math.min(9001, length - at));
    expect(skipper.skipBut(end)).toBe(length - end);
    writeSync(pipe.write, "behind");
    const left = read.subarray(0, readSync(pipe.read, read));
    expect(left.equals(Buffer.concat([text.subarray(length - end), Buffer.from("behind")]))).toBe(true);
  }
  writeSync(pipe.write, Buffer.alloc(60_000));
  expect(skipper.skipBut(16_384)).toBe(0);
  expect(readSync(pipe.read, read)).toBe(60_000);
  expect(skipper.skipBut(16_384)).toBe(0);
  closeSync(pipe.write);
  closeSync(pipe.read);
});
