/** Differences of files and given text, and of what has no lines. */
import { afterAll, expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { diffFiles } from "../../src/files/index.ts";
import { createWorkspace, failureFrom } from "./workspace.ts";

const space = createWorkspace();
afterAll(() => space[Symbol.dispose]());

test("two files are compared line by line", () => {
  space.write("a.txt", "one\ntwo\nthree\n");
  space.write("b.txt", "one\n2\nthree\n");
  const answer = diffFiles(space.ctx, { a: "a.txt", b: "b.txt", context: 0 });
  expect(answer.diff).toBe("--- a/a.txt\n+++ b/b.txt\n@@ -2,1 +2,1 @@\n-two\n+2\n");
  expect(answer).toMatchObject({
    added: 1,
    removed: 1,
    identical: false,
    truncated: false,
    a: { path: "a.txt", size: 14, encoding: "utf-8" },
    b: { path: "b.txt", size: 12 },
  });
});

test("a file and a text are compared, the same and not", () => {
  space.write("a.txt", "one\n");
  const same = diffFiles(space.ctx, { a: "a.txt", text: "one\n" });
  expect([same.diff, same.identical, same.added, same.b.path]).toEqual(["", true, 0, undefined]);
  const other = diffFiles(space.ctx, { a: "a.txt", text: "two\n" });
  expect([other.added, other.removed, other.diff.includes("+two")]).toEqual([1, 1, true]);
});

test("the same text in two encodings has no diff and is not identical", () => {
  space.write("a.txt", "grüß\n");
  space.write("b.txt", Buffer.from("\ufeffgrüß\n", "utf16le"));
  const answer = diffFiles(space.ctx, { a: "a.txt", b: "b.txt" });
  expect([answer.diff, answer.identical, answer.b.encoding]).toEqual(["", false, "utf-16le"]);
  expect(answer.note).toContain("encoding");
});

test("binary files are compared by size and hash", () => {
  space.write("a.bin", "a\0b");
  space.write("b.bin", "a\0c");
  const answer = diffFiles(space.ctx, { a: "a.bin", b: "b.bin" });
  expect(answer).toMatchObject({ diff: "", identical: false, binary: true, a: { size: 3 }, b: { size: 3 } });
  expect(answer.a.hash).not.toBe(answer.b.hash);
  expect(diffFiles(space.ctx, { a: "a.bin", b: "a.bin" })).toMatchObject({ identical: true, binary: true });
});

test("neither or both of b and text, and a file too large to hold", async () => {
  space.write("a.txt", "one\n");
  expect((await failureFrom(() => diffFiles(space.ctx, { a: "a.txt" }))).code).toBe("invalid_input");
  const both = { a: "a.txt", b: "a.txt", text: "" };
  expect((await failureFrom(() => diffFiles(space.ctx, both))).code).toBe("invalid_input");
  truncateSync(space.write("huge", ""), 64 * 1024 * 1024 + 1);
  expect((await failureFrom(() => diffFiles(space.ctx, { a: "huge", b: "a.txt" }))).code).toBe("too_large");
});
