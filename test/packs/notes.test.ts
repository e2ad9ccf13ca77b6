/**
 * Where the note of an answer stands: before what it is about. Clients show a model the beginning of a long answer and cut
 * its middle or its end, and the hash, what was left out and the call that goes on must be in what is left.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { defineLocalTool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";

/** What the most frugal of them shows of an answer that it finds too long. */
const PREVIEW_CHARS = 1024;

const say = defineLocalTool({
  name: "say",
  description: "Says something long.",
  input: z.strictObject({}),
  execute: () => "a line of it\n".repeat(100_000),
});
const lines = Array.from({ length: 5000 }, (_, index) => `needle ${index + 1}\n`).join("");
const many = Object.fromEntries(
  Array.from({ length: 1200 }, (_, index) => [`many/file-with-a-long-name-${index}.txt`, ""]),
);

let host: TestHost;
beforeAll(() => {
  const files = { "a.txt": "one\n", "long.txt": lines, "long2.txt": lines, ...many };
  host = openTestHost({ files, tools: [...builtinTools, say] });
});
afterAll(async () => await host[Symbol.asyncDispose]());

const CUT: readonly (readonly [tool: string, args: object, next: RegExp])[] = [
  ["read_file", { path: "long.txt" }, /To go on: read_file \{"path":"long\.txt","offset":\d+\}/],
  ["read_file", { path: "long.txt", encoding: "base64", limit: 3000 }, /To go on: read_file \{/],
  ["read_files", { files: ["long.txt", "long2.txt"] }, /To go on: read_files \{"files":\[/],
  ["list_directory", { path: "many" }, /To go on: list_directory \{/],
  ["glob", { pattern: "many/*" }, /To go on: glob \{/],
  ["grep", { pattern: "needle" }, /To go on: grep \{/],
  ["tree", { path: "." }, /To go on: tree \{/],
  ["say", {}, /ringfence:\/\/spill\//],
];

describe("the note of an answer that was cut", () => {
  test.each(CUT)(
    "the note of an answer that was cut stands first in %s %j, so that a client that shows only the beginning shows how to go on",
    async (tool, args, next) => {
      const { all, text } = await host.call(tool, args);
      expect(text.length).toBeGreaterThan(PREVIEW_CHARS);
      expect(all.slice(0, PREVIEW_CHARS)).toMatch(next);
    },
  );
});

test("the last text block of an answer is the exact text, also where it is empty or stands beside an image", async () => {
  const whole: Json = (await host.call("read_file", { path: "a.txt" })).result.content;
  expect(whole.map(({ text }: Json) => text)).toEqual([expect.stringMatching(/^\[a\.txt: .*hash \w{64}\]$/), "one\n"]);
  const many0: Json = (await host.call("read_file", { path: "many/file-with-a-long-name-0.txt" })).result.content;
  expect(many0.map(({ text }: Json) => text)).toEqual([expect.stringContaining("the file is empty"), ""]);
});

test("read_files gives the hash of each file before its text", async () => {
  const { text } = await host.call("read_files", { files: ["a.txt", "many/file-with-a-long-name-0.txt"] });
  expect(text).toMatch(/^==> a\.txt <==\n\[a\.txt: lines 1-1 of 1, utf-8\. hash \w{64}\]\none\n==> many/);
});
