/**
 * Calls and answers in a dialect: what the next step is called, what else is taken, and that nothing behind the edge knows.
 */
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { defineLocalTool } from "../../src/contract/index.ts";
import { createInstructions } from "../../src/host/about.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openTestHost, type CallAnswer, type TestHost } from "../host/in-memory-host.ts";

const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "long.txt": Array.from({ length: 5000 }, (_, index) => `line ${index + 1}\n`).join(""),
  "read_file.txt": "x\n",
  "x.bin": "a\u0000b",
};

function open(dialect: string, config: object = {}): TestHost {
  return openTestHost({ files: FILES, config: { dialect, baseline: "required", ...config } });
}

/** The call that an answer names. */
function nextOf(all: string): [name: string, args: object] {
  const [, name = "", json = ""] = /To go on: (\S+) (\{.*\})/.exec(all) ?? [];
  return [name, JSON.parse(json) as object];
}

/** In the place where the reference server has it. */
function textOf({ result }: CallAnswer): string {
  return result.content[0].text;
}

describe("the next step", () => {
  test.each([
    ["claude", "Read", { file_path: "long.txt" }, /^Read \{"file_path":"long.txt","offset":1971\}/],
    [
      "codex",
      "read_file",
      { file_path: "long.txt", limit: 3 },
      /^read_file \{"file_path":"long.txt","offset":4,"limit":3\}/,
    ],
    [
      "gemini",
      "read_file",
      { file_path: "long.txt", end_line: 3 },
      /^read_file \{"file_path":"long.txt","start_line":4,"end_line":6\}/,
    ],
    ["flynn", "file.read", { path: "long.txt", limit: 3 }, /^file\.read \{"path":"long.txt","offset":4,"limit":3\}/],
    [
      "claude",
      "Grep",
      { pattern: "line", output_mode: "content", head_limit: 2, "-i": true, glob: "*.txt" },
      /^Grep \{"pattern":"line","path":".","glob":"\*.txt","output_mode":"content","-i":true,"head_limit":2,"cursor":/,
    ],
    [
      "gemini",
      "grep_search",
      { pattern: "LINE", total_max_matches: 2, include_pattern: "*.txt" },
      /^grep_search \{"pattern":"LINE","dir_path":".","include_pattern":"\*.txt","total_max_matches":2,"cursor":/,
    ],
    [
      "construct",
      "grep",
      { pattern: "line", include: "*.txt", limit: 2 },
      /^grep \{"pattern":"line","path":".","include":"\*.txt","limit":2,"cursor":/,
    ],
    [
      "filesystem",
      "read_text_file",
      { path: "long.txt", limit: 2 },
      /^read_text_file \{"path":"long.txt","offset":3,"limit":2\}/,
    ],
  ])("the next step of %s %s is one that can be made", async (dialect, name, args, wanted) => {
    await using host = open(dialect);
    const first = await host.call(name, args);
    const [next, given] = nextOf(first.all);
    expect(`${next} ${JSON.stringify(given)}`).toMatch(wanted);
    const second = await host.call(next, given);
    expect(second.failure).toBeUndefined();
    expect(second.text).not.toBe(first.text);
  });

  test("the next step is one of the dialect in structured results too", async () => {
    await using host = open("gemini", { results: "structured" });
    const { result } = await host.call("read_file", { file_path: "long.txt" });
    expect(result.structuredContent.next).toEqual({ file_path: "long.txt", start_line: 2001 });
  });

  test("the next step of a list of the reference server that was cut stands behind it, and what is JSON stays so", async () => {
    const files = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`f${index}.txt`, ""]));
    await using host = openTestHost({ config: { dialect: "filesystem" }, files });
    const first = await host.call("list_directory", { path: "." });
    expect(textOf(first).split("\n")).toHaveLength(1000);
    const [next, given] = nextOf(first.all);
    expect(textOf(await host.call(next, given)).split("\n")).toHaveLength(200);
    const tree = await host.call("directory_tree", { path: "." });
    expect(JSON.parse(textOf(tree))).toHaveLength(1000);
    expect(tree.result.structuredContent.content).toBe(tree.all);
    expect(tree.all).toContain("To go on: directory_tree {");
  });

  test("the next step of several files is given in all and of each", async () => {
    await using host = openTestHost({
      config: { dialect: "gemini" },
      files: { "x.txt": "line x\n".repeat(100_000), "y.txt": "line y\n".repeat(100_000) },
    });
    const first = await host.call("read_many_files", { include: ["x.txt", "y.txt"] });
    expect(first.text).toMatch(
      /^==> x\.txt <==\n\[.* To go on: read_file \{"file_path":"x\.txt","start_line":\d+\b.*\}\]\nline x\n/,
    );
    const [next, given] = nextOf(first.result.content[0].text);
    expect(next).toBe("read_many_files");
    expect((await host.call(next, given)).text).toMatch(/^==> x\.txt <==\n\[.*\]\nline x\n/);
  });
});

