/**
 * Files that are odd: binary, other encodings, invalid bytes, larger than a window, one endless line, changing.
 */
import { describe, expect, test } from "bun:test";
import { appendFileSync, closeSync, openSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../property.ts";
import { grep, type GrepAnswer, type GrepOptions } from "../../src/search/index.ts";
import { KeyLook } from "../../src/search/grep/key-look.ts";
import { makeTree } from "./make-tree.ts";

async function lines(
  content: Uint8Array | string,
  options: Partial<GrepOptions> & { pattern: string },
): Promise<string[]> {
  using tree = makeTree({ f: content });
  return ((await grep(tree.ctx, options)).matches ?? []).map(({ line, column, text }) => `${line}:${column}:${text}`);
}

describe("encodings", () => {
  const utf16be = Buffer.from("\ufeffä\nneedle\n", "utf16le").swap16();
  test.each([
    ["UTF-8 with BOM", Buffer.from("\ufeffneedle ä\n"), ["1:1:needle ä"]],
    ["UTF-16 LE", Buffer.from("\ufeffä needle\r\n", "utf16le"), ["1:4:ä needle"]],
    ["UTF-16 BE", utf16be, ["2:1:needle"]],
    ["Latin-1", Buffer.from("caf\u00e9 needle\n", "latin1"), ["1:6:caf\ufffd needle"]],
  ])("grep() finds matches in a file of %s", async (_name, content, wanted) => {
    expect(await lines(content, { pattern: "needle" })).toEqual(wanted);
    expect(await lines(content, { pattern: "n[e]edle" })).toEqual(wanted);
  });

  test("context ends with a text of another encoding", async () => {
    using tree = makeTree({ f: Buffer.from("\ufeffa", "utf16le") });
    expect((await grep(tree.ctx, { pattern: "a", context: 2 })).matches).toEqual([
      { path: "f", line: 1, column: 1, text: "a" },
    ]);
  });

  test("a word does not end at a byte that is no text", async () => {
    const content = Buffer.from("x\u00ffb\nb \u00ff b\n", "latin1");
    expect(await lines(content, { pattern: "b", literal: true, word: true })).toEqual(["2:1:b \ufffd b"]);
  });

  test("the anchor stands behind the BOM", async () => {
    expect(await lines(Buffer.from("\ufeffneedle\n"), { pattern: "^needle$" })).toEqual(["1:1:needle"]);
  });

  test("any bytes: literals are found exactly, and the engine never fails", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200, min: 1 }), async (noise) => {
        const content = Buffer.concat([Buffer.from(noise), Buffer.from("needle"), Buffer.from(noise)]);
        const line = content.subarray(0, content.indexOf("needle")).filter((byte) => byte === 10).length + 1;
        using tree = makeTree({ f: content });
        // A BOM among the noise would make it another encoding.
        fc.pre(![0xff, 0xfe, 0xef].includes(content[0] ?? 0));
        for (const pattern of ["needle", "n[e]edle"])
          expect((await grep(tree.ctx, { pattern })).matches?.map((match) => match.line)).toContain(line);
        await grep(tree.ctx, { pattern: "\\S\\w*(?i)X|[^a]$", context: 2 });
      }),
      { numRuns: 60 },
    );
  });
});

describe("binary", () => {
  test("a NUL near the start ends it; later, what stands before is kept", async () => {
    using tree = makeTree({ near: "x\n\0", far: `x\n${"y\n".repeat(50_000)}\0\nx\n` });
    const answer = await grep(tree.ctx, { pattern: "x" });
    expect(answer.matches?.map(({ path, line }) => [path, line])).toEqual([["far", 1]]);
    expect(answer.totals.binary).toBe(2);
    expect((await grep(tree.ctx, { pattern: "x", output: "count" })).counts).toEqual([]);
  });

  test("a read of ripgrep's that brings a NUL is not searched at all", async () => {
    const filler = "y\n".repeat(40_000);
    using tree = makeTree({ far: `x\n${filler}x\n\0` });
    const answer = await grep(tree.ctx, { pattern: "x" });
    expect(answer.matches?.map(({ line }) => line)).toEqual([1]);
    expect((await grep(tree.ctx, { pattern: "x\\n", multiline: true })).matches?.length).toBe(2);
  });

  test("matches over several lines that follow each other are given, or left out, as one", async () => {
    const filler = "y\n".repeat(40_000);
    using tree = makeTree({ far: `x\nx\n${filler}x\nx\0\n` });
    const numbers = async (pattern: string): Promise<number[] | undefined> =>
      (await grep(tree.ctx, { pattern, multiline: true })).matches?.map(({ line }) => line);
    expect(await numbers("x\\n?")).toEqual([1, 2]);
    expect(await numbers("[^\\n]\\n")).toEqual([]);
  });

  test("a named file is searched through", async () => {
    using tree = makeTree({ near: "x\n\0\nx" });
    const answer = await grep(tree.ctx, { pattern: "x", path: "near" });
    expect(answer.matches?.map(({ line }) => line)).toEqual([1, 3]);
    expect(answer.totals.binary).toBe(1);
  });
});

