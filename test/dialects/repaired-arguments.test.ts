/**
 * Arguments that were put right, in dialects whose answers are made from them: a form is given what the call meant.
 */
import { expect, test } from "bun:test";
import { openTestHost, type Members, type TestHost } from "../host/in-memory-host.ts";

function open(dialect: string): TestHost {
  return openTestHost({
    files: { "a.txt": "hello\n", "b.txt": "b\n" },
    config: { dialect, baseline: "if_known", mode: "bypass" },
  });
}

const BOTH = "==> a.txt <==\n     1\thello\n\n==> b.txt <==\n     1\tb";
const HELLO = { old_string: "hello", new_string: "bye" };

test.each<[dialect: string, name: string, given: Members, answer: string]>([
  ["clarvis", "read_files", { paths: "a.txt" }, "==> a.txt <==\n     1\thello"],
  ["clarvis", "read_files", { paths: '["a.txt","b.txt"]' }, BOTH],
  ["clarvis", "read_files", { files: [{ path: "a.txt" }, { path: "b.txt" }] }, BOTH],
  ["clarvis", "read_file", { file_path: "a.txt", offset: "1" }, "     1\thello"],
  ["clarvis", "multi_edit", { path: "a.txt", edits: HELLO }, "Applied 1 edit to a.txt."],
  ["clarvis", "multi_edit", { path: "a.txt", edits: JSON.stringify([HELLO]) }, "Applied 1 edit to a.txt."],
  ["filesystem", "read_multiple_files", { paths: '["a.txt","b.txt"]' }, "a.txt:\nhello\n\n\n---\nb.txt:\nb\n\n"],
  ["filesystem", "read_multiple_files", { paths: "b.txt" }, "b.txt:\nb\n\n"],
  ["filesystem", "read_file", { path: "a.txt", tail: "1" }, ""],
])("%s %s answers what was meant by %j", async (dialect, name, given, answer) => {
  await using host = open(dialect);
  expect((await host.call(name, given)).text).toBe(answer);
});

test("edit_file of the reference server takes a list as JSON text", async () => {
  await using host = open("filesystem");
  const edits = JSON.stringify([{ oldText: "b", newText: "b" }]);
  const { failure, text } = await host.call("edit_file", { path: "b.txt", edits });
  expect(failure).toBeUndefined();
  expect(text).toStartWith("```diff\nIndex: ");
});

test("a dry run of an edit that says it as a text writes nothing", async () => {
  await using host = open("filesystem");
  const edits = [{ oldText: "hello", newText: "bye" }];
  const { failure } = await host.call("edit_file", { path: "a.txt", edits, dryRun: "true" });
  expect(failure).toBeUndefined();
  expect(host.read("a.txt")).toBe("hello\n");
});