describe("failures", () => {
  test.each([
    ["claude", "Edit", { file_path: "a.txt", old_string: "one", new_string: "1" }, "Read it with Read first"],
    ["gemini", "replace", { file_path: "a.txt", old_string: "one", new_string: "1" }, "Read it with read_file first"],
    ["flynn", "file.edit", { path: "a.txt", old_text: "one", new_text: "1" }, "Read it with file.read first"],
    ["claude", "Edit", { file_path: "a.txt" }, 'Cannot call "Edit": the argument old_string is missing'],
    ["claude", "Edit", { file_path: "a.txt", old_strin: "" }, "Did you mean old_string?"],
    ["construct", "edit", { path: "a.txt", old: "one" }, "the argument new is missing"],
    ["gemini", "grep_search", { pattern: "f(x" }, "or pass fixed_strings: true"],
    ["gemini", "grep_search", { pattern: "**/*.ts" }, 'give it as include_pattern: "**/*.ts", or use glob'],
    ["claude", "Grep", { pattern: "**/*.ts" }, 'give it as glob: "**/*.ts", or use Glob'],
    ["claude", "Edit", { file_path: "a.txt", old_string: "t", new_string: "T" }, "unique, or ask to replace all."],
    ["claude", "Read", { file_path: "../x" }, "outside_scope: "],
    ["claude", "Read", { file_path: "read_fil.txt" }, 'Did you mean "read_file.txt"?'],
    ["gemini", "read_file", { file_path: "a.txt", start_line: 3, end_line: 1 }, "Cannot read up to line 1"],
    ["gemini", "read_many_files", { include: ["*.txt"] }, "Find the files with glob first"],
    ["flynn", "system.info", { x: 1 }, 'Cannot call "system.info"'],
  ])("a failure of %s speaks the dialect: %s %p", async (dialect, name, args, words) => {
    await using host = open(dialect);
    const { text, failure } = await host.call(name, args);
    expect(text).toContain(words);
    expect(`${failure?.code}: ${failure?.message}. ${failure?.hint}`.replaceAll("?.", "?")).toContain(words);
  });

  test("a failure of an unknown tool names its nearest in the dialect, and only what is there", async () => {
    await using host = open("claude");
    const { error } = await host.request("tools/call", { name: "Reed", arguments: {} });
    expect(error.data.candidates).toEqual(["Read"]);
    const hidden = await host.request("tools/call", { name: "Bash", arguments: { command: "ls" } });
    // The shell has that name in every dialect, and is off here.
    expect(hidden.error.data).toEqual({ tool: "Bash", turned_off: true });
  });

  test("a failure of an unknown tool names a tool once, although an alias of it is as near", async () => {
    await using host = openTestHost({ files: FILES });
    const { error } = await host.request("tools/call", { name: "grepp", arguments: {} });
    expect(error.data.candidates.map((name: string) => name.toLowerCase())).toEqual(["grep"]);
  });
});

