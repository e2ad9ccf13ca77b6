/** Lines from bytes: framing, limits, encodings, and that cuts do not matter. */
import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { createFrames, type Frame, type FrameOptions } from "../../src/wire/index.ts";

const encoder = new TextEncoder();
const SMALL: FrameOptions = { maxBytes: 64, maxDepth: 4 };

function framesOf(input: string | Uint8Array, cut = Number.POSITIVE_INFINITY, options = SMALL): Frame[] {
  const bytes = typeof input === "string" ? encoder.encode(input) : input;
  const frames = createFrames(options);
  const seen: Frame[] = [];
  const onFrame = (frame: Frame): void => void seen.push(frame);
  for (let at = 0; at < bytes.length; at += cut) frames.push(bytes.slice(at, at + cut), onFrame);
  frames.end(onFrame);
  return seen;
}

const line = (text: string): Frame => ({ kind: "line", text });
const rejected = (id: string | number | null, message: string, code = -32600): Frame => ({
  kind: "rejected",
  id,
  code,
  message,
});
const tooLong = (id: string | number | null): Frame => rejected(id, "Cannot read the line: it is longer than 64 bytes");
const tooDeep = (id: string | number | null): Frame =>
  rejected(id, "Cannot read the line: it is nested deeper than 4 levels");
const NOT_UTF8 = rejected(null, "Cannot parse the line: it is not valid UTF-8. Encode every message in UTF-8.", -32700);
const long = "x".repeat(64);

