/** Properties of the framer on hostile bytes: cuts do not matter, nothing throws, one frame per non-blank line. */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { createFrames, parseMessage, type Frame } from "../../src/wire/index.ts";

const OPTIONS = { maxBytes: 96, maxDepth: 5 };
const CALL = '{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"stat","a":["é\\"{"]}}';

function framesOf(bytes: Uint8Array, cuts: readonly number[]): Frame[] {
  const frames = createFrames(OPTIONS);
  const seen: Frame[] = [];
  const onFrame = (frame: Frame): void => void seen.push(frame);
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    frames.push(bytes.slice(from, cut), onFrame);
    from = cut;
  }
  frames.end(onFrame);
  return seen;
}

/** A stream with every kind of line, long and short, good and bad. */
const stream = new Uint8Array(
  Buffer.concat([
    Buffer.from(`\uFEFF${CALL}\r\n\n \n`),
    Buffer.from(`{"x":"\\\\\\"${"y".repeat(120)}\\\\","id":"späť"}\n[[[[[[1]]]]]]\n`),
    Buffer.from([0x22, 0xff, 0x22, 0x0a]),
    Buffer.from(`{"d":{"d":{"d":{"d":{"d":{}}}}},"id":3}\n${CALL}`),
  ]),
);

test("a stream that is cut in two at any byte gives the same frames", () => {
  const whole = framesOf(stream, []);
  expect(whole.map((frame) => (frame.kind === "line" ? "line" : [frame.code, frame.id]))).toEqual([
    "line",
    [-32600, "späť"],
    [-32600, null],
    [-32700, null],
    [-32600, 3],
    "line",
  ]);
  for (let cut = 0; cut <= stream.length; cut++) expect(framesOf(stream, [cut])).toEqual(whole);
});

const token = fc.constantFrom("{", "}", "[", "]", '"', "\\", ":", ",", "\n", "\r\n", '"id":', "12", "é", " ", CALL);
const soup = fc.oneof(
  fc.array(token).map((parts) => new TextEncoder().encode(parts.join(""))),
  fc.uint8Array({ maxLength: 300 }),
);

test("any bytes, cut anywhere, give the same frames", () => {
  fc.assert(
    fc.property(soup, fc.array(fc.nat(300)), (bytes, cuts) => {
      const sorted = cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b);
      expect(framesOf(bytes, sorted)).toEqual(framesOf(bytes, []));
    }),
    { numRuns: 1000 },
  );
});

test("mutated lines never throw and give one frame per line that is not blank", () => {
  const mutation = fc.record({
    at: fc.nat(CALL.length),
    drop: fc.nat(4),
    put: fc.uint8Array({ maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(fc.array(mutation, { maxLength: 4 }), { maxLength: 8 }), (lines) => {
      const mutated = lines.map((mutations) => {
        const bytes = [...Buffer.from(CALL)];
        for (const { at, drop, put } of mutations) bytes.splice(at, drop, ...put);
        return Buffer.from(bytes);
      });
      const input = Buffer.concat(mutated.flatMap((bytes) => [bytes, Buffer.from("\n")]));
      const frames = framesOf(input, []);
      expect(frames.length).toBe(nonBlankLines(input));
      for (const frame of frames) if (frame.kind === "line") parseMessage(frame.text);
    }),
    { numRuns: 500 },
  );
});

function nonBlankLines(bytes: Buffer): number {
  const withoutMark = bytes.subarray(bytes.toString("latin1").startsWith("\xef\xbb\xbf") ? 3 : 0);
  const lines = withoutMark.toString("latin1").split("\n");
  return lines.filter((text) => text.length > OPTIONS.maxBytes || /[^ \t\r]/.test(text)).length;
}
