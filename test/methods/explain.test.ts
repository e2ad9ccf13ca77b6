/**
 * Why a call is decided as it is, by the method: the decision, the rule with its place, what would change it. Nothing
 * runs, and nothing is told of what exists outside.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost } from "../host/in-memory-host.ts";

const FILES = { "a.txt": "a\n", "gen/b.txt": "b\n" };

async function explain(host: ReturnType<typeof openTestHost>, name: string, args: object) {
  return (await host.request("ringfence/policy/explain", { name, arguments: args })).result;
}

function withoutName(value: object): string {
  return JSON.stringify(value).replaceAll(/(?:there|not)\.txt/g, "x");
}

describe("explain", () => {
  const rules = [{ deny: "write_file(gen/**)", reason: "made by a tool", source: "c.json:7" }];
  test("explain says the decision, the rule with its place, and what would change it, and nothing runs", async () => {
    await using host = openTestHost({ files: FILES, config: { rules } });
    expect(await explain(host, "write_file", { path: "gen/a.ts", content: "x" })).toMatchObject({
      decision: { type: "deny", reason: "made by a tool", source: "c.json:7", rule: "write_file(gen/**)" },
      change: expect.stringContaining("c.json:7"),
    });
    const call = { risk: "R2", acts: [["write", host.root, "b.ts"]] };
    const rule = `write_file(exact:${JSON.stringify({ call })})`;
    expect(await explain(host, "write_file", { path: "b.ts", content: "x" })).toMatchObject({
      decision: { type: "ask", suggested_rule: rule },
      change: expect.stringContaining(`ringfence grants add '${rule}'`),
    });
    expect((await host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
  });

  test("explain looks where a link leads, and at what no rule can lift", async () => {
    await using host = openTestHost({ files: FILES, config: { rules, mode: "bypass" } });
    symlinkSync("gen", join(host.root, "door"));
    for (const path of ["door/new.txt", "door/b.txt", ".env", ".ringfence.json"])
      expect([path, (await explain(host, "write_file", { path, content: "x" })).decision.type]).toEqual([path, "deny"]);
    expect((await explain(host, "write_file", { path: "new.txt", content: "x" })).decision.type).toBe("allow");
    expect(host.audit()).not.toContain('"event":"started"');
  });

  test("explain decides about a change by where its path leads, as the change itself is decided", async () => {
    const asked = [...rules, { ask: "write_file(*.sql)" }];
    const files = { ...FILES, "sub/s.txt": "x\n", ".git/hooks/x": "x\n", "b.sql": "x\n", "package.json": "{}\n" };
    await using host = openTestHost({ files, config: { rules: asked, mode: "accept_edits", baseline: "if_known" } });
    const links = { hook: ".git/hooks/x", hooks: ".git/hooks", table: "b.sql", plain: "a.txt" };
    for (const [name, to] of Object.entries(links)) symlinkSync(to, join(host.root, name));
    await host.call("read_file", { path: "plain" });
    for (const [path, type] of Object.entries({ hook: "ask", "hooks/new": "ask", table: "ask", plain: "allow" })) {
      const call = { path, content: "y" };
      expect([path, (await explain(host, "write_file", call)).decision.type]).toEqual([path, type]);
      const { proposal } = await host.call("write_file", call);
      expect([path, proposal !== undefined]).toEqual([path, type === "ask"]);
    }
    expect((await explain(host, "write_file", { path: "hook", content: "y" })).decision.reason).toBe(
      "this change is more than an ordinary edit, by where its path leads",
    );
    symlinkSync(".git/hooks", join(host.root, "deep"));
    for (const path of ["sub/../hook", "none/../hook", "deep/../new"])
      expect([path, (await explain(host, "write_file", { path, content: "y" })).decision.type]).toEqual([path, "ask"]);
    // What goes is the link.
    expect((await explain(host, "move", { source: "table", destination: "c.txt" })).decision.type).toBe("allow");
  });

  test("explain denies a change through a link to what is not there, which is not made either", async () => {
    await using host = openTestHost({ files: FILES, config: { rules, mode: "bypass", baseline: "if_known" } });
    symlinkSync("none.txt", join(host.root, "nowhere"));
    symlinkSync("gen/none.txt", join(host.root, "hidden"));
    const said = await explain(host, "write_file", { path: "nowhere", content: "x" });
    expect(said).toMatchObject({
      decision: { type: "deny", reason: "it is a link to something that does not exist, or lies below a file" },
      change: "Another path, or the file that the link points to.",
    });
    expect((await host.call("write_file", { path: "nowhere", content: "x" })).failure?.code).toBe("denied");
    // Whether there is something behind a rule is not told.
    const hidden = await explain(host, "write_file", { path: "hidden", content: "x" });
    expect(hidden.decision).toMatchObject({ type: "deny", source: "scope" });
  });

  test("explain tells nothing of what exists outside", async () => {
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

  test("takes what is known of a call, and says what is missing and what of it matters", async () => {
    await using host = openTestHost({ files: FILES, config: { rules, mode: "accept_edits" } });
    expect(await explain(host, "write_file", { path: "gen/a.ts" })).toMatchObject({
      decision: { type: "deny", rule: "write_file(gen/**)" },
      missing: [{ name: "content", required: true, could_change: false }],
    });
    expect(await explain(host, "write_file", { path: "a.txt" })).toMatchObject({
      decision: { type: "allow" },
      missing: [
        { name: "content", could_change: false },
        { name: "if_hash", could_change: true },
      ],
    });
    expect(await explain(host, "edit_file", { file_path: ".env" })).toMatchObject({
      decision: { type: "deny" },
    });
    const moved = await explain(host, "move", { source: "a.txt" });
    expect(moved.decision.type).toBe("allow");
    expect(moved.missing).toContainEqual({ name: "destination", required: true, could_change: true });
    expect((await explain(host, "grep", { path: "gen" })).missing).toContainEqual({
      name: "pattern",
      required: true,
      could_change: true,
    });
    expect((await explain(host, "read_file", { path: "a.txt" })).missing).toBeUndefined();
  });

  test.each(["write_file", "apply_patch", "change_files", "read_files", "copy"])(
    "explain can say nothing of %s without any path",
    async (name) => {
      await using host = openTestHost({ files: FILES });
      const { error } = await host.request("ringfence/policy/explain", { name, arguments: {} });
      expect(error.data).toMatchObject({ code: "invalid_input" });
      expect(error.message).toContain("what it would touch is not known");
      const wrong = await host.request("ringfence/policy/explain", { name, arguments: { pth: "a.txt" } });
      expect(wrong.error.data).toMatchObject({ code: "invalid_input" });
    },
  );

  test.each(["read_file", "write_file", "stat", "list_directory", "delete", "hash_file", "tree", "move"])(
    "explain says the same of %s with a path outside, whether it is there or not",
    async (name) => {
      await using host = openTestHost({ files: FILES, config: { mode: "bypass" } });
      mkdirSync(join(host.outside, "there.txt"));
      symlinkSync(host.outside, join(host.root, "out"));
      for (const top of [host.outside, "../outside", "out", "none/../../outside", "a.txt/../../outside"]) {
        const both = await Promise.all(
          ["there.txt", "not.txt"].map(async (file) => {
            const path = `${top}/${file}`;
            return await explain(host, name, name === "move" ? { source: path } : { path });
          }),
        );
        const [there, not] = both.map(withoutName);
        expect([top, there]).toEqual([top, not]);
        expect(both[0]?.decision.type).toBe("deny");
      }
    },
  );

  test("names programs that may still decide, and asks none", async () => {
    const hooks = [{ tool: "stat", before: ["/bin/false"] }];
    await using host = openTestHost({ files: FILES, config: { hooks } });
    expect(await explain(host, "stat", { path: "a.txt" })).toMatchObject({
      decision: { type: "allow" },
      asked_before: ["/bin/false"],
    });
  });
});
