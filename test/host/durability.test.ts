/**
 * `--durability=fast` promises less, so everything that would be taken for the full promise says so.
 */
import { expect, test } from "bun:test";
import { createInstructions } from "../../src/host/about.ts";
import { openTestHost } from "./in-memory-host.ts";

test.each([
  ["fast", true],
  ["full", false],
] as const)(
  "%s: an applied change, its proposal's and the host say whether it is flushed",
  async (durability, isSaid) => {
    await using host = openTestHost({ config: { mode: "bypass", durability, results: "structured" } });
    const applied = await host.call("write_file", { path: "a.txt", content: "a" });
    expect(applied.all.includes("not flushed")).toBe(isSaid);
    expect(applied.result.structuredContent.durability).toBe(isSaid ? "fast" : undefined);
    const proposed = await host.call(
      "write_file",
      { path: "b.txt", content: "b" },
      { "dev.ringfence/mode": "default" },
    );
    expect((await host.apply(proposed)).result.durability).toBe(isSaid ? "fast" : undefined);
    const info = await host.call("system_info");
    expect(info.text).toContain(`durability: ${durability}`);
    expect(info.text.includes("crash of the machine")).toBe(isSaid);
    const text = createInstructions({ roots: [], mode: "bypass", fence: "none", durability, verbs: [] });
    expect(text.includes("not flushed")).toBe(isSaid);
  },
);
