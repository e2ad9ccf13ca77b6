/**
 * Lines that look like errors are those that the expression alone finds in the whole text, in whatever pieces it comes, and
 * a flood of words that only begin like an error costs little.
 */
import { expect, test } from "bun:test";
import { fc } from "../property.ts";
import { ErrorLines, LOOK_ROOM_BYTES } from "../../src/proc/run/error-lines.ts";
import { sharedScanner } from "../../src/text/index.ts";

const ERROR =
  /\berrors?\b|\bfail(?:ed|ures?)?\b|\bfatal\b|\bpanic(?:ked)?\b|exception\b|\btraceback\b|\bundefined reference\b|\bsegmentation fault\b/i;

function lookedAt(pieces: readonly Buffer[], from = 0): ErrorLines {
  const lines = new ErrorLines(from);
  const memory = sharedScanner().text.subarray(LOOK_ROOM_BYTES);
  for (const piece of pieces) {
    const placed = memory.subarray(0, piece.copy(memory));
    lines.look(placed, placed.includes(0x0a));
    // It is used again at once.
    placed.fill("error ");
  }
  return lines;
}

function cut(text: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let [at, next] = [0, 0]; at < text.length; next++) {
    const size = sizes[next % sizes.length] ?? 1;
    pieces.push(text.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

/** What stands behind is shown anyway, and decides what was cut. */
const END = `\n${"-".repeat(40)}`;

const WORDS = [
  ..."error errors Error ERROR terror error_ fail failed failure failures failover fatal fatality panic panicked".split(
    " ",
  ),
  ..."NullPointerException exceptional traceback undefined_reference reference undefined segmentation".split(" "),
  ..."undefined reference|segmentation fault|Segmentation Fault|é|ſ|x".split("|"),
  "long ".repeat(70),
];

const word = fc
  .tuple(fc.constantFrom(...WORDS), fc.constantFrom("", " ", "\n", "\n", ":", "_", "\r\n"))
  .map(([text, end]) => text + end);

test("what is found is what the expression finds, however it is cut", () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 }),
      (words, sizes) => {
        const text = Buffer.from(words.join("") + END, "utf8");
        const expected = text
          .toString("latin1")
          .split("\n")
          .filter((line) => ERROR.test(line))
          .slice(0, 20)
          .map((line) => Buffer.from(line, "latin1").toString("utf8", 0, 300));
        found += expected.length;
        expect(lookedAt(cut(text, sizes)).found(text.length)).toEqual(expected);
      },
    ),
    { numRuns: 3000 },
  );
  expect(found).toBeGreaterThan(3000);
});

test("looking begins and ends where it is told", () => {
  const text = Buffer.from(`error one\nerror two\nerror three\n${END}`);
  for (const size of [1, 7, 19, 20, 21, 200]) {
    expect(lookedAt(cut(text, [size]), 10).found(20)).toEqual(["error two"]);
    expect(lookedAt(cut(text, [size]), 10).found(21)).toEqual(["error two", "error three"]);
  }
});

test("a line without an end is told by its beginning, once", () => {
  const pieces = [Buffer.from("begins "), ...Array.from({ length: 5 }, () => Buffer.alloc(400_000, "error "))];
  const [line, ...more] = lookedAt([...pieces, Buffer.from(END)]).found(Infinity);
  expect(line).toBe(`begins ${"error ".repeat(50)}`.slice(0, 300));
  expect(more).toEqual([]);
});

test("a flood of words that are none is not looked at for long", () => {
  const flood = Buffer.alloc(500_000, "terror ");
  expect(lookedAt([flood, Buffer.from("\nerror\n"), Buffer.from(END)]).found(Infinity)).toEqual([]);
  const few = Buffer.alloc(70_000, "terror ");
  expect(lookedAt([few, Buffer.from("\nerror\n"), Buffer.from(END)]).found(Infinity)).toEqual(["error"]);
});

test("the first 8 MiB are looked at to their end, in whatever pieces they come", () => {
  const [limit, all] = [8 * 1024 * 1024, 9 * 1024 * 1024];
  const text = Buffer.alloc(all, `${"-".repeat(99)}\n`);
  text.write("\nerror within\n", limit - 100_000);
  text.write("\nerror behind\n", limit + 100);
  for (const size of [4096, 65_536, 200_000, 261_120])
    expect([size, lookedAt(cut(text, [size])).found(all)]).toEqual([size, ["error within"]]);
});