describe("large files", () => {
  /** About 5 MB in lines of odd lengths, so that windows end anywhere. */
  const many = Array.from({ length: 60_000 }, (_, at) => `${at}:${"x".repeat((at * 37) % 170)}`);

  test("windows neither lose nor repeat nor misnumber a line", async () => {
    using tree = makeTree({ f: many.join("\n") });
    const numbers = async (pattern: string): Promise<number[]> =>
      ((await grep(tree.ctx, { pattern })).matches ?? []).map(({ line }) => line);
    const wanted = many.flatMap((text, at) => (text.startsWith("599") ? [at + 1] : [])).slice(0, 200);
    expect(await numbers("^599")).toEqual(wanted);
    for (const output of ["count"] as const) {
      const count = async (options: GrepOptions): Promise<number> =>
        (await grep(tree.ctx, { ...options, output })).counts?.[0]?.count ?? 0;
      expect(await count({ pattern: ":" })).toBe(many.length);
      expect(await count({ pattern: "^\\d+:x*$" })).toBe(many.length);
      expect(await count({ pattern: "x" })).toBe(many.filter((text) => text.includes("x")).length);
      expect(await count({ pattern: "x", invert: true })).toBe(many.filter((text) => !text.includes("x")).length);
      expect(await count({ pattern: "\\n5\\d*:", multiline: true })).toBe(
        many.filter((text) => text.startsWith("5")).length,
      );
    }
    const [last] = (await grep(tree.ctx, { pattern: "^59999:" })).matches ?? [];
    expect(last).toMatchObject({ line: 60_000, column: 1 });
  });

  test("one line of 100 MB: found, bounded, and said", async () => {
    using tree = makeTree({ "b.txt": "after\n" });
    const path = join(tree.path, "a.txt");
    const fd = openSync(path, "w");
    const piece = Buffer.alloc(10_000_000, "abc ");
    writeSync(fd, "first\n");
    for (let at = 0; at < 7; at++) writeSync(fd, piece);
    writeSync(fd, "needle");
    for (let at = 0; at < 3; at++) writeSync(fd, piece);
    writeSync(fd, "\nlast needle\n");
    closeSync(fd);
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    for (const pattern of ["needle", "n[e]edle"]) {
      const answer = await grep(tree.ctx, { pattern });
      expect(answer.matches?.map(({ line, column }) => [line, column])).toEqual([
        [2, 70_000_001],
        [3, 6],
      ]);
      expect(answer.matches?.[0]?.text).toContain("needle");
      expect(answer.totals.long_lines).toBe(1);
    }
    expect(
      (await grep(tree.ctx, { pattern: "n[e]edle", invert: true })).matches?.map(({ path: file, line }) => [
        file,
        line,
      ]),
    ).toEqual([
      ["a.txt", 1],
      ["b.txt", 1],
    ]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024);
  });

  test("a file that shrinks or grows while it is read", async () => {
    using tree = makeTree({ a: "needle\n".repeat(400_000), b: "needle\n" });
    let asked = 0;
    const ctx = tree.withCancel({
      state: () => {
        asked++;
        if (asked === 4) truncateSync(join(tree.path, "a"), 10);
        if (asked === 6) appendFileSync(join(tree.path, "b"), "needle\n");
        return "none";
      },
    });
    const answer = await grep(ctx, { pattern: "n[e]edle", output: "count" });
    expect(answer.counts?.map(({ path }) => path)).toEqual(["a", "b"]);
    expect(answer.truncated).toBe(false);
  });
});