describe("framing", () => {
  const cases: [string, string, Frame[]][] = [
    ["nothing", "", []],
    ["one line", "{}\n", [line("{}")]],
    ["two lines", "1\n2\n", [line("1"), line("2")]],
    ["a last line without newline", "1\n{}", [line("1"), line("{}")]],
    ["half a line at the end", '1\n{"a', [line("1"), line('{"a')]],
    ["CRLF", "1\r\n2\r\n", [line("1\r"), line("2\r")]],
    ["a CR alone is not a newline", "1\r2\n", [line("1\r2")]],
    ["blank lines", "\n\r\n  \t\n\n1\n\n", [line("1")]],
    ["a blank rest", "1\n  ", [line("1")]],
    ["characters of several bytes", '"é€😀"\n', [line('"é€😀"')]],
    ["a NUL is left to the parser", '"\0"\n', [line('"\0"')]],
    ["a mark at the start", "\uFEFF1\n2\n", [line("1"), line("2")]],
    ["a mark alone", "\uFEFF", []],
    ["a mark and a blank line", "\uFEFF\n1\n", [line("1")]],
    ["a mark elsewhere stays", "1\n\uFEFF2\n", [line("1"), line("\uFEFF2")]],
    ["a second mark stays", "\uFEFF\uFEFF1\n", [line("\uFEFF1")]],
    ["a mark after a blank line stays", "\n\uFEFF1\n", [line("\uFEFF1")]],
    ["64 bytes", `${long}\n1`, [line(long), line("1")]],
    ["65 bytes", `${long}x\n1`, [tooLong(null), line("1")]],
    ["65 bytes, never ended", `${long}x`, [tooLong(null)]],
    ["too long and only spaces", `${" ".repeat(65)}\n1\n`, [tooLong(null), line("1")]],
    ["too long, id before", `{"id":1,"x":"${long}"}\n2\n`, [tooLong(1), line("2")]],
    ["too long, id after", `{"x":"${long}","id":"k"}\n2\n`, [tooLong("k"), line("2")]],
    ["too long behind a mark", `\uFEFF{"x":"${long}","id":"k"}\n2\n`, [tooLong("k"), line("2")]],
    ["two too long", `{"id":1,"x":"${long}"}\n{"y":"${long}"}\n`, [tooLong(1), tooLong(null)]],
    ["a mark behind a line that is too long stays", `${long}x\n\uFEFF1\n`, [tooLong(null), line("\uFEFF1")]],
    ["cut off after the id", `{"id":1,"x":"${long}`, [tooLong(1)]],
    ["4 levels", "[[[[]]]]\n", [line("[[[[]]]]")]],
    ["5 levels", '{"a":[[[[]]]],"id":6}\n1\n', [tooDeep(6), line("1")]],
    ["5 levels in a string", '{"a":"[[[[["}\n', [line('{"a":"[[[[["}')]],
    ["many brackets, few levels", "[[],[],[],[],[]]\n", [line("[[],[],[],[],[]]")]],
    ["more brackets than levels, at the limit", "[[[[]]],[]]\n", [line("[[[[]]],[]]")]],
    ["mixed brackets", '[{"a":[{"b":[]}]}]\n', [tooDeep(null)]],
  ];
  test.each(cases)("createFrames() cuts the input into lines: %s", (_name, input, expected) => {
    for (const cut of [Number.POSITIVE_INFINITY, 1, 2, 3, 5, 64, 65]) {
      expect(framesOf(input, cut)).toEqual(expected);
    }
  });

  const invalid: [string, number[]][] = [
    ["a lone continuation", [0x22, 0x80, 0x22]],
    ["overlong", [0x22, 0xc0, 0xaf, 0x22]],
    ["a surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["cut short", [0x22, 0xe2, 0x82, 0x22]],
    ["above U+10FFFF", [0x22, 0xf5, 0x80, 0x80, 0x80, 0x22]],
    ["half a mark", [0xef, 0xbb]],
    ["UTF-16", [0xff, 0xfe, 0x31, 0x00]],
  ];
  test.each(invalid)("createFrames() refuses invalid UTF-8: %s", (_name, bytes) => {
    const input = new Uint8Array([0x31, 0x0a, ...bytes, 0x0a, 0x32, 0x0a]);
    for (const cut of [Number.POSITIVE_INFINITY, 1, 2]) {
      expect(framesOf(input, cut)).toEqual([line("1"), NOT_UTF8, line("2")]);
    }
  });
});

const LARGE: FrameOptions = { maxBytes: 16 * 1024 * 1024, maxDepth: 128 };

test("createFrames() reads 10,000 lines in one chunk", () => {
  const lines = Array.from({ length: 10_000 }, (_, id) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
  expect(framesOf(`${lines.join("\n")}\n`, undefined, LARGE)).toEqual(lines.map(line));
});

test("createFrames() refuses a million open brackets", () => {
  const deep = "[".repeat(1_000_000);
  const message = "Cannot read the line: it is nested deeper than 128 levels";
  expect(framesOf(`{"a":${deep}${"]".repeat(1_000_000)},"id":5}\n`, 65_536, LARGE)).toEqual([rejected(5, message)]);
  expect(framesOf(deep, 65_536, LARGE)).toEqual([rejected(null, message)]);
});

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

test("128 levels pass and 129 do not", () => {
  expect(framesOf(nested(128), undefined, LARGE)).toEqual([line(nested(128))]);
  expect(framesOf(nested(129), undefined, LARGE)).toMatchObject([{ kind: "rejected", code: -32600 }]);
});

test("a line of 16 MiB passes, one byte more does not", () => {
  const head = '{"id":1,"x":"';
  const fit = `${head}${"A".repeat(LARGE.maxBytes - head.length - 2)}"}`;
  expect(framesOf(`${fit}\n`, 65_536, LARGE)).toEqual([line(fit)]);
  expect(framesOf(`${fit} \n`, 65_536, LARGE)).toMatchObject([{ kind: "rejected", id: 1 }]);
});

test.each(["before", "after"])("a line of 200 MB, its id %s the big member, is refused in bounded memory", (place) => {
  const head = encoder.encode(place === "before" ? '{"id":"big","x":"' : '{"x":"');
  const tail = encoder.encode(place === "before" ? '"}\n{}\n' : '","id":"big"}\n{}\n');
  const chunk = new Uint8Array(64 * 1024).fill(0x41);
  const seen: Frame[] = [];
  const onFrame = (frame: Frame): void => void seen.push(frame);
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let peak = before;
  const frames = createFrames(LARGE);
  frames.push(head, onFrame);
  for (let sent = 0; sent < 200_000_000; sent += chunk.length) {
    frames.push(chunk, onFrame);
    if (sent % (64 * chunk.length) === 0) peak = Math.max(peak, process.memoryUsage.rss());
  }
  frames.push(tail, onFrame);
  expect(seen).toEqual([rejected("big", "Cannot read the line: it is longer than 16777216 bytes"), line("{}")]);
  expect((peak - before) / 1024 / 1024).toBeLessThan(64);
});

test("a line sent byte by byte costs its own size, not an object for each byte", () => {
  Bun.gc(true);
  const before = heapStats().objectCount;
  const frames = createFrames(LARGE);
  for (let sent = 0; sent < 4_000_000; sent++) frames.push(new Uint8Array([0x41]), () => {});
  Bun.gc(true);
  expect(heapStats().objectCount - before).toBeLessThan(400_000);
  frames.push(new Uint8Array([0x0a]), () => {});
});

test("chunks may be reused by their sender", () => {
  const chunk = encoder.encode('{"a":');
  const seen: Frame[] = [];
  const frames = createFrames(SMALL);
  frames.push(chunk, (frame) => seen.push(frame));
  chunk.fill(0x20);
  frames.push(encoder.encode("1}\n"), (frame) => seen.push(frame));
  expect(seen).toEqual([line('{"a":1}')]);
});
