/**
 * What one call and one session may cost, as a client meets it: what is left stands in each answer, and what is spent
 * says so.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { readResult } from "../../src/calls/call-result.ts";
import { defineLocalTool, defineRemoteTool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openAsker } from "../host/asker.ts";
import { labelOf, openTestHost, type CallAnswer, type TestHost } from "../host/in-memory-host.ts";

const FILES = { "a.txt": "a\n", "src/b.txt": "needle b\n", "private/c.txt": "c\n", "ok/d.txt": "d\n" };

describe("budgets", () => {
  test("each answer says what is left of the budgets of one call and of the session", async () => {
    const budgets = { call: { bytes_out: 300 }, session: { calls: 4, bytes_out: 10_000 } };
    await using host = openTestHost({
      files: { "a.txt": "a\n", "big.txt": "x\n".repeat(500) },
      config: { budgets },
    });
    const first = await host.call("read_file", { path: "a.txt" });
    expect(first.result._meta["dev.ringfence/budget"]).toMatchObject({ calls: 3 });
    const big = await host.call("system_info");
    expect(big.failure).toMatchObject({ code: "over_budget", details: { budget: "bytes_out" } });
    expect(big.result._meta["dev.ringfence/budget"].calls).toBe(2);
    await host.call("stat", { path: "a.txt" });
    await host.call("stat", { path: "a.txt" });
    const spent = await host.call("stat", { path: "a.txt" });
    expect(spent.failure).toMatchObject({
      code: "over_budget",
      message: expect.stringContaining("calls of this session"),
    });
  });

  test("matches are lines, paths and counts alike", async () => {
    const budgets = { call: { matches: 3 }, session: { matches: 6 } };
    await using host = openTestHost({ files: FILES, config: { budgets } });
    const needle = { pattern: "needle" };
    const left = async (tool: string, args: object): Promise<number> =>
      (await host.call(tool, args)).result._meta["dev.ringfence/budget"].matches;
    expect(await left("grep", { ...needle, path: "src" })).toBe(5);
    expect(await left("grep", { ...needle, path: "src", output: "files" })).toBe(4);
    expect(await left("grep", { ...needle, path: "src", output: "count" })).toBe(3);
    expect(await left("glob", { pattern: "src/*" })).toBe(2);
    expect(await left("glob", { pattern: "ok/*" })).toBe(1);
    expect(await left("glob", { pattern: "private/*" })).toBe(0);
    const spent = await host.call("glob", { pattern: "nothing" });
    expect(spent.failure?.message).toContain("matches of this session are spent");
  });
});

const LINES = Array.from({ length: 900 }, (_, at) => `needle "${at}" \u0001\u00e9\n`);
const PAGED = {
  "long.txt": LINES.join(""),
  "other.txt": LINES.join("").replaceAll("needle", "thread"),
  ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`many/file ${at}.txt`, ""])),
};

/** All pages of a call, as the notes lead to them. */
async function pagesOf(host: TestHost, tool: string, args: object): Promise<CallAnswer[]> {
  const pages: CallAnswer[] = [];
  for (let next: [tool: string, args: object] | undefined = [tool, args]; next;) {
    const page: CallAnswer = await host.call(...next);
    expect(page.failure).toBeUndefined();
    pages.push(page);
    const [, name, json] = /To go on: (\w+) (\{.*\})\]$/m.exec(page.result.content[0].text) ?? [];
    next = name === undefined || json === undefined ? undefined : [name, JSON.parse(json) as object];
  }
  return pages;
}

/** As the budget counts them: the result without what is about it. */
function bytesOf({ result: { _meta, ...members } }: CallAnswer): number {
  return Buffer.byteLength(JSON.stringify(members));
}

function linesIn({ text }: CallAnswer): number {
  return text.split("\n").length;
}