test("matches over several lines that follow each other are counted, as one at least", async () => {
  const counts: (number | undefined)[] = [];
  for (const [content, pattern] of [
    ["b\nx", "\\s?"],
    ["b\nx\ny", "\\n|\\z"],
    ["x", "\\n|\\z"],
    ["a\nb\nx", "\\na|\\z"],
  ] as const) {
    using tree = makeTree({ f: content });
    const answer = await grep(tree.ctx, { pattern, multiline: true, output: "count" });
    counts.push(answer.counts?.[0]?.count);
  }
  // Numbers of ripgrep 15. The empty match at the end makes its line match, and is none to count beside others.
  expect(counts).toEqual([2, 2, 1, 1]);
});

test("over several lines, an empty match behind one that ends a line makes the next line match", async () => {
  for (const [content, pattern, wanted] of [
    ["x1\u00c9*\n\nb\n", "\u00c9\\D{2}|(?:xf)?", ["1:1:x1\u00c9*", "2:1:", "3:1:b"]],
    ["a*\n\n", "a\\D{2}|", ["1:1:a*", "2:1:"]],
    ["a*\n\nb\n", "a\\D{2}|b", ["1:1:a*", "3:1:b"]],
  ] as const)
    // As ripgrep 15 and its PCRE2.
    expect(await lines(content, { pattern, multiline: true })).toEqual([...wanted]);
});

async function overLines(content: string, pattern: string): Promise<GrepAnswer> {
  using tree = makeTree({ big: content });
  return await grep(tree.ctx, { pattern, multiline: true });
}

describe("multiline in a file larger than what is read at once", () => {
  const MB = 1024 * 1024;
  const line = `${"filler ".repeat(9)}\n`;
  const filler = (length: number): string => line.repeat(Math.ceil(length / line.length)).slice(0, length);
  test("a match is found wherever the borders of the reads fall", async () => {
    const needle = "N".repeat(3000);
    // The first border, the second behind the overlap of the two reads, and one byte around each.
    for (const border of [MB, 2 * MB - 64 * 1024])
      for (const before of [0, 1, 2999, 3000, 3001]) {
        const head = filler(border - before);
        const answer = await overLines(`${head}${needle}\nnext\n${filler(MB)}`, `${needle}\\nnext`);
        expect(answer.matches?.map((match) => match.line)).toEqual([head.split("\n").length]);
        expect(answer.totals.files_searched).toBe(1);
      }
  });

  test("without a match it is binary by its beginning, as when it is read whole", async () => {
    const late = `${filler(2 * MB)}\0\nend\n`;
    for (const pattern of ["none\\nend", "\\d\\nend"]) {
      const counts = { files_searched: 1, matches: 0 };
      expect((await overLines(late, pattern)).totals).toMatchObject({ ...counts, binary: 0 });
      expect((await overLines(`\0${late}`, pattern)).totals).toMatchObject({ ...counts, binary: 1 });
    }
  });

  test("a file is not judged by what the one before has left in the buffer", async () => {
    using tree = makeTree({ a: "\0".repeat(5000), b: Buffer.from("\ufefftext\n", "utf16le") });
    const { totals } = await grep(tree.ctx, { pattern: "none\\nend", multiline: true });
    expect(totals).toMatchObject({ files_searched: 2, binary: 1 });
  });
});

test("for what could be of a private key the file is read about once more, and for any other text not at all", () => {
  const body = Array.from({ length: 1000 }, (_, index) => `MII${index}`.padEnd(64, "QkFTRTY0"));
  const text = [
    "plain",
    ["-----BEGIN ", "PRIVATE KEY-----"].join(""),
    ...body,
    ["-----END ", "PRIVATE KEY-----"].join(""),
    "x".repeat(64),
  ].join("\n");
  const bytes = Buffer.from(text);
  let count = 0;
  const look = new KeyLook({
    size: bytes.length,
    head: 0,
    isWhole: false,
    read(into, at, length, position) {
      const got = position >= bytes.length ? 0 : bytes.copy(into, at, position, position + length);
      count += got;
      return got;
    },
  });
  const shown = (line: string): string => look.hide(line, text.indexOf(line));
  for (const line of ["plain", "const isShown = createReader(options)"]) expect(shown(line)).toBe(line);
  expect(count).toBe(0);
  expect(body.every((line) => shown(line) === "[secret:000000]")).toBe(true);
  expect(shown("x".repeat(64))).toBe("x".repeat(64));
  expect(count).toBeGreaterThan(text.length);
  expect(count).toBeLessThan(6 * text.length);
  expect(shown(body[500] ?? "")).toBe("[secret:000000]");
});
