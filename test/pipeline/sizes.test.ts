/**
 * How large an answer may be: a megabyte of text, with the rest spilled, linked and readable part by part; never a line
 * over 8 MB; and what does not fit at all is a failure that says so.
 */
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { defineLocalTool } from "../../src/contract/index.ts";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";

const MB = 1024 * 1024;
const say = defineLocalTool({
  name: "say",
  description: "Says something long.",
  input: z.strictObject({ words: z.string().describe("What"), times: z.number().describe("How often") }),
  execute: ({ words, times }) => words.repeat(times),
});
const give = defineLocalTool({
  name: "give",
  description: "Gives a large object.",
  input: z.strictObject({ bytes: z.number().describe("How many") }),
  execute: ({ bytes }) => ({ value: "\u0001".repeat(bytes) }),
});
const open = (results = "text"): TestHost => openTestHost({ tools: [say, give], config: { results } });

async function readWhole(host: TestHost, uri: string): Promise<{ text: string; parts: number }> {
  let [text, parts, at]: [string, number, string | undefined] = ["", 0, uri];
  while (at !== undefined) {
    const { result } = await host.modern("resources/read", { uri: at });
    const [part] = result.contents;
    expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(MB);
    text += part.text;
    parts++;
    at = part._meta?.["dev.ringfence/next"];
  }
  return { text, parts };
}

test("a path that is longer than any is refused as that, whatever rule would settle it", async () => {
  await using host = openTestHost();
  const { failure } = await host.call("write_file", { path: "x".repeat(70_000), content: "" });
  expect(failure).toMatchObject({ code: "invalid_input", message: expect.stringContaining("longer than") });
});

describe("text", () => {
  test("a text of a megabyte is sent as it is", async () => {
    await using host = open();
    const { result } = await host.call("say", { words: "a", times: MB });
    expect(result.content).toHaveLength(1);
    expect(result.content.at(-1).text).toHaveLength(MB);
  });

  test.each([{ limit: 1_000_000 }, { limit: MB, encoding: "base64" }])(
    "a page of the largest size goes on by its own note, and nothing of it is cut: %j",
    async (asked) => {
      await using host = openTestHost({ files: { "a.txt": `${"x".repeat(99)}\n`.repeat(20_000) } });
      const { result } = await host.call("read_file", { path: "a.txt", ...asked });
      expect(result.content).toHaveLength(2);
      expect(result.content[0].text).toContain("To go on: read_file");
      expect(Buffer.byteLength(result.content[1].text)).toBeGreaterThan(MB - 1000);
    },
  );

  test.each(["ab\n", "é", "\u0001", "\u{1f600}x"])(
    "a text of more than a megabyte is cut, spilled and linked: %j",
    async (words) => {
      await using host = open();
      const times = Math.ceil((2.5 * MB) / Buffer.byteLength(words));
      const { result } = await host.call("say", { words, times });
      const [note, kept, link]: Json[] = result.content;
      expect(Buffer.byteLength(kept.text)).toBeLessThanOrEqual(MB);
      expect(Buffer.byteLength(kept.text)).toBeGreaterThan(MB - 20_000);
      expect(words.repeat(times).startsWith(kept.text)).toBe(true);
      expect(note.text).toContain(link.uri);
      expect(link).toMatchObject({ type: "resource_link", size: times * Buffer.byteLength(words) });
      const { text, parts } = await readWhole(host, link.uri);
      expect(text === words.repeat(times)).toBe(true);
      expect(parts).toBe(3);
    },
  );
});

test("a result that fits into no line is a failure with a link", async () => {
  await using host = open("structured");
  const { failure, result } = await host.call("give", { bytes: 1.5 * MB });
  expect(failure?.code).toBe("too_large");
  const link = result.content.find(({ type }: Json) => type === "resource_link");
  expect((await readWhole(host, link.uri)).text).toContain("structuredContent");
});

test("no line is over 8 MB, whatever is asked for", async () => {
  await using host = open();
  for (const bytes of [MB, 2 * MB, 3 * MB, 8 * MB]) await host.call("give", { bytes });
  for (const message of host.messages) expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(8 * MB);
});

describe("resources", () => {
  test("resources of this process are listed, the newest first, and their addresses are described", async () => {
    await using host = open();
    expect((await host.request("resources/list")).result).toEqual({ resources: [] });
    await host.request("initialize", { protocolVersion: "2025-11-25" });
    await host.call("say", { words: "a", times: 2 * MB });
    const changed = host.messages.filter(({ method }) => method === "notifications/resources/list_changed");
    expect(changed).toHaveLength(1);
    const last = await host.call("say", { words: "b", times: 3 * MB });
    const { result: list } = await host.request("resources/list");
    expect(list.resources.map(({ size }: Json) => size)).toEqual([3 * MB, 2 * MB]);
    expect(list.resources[0].uri).toBe(last.result.content[2].uri);
    const { result } = await host.modern("resources/templates/list");
    expect(result.resourceTemplates).toMatchObject([{ uriTemplate: "ringfence://spill/{id}{?offset}" }]);
    expect(result).toMatchObject({ ttlMs: expect.any(Number), cacheScope: "private" });
  });

  test.each([
    undefined,
    5,
    "",
    "file:///etc/passwd",
    "ringfence://spill/",
    "ringfence://spill/spill_0000000000000000000000",
    "ringfence://spill/../audit/audit.jsonl",
    "ringfence://spill/..",
    "ringfence://spill/spill_x?offset=-1",
  ])("a resource that is not there is not found: %j", async (uri) => {
    await using host = open();
    expect((await host.request("resources/read", { uri })).error.code).toBe(-32602);
  });

  test("beyond the end are empty", async () => {
    await using host = open();
    const { result } = await host.call("say", { words: "a", times: 2 * MB });
    const { uri } = result.content[2];
    const { result: part } = await host.request("resources/read", { uri: `${uri}?offset=99999999` });
    expect(part.contents[0]).toEqual({ uri: `${uri}?offset=99999999`, mimeType: "text/plain", text: "" });
  });
});
