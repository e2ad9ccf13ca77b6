/** Several reads in one: order, one budget, failures in their place, and the call that continues. */
import { afterAll, expect, test } from "bun:test";
import { readFiles } from "../../src/files/index.ts";
import { createWorkspace, failureFrom } from "./workspace.ts";

const space = createWorkspace();
afterAll(() => space[Symbol.dispose]());

test("one that fails does not lose the others", async () => {
  space.write("a.txt", "a\nb\nc\n");
  space.write("b.txt", "b");
  const files = [{ path: "a.txt", offset: 2, limit: 1 }, { path: "missing" }, { path: "b.txt" }];
  const answer = await readFiles(space.ctx, { files });
  expect(answer.files).toMatchObject([
    { kind: "text", text: "b\n" },
    { kind: "failed", path: "missing", failure: { code: "not_found" } },
    { kind: "text", text: "b" },
  ]);
  expect([answer.truncated, answer.next]).toEqual([true, { files: [{ path: "a.txt", offset: 3, limit: 1 }] }]);
});

test("nothing cut, nothing to go on with", async () => {
  space.write("a.txt", "a\n");
  const answer = await readFiles(space.ctx, { files: [{ path: "a.txt" }] });
  expect(answer.truncated).toBe(false);
  expect(answer).not.toHaveProperty("next");
});

test("one budget, shared fairly, and next continues each", async () => {
  const row = `${"x".repeat(999)}\n`;
  for (const name of ["1", "2", "3", "4"]) space.write(`big${name}.txt`, row.repeat(1500));
  space.write("small.txt", "small");
  const files = ["small.txt", "big1.txt", "big2.txt", "big3.txt", "big4.txt"].map((path) => ({
    path,
    limit: 1500,
  }));
  const answer = await readFiles(space.ctx, { files });
  const sizes = answer.files.map((read) => (read.kind === "text" ? Buffer.byteLength(read.text) : 0));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1024 * 1024);
  expect(sizes[0]).toBe(5);
  expect(Math.min(...sizes.slice(1))).toBeGreaterThanOrEqual(262_000);
  expect(answer.next?.files.map((next) => [next.path, next.offset])).toEqual([
    ["big1.txt", 263],
    ["big2.txt", 263],
    ["big3.txt", 263],
    ["big4.txt", 263],
  ]);
});

test("more files than one call takes are handed back", async () => {
  space.write("a.txt", "a");
  const answer = await readFiles(space.ctx, { files: Array.from({ length: 70 }, () => ({ path: "a.txt" })) });
  expect([answer.files.length, answer.next?.files.length, answer.truncated]).toEqual([64, 6, true]);
});

test("out of time: what was read, and the rest as next; cancelled: nothing", async () => {
  space.write("a.txt", "a");
  let asked = 0;
  const late = space.with({ cancel: { state: () => (++asked > 2 ? "timed_out" : "none") } });
  const files = [1, 2, 3, 4].map(() => ({ path: "a.txt" }));
  const answer = await readFiles(late, { files });
  expect([answer.files.length, answer.next?.files.length, answer.truncated]).toEqual([2, 2, true]);
  const left = space.with({ cancel: { state: () => "cancelled" } });
  expect((await failureFrom(() => readFiles(left, { files }))).code).toBe("cancelled");
});
