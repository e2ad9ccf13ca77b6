/**
 * The answer of a dialect is made from the arguments as they were understood: what was put right on the way in shows on the way
 * out too.
 */
import { describe, expect, test } from "bun:test";
import type { DialectName } from "../../src/dialects/index.ts";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

const FILES = { "a.txt": "hello\n", "b.txt": "two\n", "bom.txt": "\uFEFFx\n" };

const open = (dialect: DialectName): TestHost =>
  openTestHost({ files: FILES, config: { dialect, mode: "bypass", baseline: "if_known" } });

const lists: readonly [DialectName, string, object, said: string][] = [
  ["clarvis", "read_files", { paths: "a.txt" }, "==> a.txt <==\n     1\thello"],
  ["clarvis", "read_files", { paths: '["a.txt","b.txt"]' }, "\n\n==> b.txt <==\n     1\ttwo"],
  [
    "clarvis",
    "multi_edit",
    { path: "a.txt", edits: { old_string: "hello", new_string: "bye" } },
    "Applied 1 edit to a.txt.",
  ],
  [
    "clarvis",
    "multi_edit",
    { path: "a.txt", edits: '[{"old_string":"hello","new_string":"bye"}]' },
    "Applied 1 edit to a.txt.",
  ],
  ["filesystem", "read_multiple_files", { paths: '["a.txt","b.txt"]' }, "b.txt:\ntwo\n"],
  ["filesystem", "edit_file", { path: "a.txt", edits: '[{"oldText":"hello","newText":"hello"}]' }, "```diff\n"],
];

test.each(lists)("%s %s %j is answered by what it means", async (dialect, name, args, said) => {
  await using host = open(dialect);
  const { text, failure } = await host.call(name, args);
  expect([failure, text]).toEqual([undefined, expect.stringContaining(said)]);
});

describe("clarvis", () => {
  test("an edit that changes nothing is refused, and no other edit of the call is made", async () => {
    await using host = open("clarvis");
    const edits = [
      { old_string: "two", new_string: "2" },
      { old_string: "2", new_string: "2" },
    ];
    const { text } = await host.call("multi_edit", { path: "b.txt", edits });
    expect(JSON.parse(text)).toEqual({
      error: "invalid_input",
      message: expect.stringContaining("old_string and new_string are identical"),
      index: 1,
    });
    expect(host.read("b.txt")).toBe("two\n");
  });

  test.each([
    [{ path: "bom.txt", content: "hi\n" }, "Wrote 6 bytes to bom.txt (overwritten)."],
    [{ path: "n.bin", content: "AAECAw==", encoding: "base64" }, "Wrote 4 bytes to n.bin (created)."],
    [{ path: "n.txt", content: "hé\n" }, "Wrote 4 bytes to n.txt (created)."],
  ])("write_file %j tells the bytes that it wrote", async (args, said) => {
    await using host = open("clarvis");
    expect((await host.call("write_file", args)).text).toBe(said);
  });
});
