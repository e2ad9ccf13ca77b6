/**
 * Searches and hashes that give way wherever they can, to others that use the same memory: each finds what it finds alone.
 *
 * Usual mistake: to let them give way by the clock. Here every pause is taken, whatever the machine.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashFiles, readFile, type FilesContext } from "../../src/files/index.ts";
import {
  diskUsage,
  glob,
  grep,
  listDirectory,
  tree as treeOf,
  type GrepOptions,
  type SearchContext,
} from "../../src/search/index.ts";
import { sharedScanner } from "../../src/text/index.ts";
import { maskInvalidUtf8 } from "../../src/search/engine/matcher.ts";
import { makeTree } from "./make-tree.ts";

const MB = 1024 * 1024;
const line = (at: number): string =>
  `line ${at} of the large file: nothing to see${at % 7000 === 6999 ? ", needle" : ""}\n`;
const LARGE: string = Array.from({ length: 90_000 }, (_, at) => line(at)).join("");

const small = Array.from({ length: 600 }, (_, at) => [`many/d${at % 40}/f${at}.txt`, `needle ${at}\n`] as const);
const tree = makeTree({
  "large.txt": LARGE,
  "masked.txt": Buffer.concat([
    Buffer.from("needle \xff\n", "latin1"),
    Buffer.from(LARGE.slice(0, 3 * MB)),
    Buffer.from("needle é\n"),
  ]),
  "one-line.txt": `${"x".repeat(3 * MB)} needle ${"y".repeat(18 * MB)} needle`,
  ...Object.fromEntries(small),
});
afterAll(() => tree[Symbol.dispose]());

let pauses = 0;

/** What others do between two pieces, at its worst. */
function spoil(): void {
  pauses++;
  sharedScanner().text.fill(0x6e);
  sharedScanner().load([{ bytes: Buffer.from("other"), folds: Array(5).fill(true) }]);
  maskInvalidUtf8(Buffer.from([0xff]));
}

const giving: SearchContext & FilesContext = {
  ...tree.ctx,
  turn: {
    pause: async () => {
      await Promise.resolve();
      spoil();
    },
    away: async (elsewhere) => await elsewhere,
  },
};

const greps: readonly (readonly [what: string, GrepOptions])[] = [
  ["lines of a tree", { pattern: "needle", limit: 50 }],
  ["lines of a large file", { pattern: "needle", path: "large.txt", before: 2, after: 2 }],
  ["an expression in a large file", { pattern: "ne+dle$", path: "large.txt" }],
  ["lines that do not match", { pattern: "nothing", path: "large.txt", invert: true }],
  ["counts", { pattern: "n..dle", output: "count" }],
  ["counts of matches", { pattern: "e", output: "count", only_matching: true }],
  ["files", { pattern: "needle [0-9]*7$", output: "files" }],
  ["a long line", { pattern: "needle y", path: "one-line.txt", output: "count" }],
  ["bytes that are no text", { pattern: "needle .", path: "masked.txt" }],
  ["several lines", { pattern: "see, needle\\nline", multiline: true }],
  ["look-around", { pattern: "(?<=, )needle", path: "large.txt" }],
  ["nothing", { pattern: "NEEDLE 1234567", literal: true, case: "sensitive" }],
];

describe("a search that gives way finds what it finds alone", () => {
  test.each(greps)("grep() that gives way finds what it finds alone: %s", async (_what, options) => {
    const alone = await grep(tree.ctx, options);
    pauses = 0;
    expect(await grep(giving, options)).toEqual(alone);
    expect(pauses).toBeGreaterThan(0);
  });

  test("many searches that give way in one memory find what they find alone", async () => {
    const alone = [];
    for (const [, options] of greps) alone.push(await grep(tree.ctx, options));
    const together = await Promise.all(greps.map(async ([, options]) => await grep(giving, options)));
    expect(together).toEqual(alone);
  });

  const others: readonly (readonly [what: string, (ctx: SearchContext) => Promise<object>])[] = [
    ["glob, newest first", async (ctx) => await glob(ctx, { pattern: "**/*7.txt" })],
    ["glob by name", async (ctx) => await glob(ctx, { pattern: "**/*7.txt", sort: "name", limit: 20 })],
    ["glob, with a hint", async (ctx) => await glob(ctx, { pattern: "f599.txt" })],
    ["list", async (ctx) => await listDirectory(ctx, { recursive: true, limit: 100 })],
    ["list by size", async (ctx) => await listDirectory(ctx, { recursive: true, sort: "size", limit: 100 })],
    ["tree", async (ctx) => await treeOf(ctx, {})],
    ["disk usage", async (ctx) => await diskUsage(ctx, { depth: 2 })],
  ];
  test.each(others)("a search that gives way finds what it finds alone: %s", async (_what, search) => {
    const alone = await search(tree.ctx);
    pauses = 0;
    expect(await search(giving)).toEqual(alone);
    expect(pauses).toBeGreaterThan(0);
  });
});

describe("a file that is read in pieces", () => {
  writeFileSync(join(tree.path, "read.txt"), LARGE.repeat(5));

  test("hashFiles() gives the same hashes when many read in pieces at once", async () => {
    const paths = ["large.txt", "one-line.txt", "masked.txt"];
    const alone = await hashFiles(tree.ctx, { paths });
    pauses = 0;
    const all = await Promise.all(
      [paths, paths.toReversed()].map(async (some) => await hashFiles(giving, { paths: some })),
    );
    expect(all[0]).toEqual(alone);
    expect(all[1]?.hashes.toReversed()).toEqual([...alone.hashes]);
    expect(pauses).toBeGreaterThan(0);
  });

  test.each([400_000, -3, 1])("readFile() gives the same lines from %d on when it gives way", async (offset) => {
    const request = { path: "read.txt", offset, limit: 3 };
    const alone = await readFile(tree.ctx, request);
    pauses = 0;
    expect(await readFile(giving, request)).toEqual(alone);
    expect(pauses).toBeGreaterThan(0);
  });
});
