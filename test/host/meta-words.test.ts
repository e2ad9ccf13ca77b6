/**
 * Several clients give a model everything that a result has, `_meta` too. So `_meta` has data and no words that the text
 * says already; a program gets the same failure and proposal from the two together.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readResult } from "../../src/calls/call-result.ts";
import { defineRemoteTool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openTestHost, type Json, type TestHost } from "./in-memory-host.ts";

const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "one more\nand one more\n",
  "c d.txt": "words\n",
  "src/main.ts": "let a = 1;\n",
};
const PATCH =
  "*** Begin Patch\n*** Update File: a.txt\n@@\n-none\n+1\n*** Update File: b.txt\n@@\n-nothing\n+1\n*** End Patch\n";

/** Calls that fail, each in a way of its own. */
const FAILING: readonly (readonly [tool: string, args: object, code: string])[] = [
  ["read_file", { path: "a.tx" }, "not_found"],
  ["read_file", { path: "../x" }, "outside_scope"],
  ["read_file", { path: "a.txt", limit: 0, foo: 1 }, "invalid_input"],
  ["read_file", { path: ".env" }, "denied"],
  ["edit_file", { path: "a.txt", old_text: "twoo", new_text: "2" }, "no_match"],
  ["edit_file", { path: "b.txt", old_text: "one", new_text: "1" }, "ambiguous"],
  ["apply_patch", { patch: PATCH }, "no_match"],
  ["grep", { pattern: "password" }, "needs_approval"],
  ["stat", { path: "a.txt" }, "denied"],
  ["change_files", { operations: [{ op: "write_file", path: "c d.txt" }] }, "invalid_input"],
];

/** Such calls by the names that the dialect lists. */
const FAILING_IN_CLAUDE: typeof FAILING = [
  ["Read", { file_path: "a.tx" }, "not_found"],
  ["Read", { file_path: "../x" }, "outside_scope"],
  ["Read", { file_path: "a.txt", limit: 0, foo: 1 }, "invalid_input"],
  ["Read", { file_path: ".env" }, "denied"],
  ["Edit", { file_path: "a.txt", old_string: "twoo", new_string: "2" }, "no_match"],
  ["Edit", { file_path: "b.txt", old_string: "one", new_string: "1" }, "ambiguous"],
  ["Grep", { pattern: "password" }, "needs_approval"],
];

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Strings in `_meta` that are words, and stand in the content. */
function saidTwice({ content, _meta: meta }: Json): string[] {
  const text = JSON.stringify((content as Json[]).map((block) => block.text ?? ""));
  // A path may have a blank in it.
  const words = stringsIn(meta).filter((one) => /\s/.test(one) && !one.endsWith(".txt"));
  return words.filter((one) => text.includes(JSON.stringify(one).slice(1, -1)));
}

const RULES = [{ deny: "stat(**)", reason: "nobody looks at sizes here" }];

const DIALECTS = [
  ["ringfence", FAILING, ["read_file", "edit_file"], { path: "b.txt", old_text: "and one more", new_text: "x" }],
  ["claude", FAILING_IN_CLAUDE, ["Read", "Edit"], { file_path: "b.txt", old_string: "and one more", new_string: "x" }],
] as const;