describe("an answer that pages is cut to the budget of a call", () => {
  test.each([
    ["text", "read_file", { path: "long.txt" }],
    ["text", "read_file", { path: "long.txt", limit: 5000 }],
    ["text", "read_file", { path: "long.txt", encoding: "base64" }],
    ["text", "read_files", { files: ["long.txt", "other.txt"] }],
    ["text", "list_directory", { path: "many", limit: 1000 }],
    ["text", "glob", { pattern: "many/*", limit: 1000 }],
    ["text", "grep", { pattern: "needle", path: "long.txt" }],
    ["text", "diff_files", { a: "long.txt", b: "other.txt" }],
    ["structured", "read_file", { path: "long.txt" }],
    ["structured", "grep", { pattern: "needle", path: "long.txt" }],
    ["structured", "list_directory", { path: "many" }],
  ])("an answer that pages is cut to the budget of a call: %s of %s %j", async (results, tool, args) => {
    const bytes = 6000;
    const config = { results, budgets: { call: { bytes_out: bytes } } };
    await using host = openTestHost({ files: PAGED, config });
    const pages = await pagesOf(host, tool, args);
    expect(pages.length).toBeGreaterThan(1);
    expect(Math.max(...pages.map(bytesOf))).toBeLessThanOrEqual(bytes);
    // It is used, too: a page is no smaller than it must be.
    expect(Math.max(...pages.map(bytesOf))).toBeGreaterThan(bytes / 2);
    await using free = openTestHost({ files: PAGED, config: { results } });
    const [one] = await pagesOf(free, tool, { ...args, limit: undefined });
    if (tool === "read_file" && !("encoding" in args))
      expect(pages.map(({ text }) => text).join("")).toStartWith(one?.text ?? "nothing");
  });

  test("an answer is cut to a budget of a few hundred bytes, where a line fits", async () => {
    await using host = openTestHost({ files: PAGED, config: { budgets: { call: { bytes_out: 320 } } } });
    const [first, second] = (await pagesOf(host, "read_file", { path: "long.txt" })).slice(0, 2);
    expect(first?.text).toStartWith('needle "0"');
    expect(bytesOf(first as CallAnswer)).toBeLessThanOrEqual(320);
    expect(PAGED["long.txt"]).toStartWith(`${first?.text}${second?.text}`);
  });

  test("an answer of matches is cut to the budget of a call: lines, paths and counts", async () => {
    await using host = openTestHost({ files: PAGED, config: { budgets: { call: { matches: 7 } } } });
    const grep = await host.call("grep", { pattern: "needle", path: "long.txt", limit: 100 });
    expect([linesIn(grep), grep.all.includes("To go on: grep {")]).toEqual([7, true]);
    expect(linesIn(await host.call("grep", { pattern: "", path: "many", output: "files" }))).toBe(1);
    const glob = await pagesOf(host, "glob", { pattern: "many/*" });
    expect(glob.slice(0, -1).every((page) => linesIn(page) === 7)).toBe(true);
    expect(glob.flatMap(({ text }) => text.split("\n"))).toHaveLength(300);
  });

  test("a resource is cut to the budget of a call, in smaller parts", async () => {
    await using host = openTestHost({ files: PAGED, config: { budgets: { call: { bytes_out: 5000 } } } });
    let text = "";
    for (let uri: string | undefined = "ringfence://root/0/long.txt"; uri !== undefined;) {
      const { result, error } = await host.request("resources/read", { uri });
      expect(error).toBeUndefined();
      text += result.contents[0].text;
      uri = result.contents[0]._meta?.["dev.ringfence/next"];
    }
    expect(text).toBe(PAGED["long.txt"]);
  });
});

