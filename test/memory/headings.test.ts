/**
 * The headings of notes: what a section is called, and that no line of a note costs more time than others of its length.
 */
import { expect, test } from "bun:test";
import { openMemoryHost } from "./memory-host.ts";

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