describe.each(DIALECTS)("in the dialect %s", (dialect, failing, [reads, edits], edit) => {
  let host: TestHost;
  beforeAll(async () => {
    host = openTestHost({ files: FILES, config: { dialect, rules: RULES, baseline: "if_known" } });
    await host.request("tools/list");
  });
  afterAll(async () => await host[Symbol.asyncDispose]());

  test.each(failing)("a failure has the words of the dialect: %s %j", async (name, args, code) => {
    for (const { result } of [
      await host.request("tools/call", { name, arguments: args }),
      await host.modern("tools/call", { name, arguments: args }),
    ]) {
      expect(result._meta["dev.ringfence/failure"]).toMatchObject({ code });
      expect(saidTwice(result)).toEqual([]);
      const { failure, text } = readResult(result);
      expect(text).toBe(`${code}: ${failure?.message}. ${failure?.hint}`.replace("?.", "?"));
    }
  });

  test("a stale edit: the difference is once in the text, and in the details of a program", async () => {
    const { old_text: _o, new_text: _n, old_string: _s, new_string: _w, ...path } = edit as Record<string, string>;
    await host.call(reads, { ...path, line_numbers: false });
    writeFileSync(join(host.root, "b.txt"), "one more\nand another\n");
    const { result, failure } = await host.call(edits, edit);
    expect(saidTwice(result)).toEqual([]);
    expect(JSON.stringify(result).split("-and one more").length).toBe(2);
    expect(failure).toMatchObject({ code: "stale", details: { path: "b.txt", reason: "changed" } });
    expect(failure?.details?.["diff"]).toContain("-and one more\n+and another");
    expect(failure?.hint).toEndWith(String(failure?.details?.["diff"]));
  });
});

describe("a proposal", () => {
  test("a proposal has its data in _meta, its words in the text, and its rules where a program asks for them", async () => {
    await using host = openTestHost({ files: FILES });
    const change = { path: "a.txt", content: "x\n" };
    const { proposal: first } = await host.call("write_file", change);
    await host.request("ringfence/proposals/reject", { id: first?.id, reason: "not that file" });
    const { result, proposal } = await host.call("write_file", change);
    expect(saidTwice(result)).toEqual([]);
    const shown = result._meta["dev.ringfence/proposal"];
    expect(Object.keys(shown)).not.toContain("suggested_rules");
    expect(shown).toMatchObject({
      tool: "write_file",
      bytes: 2,
      paths: [join(host.root, "a.txt")],
    });
    expect(proposal?.summary).toStartWith("Overwrite a.txt");
    const { result: whole } = await host.request("ringfence/proposals/get", { id: shown.id });
    expect(whole.suggested_rules[0]).toStartWith("write_file(exact:");
    expect(readResult(result).proposal).toMatchObject({ summary: whole.summary, warnings: whole.warnings });
    expect(whole.warnings).not.toEqual([]);
  });

  test("a proposal of a host for programs has all of it in the structured form", async () => {
    await using host = openTestHost({ files: FILES, config: { results: "structured" } });
    const { result } = await host.call("edit_file", { path: "a.txt", old_text: "one", new_text: "1" });
    expect(saidTwice(result)).toEqual([]);
    const { proposal } = readResult(result);
    expect(proposal?.suggested_rules[0]).toStartWith("edit_file(exact:");
    expect(proposal).toMatchObject({
      summary: expect.stringContaining("Edit a.txt"),
      warnings: [],
      risk: "R2",
    });
  });
});

test("the failure of somebody else's tool keeps what its answer does not say", async () => {
  const tool = defineRemoteTool({
    name: "mcp_far_say",
    owner: 'the MCP server "far"',
    tool: "say",
    inputSchema: { type: "object" },
    effect: "read",
    execute: () => Promise.resolve({ content: [{ type: "text", text: "went wrong" }], isError: true }),
  });
  await using host = openTestHost({ tools: [...builtinTools, tool] });
  const { result, failure, text } = await host.call("mcp_far_say", {});
  expect([text, failure?.code]).toEqual(["went wrong", "command_failed"]);
  expect(failure?.message).toBe('Cannot finish "mcp_far_say": the MCP server "far" answered that it failed');
  expect(saidTwice(result)).toEqual([]);
});

test("results of the modern era name the server, and only discovery describes it", async () => {
  await using host = openTestHost({ files: FILES });
  const key = "io.modelcontextprotocol/serverInfo";
  for (const [method, params] of [
    ["tools/call", { name: "read_file", arguments: { path: "a.txt" } }],
    ["tools/list", {}],
    ["resources/list", {}],
  ] as const) {
    const { result } = await host.modern(method, params);
    expect(result._meta[key]).toEqual({ name: "ringfence", version: "0.0.0" });
  }
  const { result } = await host.modern("server/discover");
  expect(result._meta[key].description).toStartWith("File tools");
});
