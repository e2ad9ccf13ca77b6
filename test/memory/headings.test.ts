/**
 * The headings of notes: what a section is called, and that no line of a note costs more time than others of its length.
 */
import { expect, test } from "bun:test";
import { layNotes, openMemoryHost } from "./memory-host.ts";

test.each([
  ["blanks inside of a heading", `# x${" ".repeat(900_000)}x`],
  ["a long heading above many entries", `# ${"heading ".repeat(60_000)}\n${"\nwords of an entry\n".repeat(20_000)}`],
])(
  "a note with %s is read, searched and written in the time of any other",
  async (_, content) => {
    await using own = await openMemoryHost({ config: { budgets: { call: { wall_ms: 4000 } } } });
    await own.call("memory_write", { namespace: "n", content });
    for (const [tool, args] of [
      ["memory_read", { namespace: "n", limit: 1 }],
      ["memory_read", { namespace: "n", section: "y" }],
      ["memory_search", { query: "x words" }],
      ["memory_write", { namespace: "n", content: `${content}\n`, mode: "replace" }],
    ] as const) {
      const { failure } = await own.call(tool, args);
      expect([tool, failure?.code]).toEqual([tool, "section" in args ? "not_found" : undefined]);
    }
  },
  60_000,
);

test("a heading ends before the signs that close it", async () => {
  await using host = await openMemoryHost();
  const content = `## Two words ##  \nfirst\n\n# Long\nsecond\n\n# C#\nfourth`;
  await host.call("memory_write", { namespace: "read/closed", content });
  for (const [section, text] of [
    ["two words", "first"],
    ["C#", "fourth"],
  ] as const)
    expect((await host.call("memory_read", { namespace: "read/closed", section })).text).toContain(text);
});

const FENCED = [
  "# Install",
  "Run it as it stands here.",
  "~~~~sh",
  "# a comment of the shell",
  "",
  "# and another one",
  "```js",
  "~~~",
  "# still code",
  "~~~~ ",
  "## Turnip",
  "Below the code.",
  "```inline``` is no fence",
  "## Radish",
  "At the end.",
].join("\n");

test("a comment in fenced code is no heading, neither for the sections of a note nor for the search", async () => {
  await using host = await openMemoryHost();
  layNotes(host, { guide: FENCED });
  const { result } = await host.call("memory_read", { namespace: "guide" });
  expect(JSON.stringify(result)).toContain("Radish");
  const section = await host.call("memory_read", { namespace: "guide", section: "Install" });
  expect(section.text).toContain("still code");
  expect((await host.call("memory_read", { namespace: "guide", section: "still code" })).failure?.code).toBe(
    "not_found",
  );
  // A piece begins where a section does, and says what is in it.
  const places = async (query: string): Promise<readonly string[]> =>
    [...(await host.call("memory_search", { query })).text.matchAll(/^guide:(\d+)/gm)]
      .map(([, line = ""]) => line)
      .sort();
  expect(await places("still")).toEqual(["1"]);
  expect(await places("turnip")).toEqual(["11"]);
  expect(await places("radish")).toEqual(["14"]);
  expect(await places("install")).toEqual(["1", "11", "14"]);
});

test("a fence with a language behind it closes no code", async () => {
  await using host = await openMemoryHost();
  layNotes(host, { guide: "# One\n```\n```js\n# no heading\n```\n# Two\nlast\n" });
  expect((await host.call("memory_read", { namespace: "guide", section: "no heading" })).failure?.code).toBe(
    "not_found",
  );
  expect((await host.call("memory_read", { namespace: "guide", section: "Two" })).text).toContain("last");
});
