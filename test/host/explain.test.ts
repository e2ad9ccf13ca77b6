/**
 * Why a call is decided as it is, by the method: the decision, the rule with its place, what would change it. Nothing
 * runs, and nothing is told of what exists outside.
 */
import { describe, expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost } from "./in-memory-host.ts";

const FILES = { "a.txt": "a\n", "gen/b.txt": "b\n" };

async function explain(host: ReturnType<typeof openTestHost>, name: string, args: object) {
  return (await host.request("ringfence/policy/explain", { name, arguments: args })).result;
}

function withoutName(value: object): string {
  return JSON.stringify(value).replaceAll(/(?:there|not)\.txt/g, "x");
}

describe("explain", () => {
  const rules = [{ deny: "write_file(gen/**)", reason: "made by a tool", source: "c.json:7" }];
  test("says the decision, the rule with its place, and what would change it; nothing runs", async () => {
    await using host = openTestHost({ files: FILES, config: { rules } });
    expect(await explain(host, "write_file", { path: "gen/a.ts", content: "x" })).toMatchObject({
      decision: { type: "deny", reason: "made by a tool", source: "c.json:7", rule: "write_file(gen/**)" },
      change: expect.stringContaining("c.json:7"),
    });
    expect(await explain(host, "write_file", { path: "b.ts", content: "x" })).toMatchObject({
      decision: { type: "ask", suggested_rule: "write_file(b.ts)" },
      change: expect.stringContaining("ringfence grants add 'write_file(b.ts)'"),
    });
    expect((await host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
  });

  test("looks where a link leads, and at what no rule can lift", async () => {
    await using host = openTestHost({ files: FILES, config: { rules, mode: "bypass" } });
    symlinkSync("gen", join(host.root, "door"));
    for (const path of ["door/new.txt", "door/b.txt", ".env", ".ringfence.json"])
      expect([path, (await explain(host, "write_file", { path, content: "x" })).decision.type]).toEqual([
        path,
        "deny",
      ]);
    expect((await explain(host, "write_file", { path: "new.txt", content: "x" })).decision.type).toBe(
      "allow",
    );
    expect(host.audit()).not.toContain('"event":"started"');
  });

  test("tells nothing of what exists outside", async () => {
    await using host = openTestHost({ files: FILES });
    writeFileSync(join(host.outside, "there.txt"), "x");
    const [there, not] = await Promise.all(
      ["there.txt", "not.txt"].map(
        async (name) => await explain(host, "read_file", { path: join(host.outside, name) }),
      ),
    );
    expect(withoutName(there)).toBe(withoutName(not));
    expect(there.decision).toMatchObject({ type: "deny", rule: "outside_scope" });
  });
});
