/**
 * What one call and one session may cost, as a client meets it: what is left stands in each answer, and what is spent
 * says so.
 */
import { describe, expect, test } from "bun:test";
import { openTestHost } from "./in-memory-host.ts";

const FILES = { "a.txt": "a\n", "src/b.txt": "needle b\n", "private/c.txt": "c\n", "ok/d.txt": "d\n" };

describe("budgets", () => {
  test("of one call and of the session, with what is left in each answer", async () => {
    const budgets = { call: { bytes_out: 300 }, session: { calls: 4, bytes_out: 10_000 } };
    await using host = openTestHost({
      files: { "a.txt": "a\n", "big.txt": "x\n".repeat(500) },
      config: { budgets },
    });
    const first = await host.call("read_file", { path: "a.txt" });
    expect(first.result._meta["dev.ringfence/budget"]).toMatchObject({ calls: 3 });
    const big = await host.call("read_file", { path: "big.txt" });
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
    const tooMuch = await host.call("glob", { pattern: "**/*.txt" });
    expect(tooMuch.failure).toMatchObject({ code: "over_budget", details: { budget: "matches" } });
    const spent = await host.call("glob", { pattern: "nothing" });
    expect(spent.failure?.message).toContain("matches of this session are spent");
  });
});