describe("beside the rows", () => {
  test("our own parameters of a listed tool are taken, and not shown", async () => {
    await using host = open("claude", { mode: "bypass" });
    expect((await host.call("Read", { file_path: "a.txt", line_numbers: false })).text).toBe("one\ntwo\nthree\n");
    expect((await host.call("Read", { path: "a.txt", limit: "1" })).text).toBe("     1\tone\n");
  });

  test("construct takes list for listdir, and does not show it", async () => {
    await using host = open("construct");
    expect((await host.call("list", { path: "." })).text).toContain("a.txt\t");
    expect((await host.call("list", {})).failure?.message).toContain("the argument path is missing");
    const { result } = await host.request("tools/list");
    expect(result.tools.map(({ name }: { name: string }) => name)).not.toContain("list");
    expect((await host.request("tools/call", { name: "ls", arguments: {} })).error.data.candidates).toEqual([
      "listdir",
    ]);
  });

  test("older parameters are taken, and not shown", async () => {
    await using host = open("gemini");
    expect((await host.call("read_file", { absolute_path: "a.txt", offset: 1, limit: 1 })).text).toBe("two\n");
  });

  test("a name of the dialect is the dialect's, whatever it is elsewhere", async () => {
    await using host = open("filesystem");
    expect((await host.call("list_directory", { path: "." })).text).toStartWith("[FILE] a.txt\n");
  });

  test("a tool of one's own keeps its name", async () => {
    const shout = defineLocalTool({
      name: "shout",
      description: "Says it loudly.",
      input: z.strictObject({ text: z.string().describe("What") }),
      execute: ({ text }) => text.toUpperCase(),
    });
    await using host = openTestHost({ config: { dialect: "construct" }, tools: [...builtinTools, shout] });
    const { result } = await host.request("tools/list");
    expect(result.tools.map(({ name }: { name: string }) => name)).toContain("shout");
    expect((await host.call("shout", { text: "x" })).text).toBe("X");
  });
});

describe("behind the edge", () => {
  test("rules and the record speak our names", async () => {
    const rules = [{ deny: "edit_file(a.txt)", reason: "not that one" }];
    await using host = open("claude", { rules, mode: "bypass" });
    await host.call("Read", { file_path: "a.txt" });
    const { failure } = await host.call("Edit", { file_path: "a.txt", old_string: "one", new_string: "1" });
    expect(failure).toMatchObject({ code: "denied", message: 'Cannot write "a.txt": not that one' });
    const lines = host
      .audit()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; tool?: string });
    expect(lines.filter(({ event }) => event === "proposed").map(({ tool }) => tool)).toEqual([
      "read_file",
      "edit_file",
    ]);
  });

  test("what cannot be read is on record as a failed call", async () => {
    await using host = open("claude");
    await host.call("Edit", { nonsense: 1 });
    expect(host.audit()).toContain('"validated":false');
  });

  test("a question about a call takes the dialect's names", async () => {
    await using host = open("claude");
    const { result } = await host.request("ringfence/policy/explain", {
      name: "Write",
      arguments: { file_path: "n.txt", content: "" },
    });
    expect(result.tool).toBe("write_file");
  });

  test("a dry run leaves nothing behind", async () => {
    await using host = open("filesystem", { mode: "default" });
    await host.call("read_text_file", { path: "a.txt" });
    const given = { path: "a.txt", edits: [{ oldText: "one", newText: "1" }] };
    const tried = await host.call("edit_file", { ...given, dryRun: true });
    expect(tried.text).toStartWith("```diff\nIndex: ");
    expect((await host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
    const made = await host.call("edit_file", given);
    expect(made.text).toStartWith("Proposed: Edit a.txt");
    expect(made.result.structuredContent).toEqual({ content: made.text });
    await host.apply(made);
    expect(host.read("a.txt")).toStartWith("1\n");
  });

  test("what was read under a dialect may be changed", async () => {
    await using host = open("claude", { mode: "accept_edits" });
    await host.call("Read", { file_path: "a.txt" });
    expect((await host.call("Edit", { file_path: "a.txt", old_string: "one", new_string: "1" })).text).toStartWith(
      "Applied: ",
    );
  });

  test("contents are not touched", async () => {
    const text = 'Note: Use edit_file. To go on: read_file {"path":"x"}\nCannot call "write_file"\n';
    await using host = openTestHost({ config: { dialect: "claude" }, files: { "t.txt": text } });
    expect((await host.call("Read", { file_path: "t.txt", line_numbers: false })).text).toBe(text);
    const { text: found } = await host.call("Grep", { pattern: "edit_file", output_mode: "content" });
    expect(found).toBe(`t.txt:1:${text.split("\n")[0]}`);
  });
});

test("the instructions call tools as the dialect does", async () => {
  await using host = open("flynn");
  await host.request("tools/list");
  const facts = {
    mode: "default",
    fence: "handles only",
    durability: "full" as const,
    dialect: host.host.dialect,
  };
  const text = createInstructions({
    ...facts,
    verbs: ["read"],
    roots: [{ path: "/".padEnd(2000, "x"), access: "read-only" }],
  });
  expect(text).toContain("the directory that system.info names");
  expect(text).toEndWith(host.host.dialect?.about ?? "-");
});