describe("of an answer that does not page", () => {
  const say = defineLocalTool({
    name: "say",
    description: "Says something long.",
    input: z.strictObject({}),
    execute: () => LINES.join(""),
  });

  test("the text is cut, kept and read on", async () => {
    const config = { budgets: { call: { bytes_out: 5000 } } };
    await using host = openTestHost({ tools: [...builtinTools, say], config });
    const pages = await pagesOf(host, "say", {});
    // The note names the resource behind the call.
    const [, args = ""] = /To go on: read_file (\{.*?\}), or resources\/read/.exec(pages[0]?.all ?? "") ?? [];
    const rest = await pagesOf(host, "read_file", JSON.parse(args) as object);
    expect([...pages, ...rest].map(({ text }) => text).join("")).toBe(LINES.join(""));
    expect(Math.max(...[...pages, ...rest].map(bytesOf))).toBeLessThanOrEqual(5000);
  });

  test("a change that was made says so, whatever there is room for", async () => {
    const config = { mode: "bypass", budgets: { call: { bytes_out: 1500 } } };
    await using host = openTestHost({ files: PAGED, config });
    const args = { path: "long.txt", content: "short\n" };
    const { failure, text } = await host.call("write_file", args);
    expect([failure, text]).toEqual([undefined, expect.stringMatching(/^Applied: /)]);
    expect(host.read("long.txt")).toBe("short\n");
  });

  const small: [results: string, bytes: number, lines: number][] = [
    ["text", 300, 9999],
    ["structured", 300, 9999],
    ["text", 1, 9999],
    ["structured", 1, 9999],
    ["text", 1_000_000, 2],
    ["structured", 1_000_000, 2],
  ];
  test.each(small)(
    "a change and a proposal are answered in short with their ids: %s of %d bytes and %d lines",
    async (results, bytes_out, lines) => {
      const budgets = { call: { bytes_out, lines } };
      const args = { path: "long.txt", old_text: "needle", new_text: "thread", replace_all: true };
      await using host = openTestHost({ files: PAGED, config: { results, budgets } });
      const proposed = await host.call("edit_file", args);
      expect(proposed.failure).toBeUndefined();
      expect(proposed.text).toMatch(/^Proposed: Edit long\.txt[^\n]*\n/);
      expect(proposed.text).toContain(`ringfence proposals show ${proposed.proposal?.id} `);
      expect(proposed.text).toEndWith(`\nProposal ${labelOf(proposed)}`);
      expect(host.read("long.txt")).toBe(PAGED["long.txt"]);
      await host.apply(proposed);
      expect(host.read("long.txt")).toBe(LINES.join("").replaceAll("needle", "thread"));

      const config = { results, budgets, mode: "bypass" };
      await using bold = openTestHost({ files: PAGED, config });
      const applied = await bold.call("edit_file", args);
      expect(applied.failure).toBeUndefined();
      const [, transaction] = /\nTransaction (t_\S+)$/.exec(applied.text) ?? [];
      expect(applied.text).toStartWith("Applied: Edit long.txt");
      expect(applied.text).toContain(`ringfence undo ${transaction} `);
      expect(Buffer.byteLength(JSON.stringify(applied.result.content))).toBeLessThan(1200);
      if (results === "structured")
        expect(applied.result.structuredContent).toEqual({
          status: "applied",
          transaction,
          files: [],
          truncated: true,
        });
      expect(applied.result._meta["dev.ringfence/observation"]).toMatchObject({ status: "ok", truncated: true });
      const undone = await bold.request("ringfence/history/undo", { transaction });
      expect(undone.result.canUndo).toBe(true);
    },
  );

  test.each(["filesystem", "clarvis"])(
    "a change says in short that it was made, in the dialect %s",
    async (dialect) => {
      const budgets = { call: { bytes_out: 300 } };
      await using host = openTestHost({ files: PAGED, config: { dialect, budgets, mode: "bypass" } });
      const path = join(host.root, "long.txt");
      const [name, args] =
        dialect === "clarvis"
          ? ["replace", { path: "long.txt", pattern: "needle", replacement: "thread", dry_run: false }]
          : ["edit_file", { path, edits: [{ oldText: LINES.join(""), newText: "short\n" }] }];
      const { failure, text, result } = await host.call(name, args);
      expect([failure, result.isError]).toEqual([undefined, undefined]);
      expect(text).toMatch(/^Applied: [\s\S]*\nTransaction t_\S+$/);
      expect(host.read("long.txt")).not.toBe(PAGED["long.txt"]);
    },
  );

  test("a change whose whole answer fits in a link has the whole behind it", async () => {
    const config = { mode: "bypass", budgets: { call: { bytes_out: 1500 } } };
    await using host = openTestHost({ files: PAGED, config });
    const args = { path: "long.txt", old_text: "needle", new_text: "thread", replace_all: true };
    const { ref } = (await host.call("edit_file", args)).result._meta["dev.ringfence/observation"];
    const { result } = await host.request("resources/read", { uri: ref });
    expect(result.contents[0].text).toStartWith("Applied: Edit long.txt");
  });

  test("an approved call is answered in short where its data does not fit", async () => {
    const put = defineLocalTool({
      name: "put",
      description: "Puts something.",
      mutates: true,
      input: z.strictObject({}),
      plan: () => ({ summary: "Put it", paths: [] }),
      execute: () => ({ lines: LINES }),
    });
    const config = { results: "structured", budgets: { call: { bytes_out: 300 } } };
    await using asker = await openAsker("2026-07-28", { tools: [put], config });
    const { answer } = await asker.ask({ name: "put", arguments: {} });
    const { failure, text } = readResult(await answer({ action: "accept", content: { decision: "apply" } }));
    expect([failure, text]).toEqual([undefined, expect.stringMatching(/^Applied\./)]);
  });

  test("an answer of what acts that does not fit says that it was done, and not to ask for less", async () => {
    const poke = defineRemoteTool({
      name: "mcp_far_poke",
      owner: 'the MCP server "far"',
      tool: "poke",
      inputSchema: { type: "object" },
      effect: "change",
      execute: () => Promise.resolve({ content: [], structuredContent: { lines: LINES } }),
    });
    const config = { results: "structured", mode: "bypass", budgets: { call: { bytes_out: 5000 } } };
    await using host = openTestHost({ tools: [poke], config });
    const { failure } = await host.call("mcp_far_poke", {});
    expect(failure).toMatchObject({ code: "over_budget", retry: "never" });
    expect(failure?.hint).toStartWith("The call was made, and only its answer is left out");
  });

  test("data that is no text is refused, as what is cut of it would be no data", async () => {
    const config = { results: "structured", budgets: { call: { bytes_out: 5000 } } };
    await using host = openTestHost({ tools: [say], config });
    expect((await host.call("say", {})).failure).toMatchObject({ code: "over_budget" });
  });
});
