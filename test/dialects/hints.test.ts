/**
 * Hints in a dialect: what they say of parameters is in its names, and a way that needs a parameter which it does not show is left out.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DIALECTS } from "../../src/config/index.ts";
import { createRegistry } from "../../src/contract/index.ts";
import { openDialect } from "../../src/dialects/index.ts";
import { createTranslate } from "../../src/dialects/translate-answer.ts";
import { builtinTools, commandTools } from "../../src/packs/index.ts";
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

/** Hints of ours with a way that needs a parameter, which is the last word of each row. */
const WITH_WAYS = [
  ["write_file", "Read all of it with read_file first, or give its hash as if_hash.", "if_hash"],
  ["edit_file", "Read it with read_file first, or give its hash as if_hash.", "if_hash"],
  ["apply_patch", "Read it with read_file first, or give its hash in if_hashes.", "if_hashes"],
  ["move", "Choose another name, or pass overwrite: true.", "overwrite"],
  ["read_file", "Use encoding: base64 for the raw bytes, or ask the operator.", "encoding"],
  ["grep", "Pass literal: true to search for the text as it stands, or write both branches.", "literal"],
  ["grep", 'Pass engine: "backtracking", or write (?:...) in its place.', "engine"],
  ["write_file", "leave it out, or write the file with encoding: utf-8.", "encoding"],
] as const;

test.each(DIALECTS.filter((name) => name !== "ringfence"))(
  "a hint of %s has no way with a parameter that is not shown, and each sentence begins as one",
  async (dialect) => {
    const { rows } = await openDialect(dialect, createRegistry([...builtinTools, ...commandTools({}, true)]));
    const translate = createTranslate(rows, []);
    for (const [tool, hint, parameter] of WITH_WAYS)
      for (const compiled of rows.filter((one) => one.tool.name === tool)) {
        const said = translate(hint, compiled);
        const ways = Object.entries(compiled.row.parameters).filter(
          ([, { to, choose = {} }]) =>
            to === parameter || Object.values(choose).some((meant) => Object.hasOwn(meant, parameter)),
        );
        if (ways.length === 0)
          expect([compiled.row.name, said]).toEqual([compiled.row.name, expect.not.stringContaining(parameter)]);
        if (/^[A-Z]/.test(hint)) expect(said).toMatch(/^[A-Z]/);
      }
  },
);

test.each([
  ["claude", "Write", { file_path: "a.txt", content: "x" }, "Read all of it with Read first."],
  ["filesystem", "write_file", { path: "a.txt", content: "x" }, "Read all of it with read_file first."],
  ["flynn", "file.read", { path: "old.txt" }, "Use file.read with encoding: base64 for the raw bytes. The operator"],
])("%s %s %j tells ways that can be gone: %s", async (dialect, name, args, words) => {
  await using host = openTestHost({
    files: { "a.txt": "one\n" },
    config: { dialect, mode: "bypass", baseline: "required" },
  });
  writeFileSync(join(host.root, "old.txt"), Buffer.from("caf\xe9\n", "latin1"));
  expect((await host.call(name, args)).failure?.hint).toStartWith(words);
});

test.each([
  ["flynn", "file.read", "path", "Use file.list on it."],
  ["filesystem", "read_text_file", "path", "Use list_directory on it."],
  ["codex", "read_file", "file_path", "Use list_dir on it."],
  ["construct", "read", "path", "Use listdir on it, or glob or grep."],
])("%s %s of a directory names the tool that lists it", async (dialect, name, path, hint) => {
  await using host = open(dialect);
  expect((await host.call(name, { [path]: "." })).failure?.hint).toBe(hint);
});

test.each([
  ["claude", "Read", "file_path", "Use Read with encoding: base64 for its bytes"],
  ["construct", "read", "path", "Use read with encoding: base64 for its bytes"],
  ["flynn", "file.read", "path", "Use file.read with encoding: base64 for its bytes"],
  ["filesystem", "read_file", "path", "Use read_media_file for its bytes."],
])("%s %s says how the bytes of a binary file are read there", async (dialect, name, path, words) => {
  await using host = open(dialect);
  writeFileSync(join(host.root, "a.bin"), new Uint8Array([0, 1, 2, 3]));
  const { all } = await host.call(name, { [path]: "a.bin" });
  expect(all).toContain(words);
  if (name !== "read_file") expect(all).not.toContain("read_file");
});
