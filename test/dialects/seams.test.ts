/**
 * What is there besides a dialect's own tools, in its words: commands, tools of somebody else, completion, prompts and
 * templates. A call that an answer names can be made as it stands there.
 */
import { describe, expect, test } from "bun:test";
import { defineRemoteTool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { shakeHands, TOOLS } from "../host/bridge-client.ts";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";
import { openCommandHost, script } from "../proc/command-host.ts";

const FILES = { "a.txt": "one\n", "sub/b.txt": "b\n" };

function open(dialect: string): TestHost {
  return openTestHost({ files: FILES, config: { dialect } });
}

test.skipIf(process.platform !== "linux")("the output of a command goes on with the dialect's call", async () => {
  const long = script("seq 1 40000");
  await using host = openCommandHost({ config: { dialect: "gemini", commands: { long } as never } });
  const first = await host.call("cmd_long", {});
  const [, name = "", args = ""] = /(read_file) (\{.*?\})/.exec(first.all) ?? [];
  expect(Object.keys(JSON.parse(args) as object)).toContain("file_path");
  expect((await host.call(name, JSON.parse(args))).failure).toBeUndefined();
});

test("a tool of somebody else keeps its words, and its name stands among those that are near", async () => {
  const said = 'To go on: read_file {"path":"x"}';
  const tool = defineRemoteTool({
    name: "mcp_far_say",
    owner: 'the MCP server "far"',
    tool: "say",
    inputSchema: { type: "object" },
    effect: "read",
    execute: async () => ({
      content: [
        { type: "text", text: "a" },
        { type: "text", text: said },
      ],
    }),
  });
  await using host = openTestHost({ tools: [...builtinTools, tool], config: { dialect: "claude" } });
  expect((await host.call("mcp_far_say", {})).all).toContain(said);
  const { error } = await host.request("tools/call", { name: "mcp_far_sya", arguments: {} });
  expect(error.message).toContain("did you mean mcp_far_say?");
});

async function complete(host: TestHost, tool: string, name: string, value: string): Promise<Json> {
  const params = { ref: { type: "ref/tool", name: tool }, argument: { name, value } };
  const { result, error } = await host.modern("completion/complete", params);
  return error?.message ?? result.completion.values;
}

describe("completion", () => {
  test.each([
    ["claude", "Read", "file_path", "a", ["a.txt"]],
    ["claude", "Grep", "output_mode", "c", ["content", "count"]],
    ["gemini", "list_directory", "dir_path", "s", ["sub/"]],
    ["claude", "Read", "path", "a", 'the tool Read has no parameter "path"'],
    ["claude", "delete", "path", "a", ["a.txt"]],
    ["claude", "Reed", "path", "a", 'there is no tool "Reed": did you mean Read?'],
  ])("completion is given in %s of %s %s", async (dialect, tool, name, value, wanted) => {
    await using host = open(dialect);
    const got = (await complete(host, tool, name, value)) as unknown;
    if (Array.isArray(wanted)) expect((got as string[]).toSorted()).toEqual(wanted);
    else expect(got).toContain(wanted);
  });
});

test("a call is explained with what is known of it, in its names and in ours", async () => {
  await using host = open("claude");
  for (const [name, args] of [
    ["Edit", { file_path: "a.txt" }],
    ["edit_file", { path: "a.txt" }],
  ] as const) {
    const { result } = await host.request("ringfence/policy/explain", { name, arguments: args });
    expect(result).toMatchObject({ tool: "edit_file", decision: { type: "ask" }, paths: ["a.txt"] });
  }
  const wrong = { name: "Edit", arguments: { file_pth: "a.txt" } };
  const { error } = await host.request("ringfence/policy/explain", wrong);
  expect(error.data.hint).toContain("Did you mean file_path?");
});

test("templates and prompts use its names", async () => {
  await using claude = open("claude");
  const { result } = await claude.request("resources/templates/list");
  expect(result.resourceTemplates[0].description).toContain("as Read reads it");
  await claude.call("Write", { file_path: "new.txt", content: "new" });
  const waiting = await claude.request("prompts/get", { name: "review_changes" });
  expect(waiting.result.messages[0].content.text).toContain("(Write)");
});

test("a tool of the client is not called by a name that a dialect has", async () => {
  await using host = openTestHost({ config: { dialect: "flynn" } });
  await shakeHands(host, { tools: [{ name: "system.info", inputSchema: { type: "object" } }, ...TOOLS] });
  const { result } = await host.request("ringfence/bridge/tools");
  expect(result.tools).toMatchObject([
    { name: "client_system_info", aliases: [], offered: "system.info" },
    { aliases: ["space.snapshot"] },
    {},
  ]);
});

test("a list of resources is not to be kept, for outputs come and go; templates may be", async () => {
  await using host = open("claude");
  expect((await host.modern("resources/list")).result.ttlMs).toBe(0);
  expect((await host.modern("resources/templates/list")).result.ttlMs).toBeGreaterThan(0);
});
