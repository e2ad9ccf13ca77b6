/**
 * A byte order mark stands once in a file that is written whole, whether the caller gives it, the file has it, or both.
 */
import { expect, test } from "bun:test";
import { openTestHost } from "../host/in-memory-host.ts";

const MARK = "\ufeff";

test.each([
  ["a file that has one", `${MARK}old\n`, `${MARK}new\n`, `${MARK}new\n`],
  ["a file that has one, by content without", `${MARK}old\n`, "new\n", `${MARK}new\n`],
  ["a file that has none", "old\n", `${MARK}new\n`, `${MARK}new\n`],
])("write_file leaves one byte order mark at most: %s", async (_what, before, content, after) => {
  await using host = openTestHost({ files: { "a.txt": before }, config: { mode: "bypass", baseline: "if_known" } });
  expect((await host.call("write_file", { path: "a.txt", content, overwrite: true })).failure).toBeUndefined();
  expect(host.read("a.txt")).toBe(after);
});
