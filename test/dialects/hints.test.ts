/**
 * Hints in a dialect: what they say of parameters is in its names, and a way that needs a parameter which it does not show is left out.
 */
import { expect, test } from "bun:test";
import { openTestHost, type TestHost } from "../host/in-memory-host.ts";

function open(dialect: string, config: object = {}): TestHost {
  return openTestHost({ files: { "a.txt": "one\ntwo\nthree\n" }, config: { dialect, ...config } });
}

test.each([
  ["clarvis", "grep", { pattern: "f(x" }, 'Write a literal parenthesis as \\"\\\\(\\".'],
  ["construct", "grep", { pattern: "*x" }, 'Write a literal *, + or ? with "\\" before it.'],
  ["construct", "grep", { pattern: "(?>x)" }, "Write (?:...), because nothing here backtracks."],
  ["flynn", "file.edit", { path: "a.txt", search: "t", replace: "T" }, "neighbouring lines until it is unique."],
  ["construct", "edit", { path: "a.txt", old: "t", new: "T" }, "neighbouring lines until it is unique."],
  [
    "construct-operator",
    "edit_file",
    { path: "a.txt", old_string: "t", new_string: "T" },
    "neighbouring lines until it is unique.",
  ],
])(
  "a hint of %s %s leaves out another way for which the dialect has no parameter: %p",
  async (dialect, name, args, words) => {
    await using host = open(dialect, { baseline: "if_known" });
    const { text } = await host.call(name, args);
    expect(text).toContain(words);
    expect(text).not.toMatch(/literal: true|engine:|replace all/);
  },
);

test("a hint keeps our name of a parameter that is not shown where there is no other way", async () => {
  await using host = open("construct");
  expect((await host.call("grep", { pattern: "a\\nb" })).failure?.hint).toBe(
    "Pass multiline: true to match across lines.",
  );
  expect((await host.call("grep", { pattern: "one\\ntwo", multiline: true })).failure).toBeUndefined();
});
