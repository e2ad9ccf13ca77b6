/**
 * Budgets in lines, beside those in bytes: an answer with pages is made smaller and names the call that goes on, any other
 * text is kept whole beside what is shown, and a session can spend its lines.
 */
import { expect, test } from "bun:test";
import { z } from "zod";
import { defineLocalTool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openTestHost, type CallAnswer, type TestHost } from "../host/in-memory-host.ts";

const LINES = Array.from({ length: 300 }, (_, at) => `line ${at + 1} needle`);
const FILES = {
  "long.txt": `${LINES.join("\n")}\n`,
  ...Object.fromEntries(LINES.map((_, at) => [`d/f${String(at).padStart(3, "0")}`, "x\n"])),
};
const say = defineLocalTool({
  name: "say",
  description: "Says many lines.",
  input: z.strictObject({ lines: z.number().describe("How many") }),
  execute: ({ lines }) => "word\n".repeat(lines),
});

const open = (budgets: object, more: object = {}): TestHost =>
  openTestHost({ files: FILES, tools: [...builtinTools, say], config: { budgets, ...more } });
const linesOf = ({ text }: CallAnswer): number => text.trimEnd().split("\n").length;

test("a file is read in pages of the lines that one answer may have", async () => {
  await using host = open({ call: { lines: 120 } });
  let [offset, all, pages]: [number | undefined, string, number] = [1, "", 0];
  while (offset !== undefined && pages < 9) {
    const answer: CallAnswer = await host.call("read_file", { path: "long.txt", offset, limit: 1000 });
    expect(linesOf(answer)).toBeLessThanOrEqual(120);
    all += answer.text;
    pages++;
    offset =
      /"offset":(\d+)/.exec(answer.all)?.[1] === undefined ? undefined : Number(/"offset":(\d+)/.exec(answer.all)![1]);
  }
  expect([pages, all]).toEqual([3, FILES["long.txt"]]);
});

const paged: [tool: string, args: object][] = [
  ["grep", { pattern: "needle", path: "long.txt" }],
  ["grep", { pattern: "needle", path: "long.txt", context: 2 }],
  ["glob", { pattern: "d/*", limit: 300 }],
  ["list_directory", { path: "d", limit: 300 }],
  ["tree", { path: "d", limit: 300 }],
];
test.each(paged)("%s %j gives at most the lines of one answer, and the call that goes on", async (tool, args) => {
  await using host = open({ call: { lines: 40 } });
  const answer = await host.call(tool, args);
  expect(answer.failure).toBeUndefined();
  expect(linesOf(answer)).toBeLessThanOrEqual(40);
  expect(linesOf(answer)).toBeGreaterThan(20);
  expect(answer.all).toContain(`To go on: ${tool}`);
});

test("any other text of too many lines is cut at a line and kept whole", async () => {
  await using host = open({ call: { lines: 50 } });
  const answer = await host.call("say", { lines: 90 });
  const { truncated, ref } = answer.result._meta["dev.ringfence/observation"];
  const texts = answer.result.content.filter((one: { type: string }) => one.type === "text");
  expect(texts.at(-1).text).toBe("word\n".repeat(50));
  expect(truncated).toBe(true);
  let [whole, at]: [string, string | undefined] = ["", ref];
  while (at !== undefined) {
    const [part] = (await host.modern("resources/read", { uri: at })).result.contents;
    expect(part.text.split("\n").length).toBeLessThanOrEqual(51);
    whole += part.text;
    at = part._meta?.["dev.ringfence/next"];
  }
  expect(whole).toBe("word\n".repeat(90));
  expect((await host.call("say", { lines: 50 })).text).toBe("word\n".repeat(50));
});

test("a session can spend its lines, and each answer says what is left of them", async () => {
  await using host = open({ session: { lines: 60 } });
  const first = await host.call("say", { lines: 40 });
  expect(first.result._meta["dev.ringfence/budget"]).toEqual({ lines: 20 });
  const second = await host.call("say", { lines: 30 });
  expect(second.result._meta["dev.ringfence/budget"]).toEqual({ lines: 0 });
  expect((await host.call("say", { lines: 1 })).failure).toMatchObject({
    code: "over_budget",
    message: "Cannot make the call: the lines of answers of this session are spent",
  });
});

test.each([
  ["lines", "read_file", { path: "long.txt", limit: 40 }],
  ["bytes_out", "read_file", { path: "long.txt", limit: 40 }],
  ["matches", "grep", { pattern: "needle", path: "long.txt", limit: 40 }],
] as const)("calls that run at the same time cannot spend the %s of a session many times", async (kind, tool, args) => {
  await using host = open({ session: { [kind]: 30 } });
  const answers = await Promise.all(Array.from({ length: 6 }, async () => await host.call(tool, args)));
  expect(answers.filter(({ failure }) => failure === undefined)).toHaveLength(1);
  expect(answers.filter(({ failure }) => failure?.code === "over_budget")).toHaveLength(5);
  const made = await Promise.all(["a", "b"].map(async (path) => await host.call("write_file", { path, content: "x" })));
  expect(made.map(({ failure }) => failure?.code)).toEqual(["over_budget", "over_budget"]);
});

test("structured data of too many lines that cannot be cut is refused", async () => {
  await using host = open({ call: { lines: 10 } }, { results: "structured" });
  expect((await host.call("say", { lines: 30 })).failure).toMatchObject({ details: { budget: "lines" } });
  expect(linesOf(await host.call("read_file", { path: "long.txt" }))).toBe(10);
});
