/**
 * Arguments as models send them: aliases and obvious slips are taken, everything else is refused with the field, what
 * came, and the nearest valid form. Nothing becomes a string.
 */
import { describe, expect, test } from "bun:test";
import { Failure, type FailureData } from "../../src/base/index.ts";
import { parseArguments, type Tool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";

function toolNamed(name: string): Tool {
  const tool = builtinTools.find((one) => one.name === name);
  if (!tool) throw new Error(name);
  return tool;
}

function refusal(name: string, given: unknown): FailureData {
  try {
    parseArguments(toolNamed(name), given);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.data;
    throw thrown;
  }
  throw new Error("it was accepted");
}

describe("aliases", () => {
  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ["read_file", { file_path: "a" }, { path: "a" }],
    ["read_file", { filePath: "a", lineNumbers: true }, { path: "a", line_numbers: true }],
    ["edit_file", { path: "a", old_string: "x", new_string: "y" }, { path: "a", old_text: "x", new_text: "y" }],
    [
      "edit_file",
      { path: "a", oldText: "x", newText: "y", replaceAll: true },
      { path: "a", old_text: "x", new_text: "y", replace_all: true },
    ],
    ["edit_file", { path: "a", old: "x", new: "y" }, { path: "a", old_text: "x", new_text: "y" }],
    ["edit_file", { path: "a", search: "x", replace: "y" }, { path: "a", old_text: "x", new_text: "y" }],
    [
      "edit_file",
      { path: "a", edits: [{ oldText: "x", newText: "y" }] },
      { path: "a", edits: [{ old_text: "x", new_text: "y" }] },
    ],
    ["move", { from: "a", to: "b" }, { source: "a", destination: "b" }],
    ["write_file", { path: "a", text: "x" }, { path: "a", content: "x" }],
    ["grep", { query: "x", glob: "*.ts" }, { pattern: "x", include: ["*.ts"] }],
  ];
  for (const [name, given, expected] of cases)
    test(`parseArguments() takes another name of ${name}: ${JSON.stringify(given)}`, () =>
      expect(parseArguments(toolNamed(name), given).input).toEqual(expected));
});

describe("slips of type", () => {
  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ["read_file", { path: "a", offset: "5", limit: "7" }, { path: "a", offset: 5, limit: 7 }],
    ["list_directory", { recursive: "true" }, { recursive: true }],
    [
      "edit_file",
      { path: "a", edits: { old_text: "x", new_text: "y" } },
      { path: "a", edits: [{ old_text: "x", new_text: "y" }] },
    ],
    [
      "edit_file",
      { path: "a", edits: '[{"old_text":"x","new_text":"y"}]' },
      { path: "a", edits: [{ old_text: "x", new_text: "y" }] },
    ],
    ["read_files", { files: ["a", "b"] }, { files: [{ path: "a" }, { path: "b" }] }],
    ["read_files", { files: "a" }, { files: [{ path: "a" }] }],
    ["grep", { pattern: "x", include: "*.ts" }, { pattern: "x", include: ["*.ts"] }],
    ["list_directory", undefined, {}],
  ];
  for (const [name, given, expected] of cases)
    test(`parseArguments() mends a slip of ${name}: ${JSON.stringify(given)}`, () =>
      expect(parseArguments(toolNamed(name), given).input).toEqual(expected));
});

describe("refusals", () => {
  test("an unknown argument is named with its nearest neighbour", () => {
    const { code, message, hint } = refusal("read_file", { path: "a", ofset: 3 });
    expect(code).toBe("invalid_input");
    expect(message).toContain('"ofset"');
    expect(hint).toContain("Did you mean offset?");
  });

  test("an argument that is given under two names is refused", () => {
    expect(refusal("read_file", { path: "a", file_path: "b" }).message).toContain("path is given twice");
  });

  for (const path of [null, 5, 0, true, ["a"], { href: "file:///etc/passwd" }, { type: "Buffer", data: [97] }])
    test(`path ${JSON.stringify(path)} is not a string and does not become one`, () => {
      expect(refusal("read_file", { path }).message).toContain("path");
    });

  test("a missing argument is named with what it is for", () => {
    const { message, hint } = refusal("read_file", {});
    expect(message).toContain("the argument path is missing");
    expect(hint).toContain("The file");
  });

  test("inherited members are not arguments", () => {
    expect(refusal("read_file", JSON.parse('{"__proto__": {"path": "a"}}')).code).toBe("invalid_input");
    expect(refusal("read_file", { constructor: { prototype: { path: "a" } } }).code).toBe("invalid_input");
    expect(({} as { path?: string }).path).toBeUndefined();
  });

  test("parseArguments() refuses arguments that are no object", () => {
    for (const given of [[], "a", 7, null])
      if (given !== null) expect(refusal("read_file", given).code).toBe("invalid_input");
  });

  test("parseArguments() refuses two arguments that exclude each other", () => {
    expect(refusal("edit_file", { path: "a", old_text: "x" }).hint).toBe("Give old_text and new_text, or edits.");
    expect(refusal("hash_file", {}).hint).toBe("Give either path or paths.");
    expect(refusal("diff_files", { a: "x" }).hint).toBe("Give either b or text.");
  });

  test("a value out of its bounds names the bounds", () => {
    expect(refusal("list_directory", { limit: 1001 }).hint).toContain("from 1 to 1000");
    expect(refusal("list_directory", { sort: "date" }).hint).toContain('"mtime"');
  });
});
