/**
 * The policy by the front door: rules hold where links lead and where searches go, what needs a person says so and never
 * hangs, what a client or a skill is left, grants, hooks, events, and why. One tool that is in no list of this
 * project is decided like every other.
 */
import { describe, expect, test } from "bun:test";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { defineLocalTool, defineTool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openTestHost } from "./in-memory-host.ts";

const FILES = {
  "a.txt": "a\n",
  "src/b.txt": "needle b\n",
  "private/c.txt": "needle c\n",
  "ok/d.txt": "needle d\n",
};

const COPY = "diff --git a/door/c.txt b/stolen.txt\nsimilarity index 100%\ncopy from door/c.txt\ncopy to stolen.txt\n";

describe("rules", () => {
  test("rules hold where a link leads, and where a search goes by itself", async () => {
    const rules = [{ deny: "*(private/**)", reason: "not yours", source: "c.json:1" }];
    await using host = openTestHost({ files: FILES, config: { rules, mode: "bypass" } });
    symlinkSync("private", join(host.root, "door"));
    symlinkSync("../private/c.txt", join(host.root, "ok", "link.txt"));
    expect((await host.call("read_file", { path: "private/c.txt" })).failure?.message).toContain("not yours");
    for (const path of ["door/c.txt", "ok/link.txt", "ok/../private/c.txt", "PRIVATE/c.txt"])
      expect([path, (await host.call("read_file", { path })).failure?.code]).toEqual([path, "denied"]);
    expect((await host.call("grep", { pattern: "needle" })).all).not.toContain("private");
    expect((await host.call("grep", { pattern: "needle", path: "door" })).failure?.code).toBe("denied");
    for (const [tool, args] of [
      ["write_file", { path: "door/new.txt", content: "x" }],
      ["edit_file", { path: "ok/link.txt", old_text: "needle", new_text: "x" }],
      ["delete", { path: "private", recursive: true }],
      ["copy", { source: "private", destination: "stolen", recursive: true }],
      ["move", { source: "door/c.txt", destination: "stolen.txt" }],
      ["apply_patch", { patch: COPY }],
      ["change_files", { operations: [{ op: "apply_patch", patch: COPY }] }],
    ] as const)
      expect([tool, (await host.call(tool, args)).failure?.code]).toEqual([tool, "denied"]);
    expect(host.read("private/c.txt")).toBe("needle c\n");
  });

  test("an allow rule makes a change at once, only where the path really is", async () => {
    await using host = openTestHost({ files: FILES, config: { rules: [{ allow: "write_file(ok/**)" }] } });
    symlinkSync("../src", join(host.root, "ok", "out"));
    expect((await host.call("write_file", { path: "ok/new.txt", content: "x" })).proposal).toBeUndefined();
    expect((await host.call("write_file", { path: "ok/out/new.txt", content: "x" })).proposal).toBeDefined();
    expect((await host.call("write_file", { path: "src/new.txt", content: "x" })).proposal).toBeDefined();
  });

  test("an ask holds for a directory in which its pattern could match", async () => {
    const rules = [{ ask: "move(src/deep/*.sql)" }, { ask: "move(**/*.lock)" }];
    const files = { "src/deep/a.sql": "", "other/b.txt": "", "third/c.txt": "" };
    await using host = openTestHost({ files, config: { rules: [rules[0]!], mode: "accept_edits" } });
    const isProposed = async (on: typeof host, source: string): Promise<boolean> =>
      (await on.call("move", { source, destination: `moved-${source}` })).proposal !== undefined;
    expect([await isProposed(host, "src"), await isProposed(host, "other")]).toEqual([true, false]);
    await using strict = openTestHost({ top: host.top, config: { rules, mode: "accept_edits" } });
    expect(await isProposed(strict, "third")).toBe(true);
  });

  test("a tool that is in no list is decided like every other", async () => {
    const ran: string[] = [];
    const unheardOf = defineTool({
      name: "unheard_of",
      title: "Unheard of",
      summary: "Nobody knows it.",
      effect: "reach",
      input: z.strictObject({ path: z.string().describe("A path") }),
      output: z.looseObject({}),
      access: ({ path }) => [{ path, mode: "read" }],
      run: ({ path }) => {
        ran.push(path);
        return { text: "ran", structured: {} };
      },
    });
    const own = defineLocalTool({
      name: "own_change",
      description: "Changes.",
      input: z.strictObject({}),
      mutates: true,
      execute: () => ran.push("own"),
    });
    const tools = [...builtinTools, unheardOf, own];
    await using host = openTestHost({
      tools,
      config: { rules: [{ deny: "*(private/**)" }, { allow: "*(ok/**)" }] },
    });
    const codeOf = async (path: string): Promise<string | undefined> =>
      (await host.call("unheard_of", { path })).failure?.code;
    expect([await codeOf("a"), await codeOf("private/a"), await codeOf("ok/a")]).toEqual([
      "needs_approval",
      "denied",
      undefined,
    ]);
    expect((await host.call("own_change", {})).proposal).toBeDefined();
    expect(ran).toEqual(["ok/a"]);
    const decided = host
      .audit()
      .split("\n")
      .filter((line) => line.includes('"event":"decided"'));
    expect(decided).toHaveLength(4);
  });
});

test("a tool of the plain kind gets no path that a rule keeps from it", async () => {
  const own = defineLocalTool({
    name: "own",
    description: "Resolves.",
    input: z.strictObject({ at: z.string().describe("A path") }),
    execute: async ({ at }, ctx) => await ctx.resolvePath(at),
  });
  await using host = openTestHost({
    files: FILES,
    tools: [own],
    config: { rules: [{ deny: "*(private/**)" }] },
  });
  symlinkSync("private", join(host.root, "door"));
  expect((await host.call("own", { at: "a.txt" })).text).toBe(join(host.root, "a.txt"));
  expect((await host.call("own", { at: "door/c.txt" })).failure?.code).toBe("denied");
});

describe("what needs a person", () => {
  const rules = [{ ask: "read_file(src/**)", source: "c.json:2" }];

  test("a call that needs a person says which method settles it, and is settled by it", async () => {
    await using host = openTestHost({ files: FILES, config: { rules } });
    const { failure } = await host.call("read_file", { path: "src/b.txt" });
    const call = { risk: "R1", acts: [["read", host.root, "src/b.txt"]] };
    expect(failure).toMatchObject({
      code: "needs_approval",
      retry: "later",
      details: {
        method: "ringfence/grants/add",
        params: { rule: `read_file(exact:${JSON.stringify({ call })})` },
      },
    });
    symlinkSync("src/b.txt", join(host.root, "door"));
    expect((await host.call("read_file", { path: "door" })).failure?.code).toBe("denied");
    const { method, params } = failure!.details as { method: string; params: object };
    const { id } = (await host.request(method, params)).result.grant;
    expect((await host.call("read_file", { path: "src/b.txt" })).text).toBe("needle b\n");
    expect((await host.request("ringfence/grants/list")).result.grants).toMatchObject([{ id, remembered: false }]);
    await host.request("ringfence/grants/revoke", { id });
    expect((await host.call("read_file", { path: "src/b.txt" })).failure?.code).toBe("needs_approval");
    expect(host.audit()).toContain('"event":"granted"');
    expect(host.audit()).toContain('"event":"revoked"');
  });

  test("a remembered grant holds in the next host with the same roots, and lifts no deny", async () => {
    await using first = openTestHost({ files: FILES, config: { rules } });
    await first.request("ringfence/grants/add", { rule: "*(**)", remember: true });
    await using next = openTestHost({
      top: first.top,
      config: { rules: [...rules, { deny: "read_file(a.txt)" }] },
    });
    expect((await next.call("read_file", { path: "src/b.txt" })).failure).toBeUndefined();
    expect((await next.call("read_file", { path: "a.txt" })).failure?.code).toBe("denied");
    await using other = openTestHost({ top: first.top, config: { rules, roots: [join(first.root, "src")] } });
    expect((await other.call("grep", { pattern: "password" })).failure?.code).toBe("needs_approval");
  });

  test("a search for secrets asks, and can be allowed", async () => {
    await using host = openTestHost({ files: FILES });
    expect((await host.call("grep", { pattern: "password" })).failure?.code).toBe("needs_approval");
    expect((await host.call("grep", { pattern: "needle" })).failure).toBeUndefined();
    await using relaxed = openTestHost({ config: { secrets: { search_terms: "allow" } } });
    expect((await relaxed.call("grep", { pattern: "password" })).failure).toBeUndefined();
  });
});

describe("who calls", () => {
  const config = {
    mode: "accept_edits",
    clients: { "small client": { profile: "minimal" } },
    agents: { planner: { mode: "plan" } },
    skills: { reader: { tools: { allow: ["read_file"] } } },
  } as const;
  const write = { path: "new.txt", content: "x" };

  test("a client has what is left for it, while the list is the same for all", async () => {
    await using host = openTestHost({ files: FILES, config });
    await host.request("initialize", { protocolVersion: "2025-11-25", clientInfo: { name: "small client" } });
    expect((await host.request("tools/list")).result.tools).toHaveLength(builtinTools.length - 2);
    expect((await host.call("write_file", write)).failure?.message).toContain(
      'the client "small client" may not use it',
    );
    expect((await host.call("read_file", { path: "a.txt" })).text).toBe("a\n");
  });

  test("agents and skills are narrowed by call; a skill that nobody listed has nothing", async () => {
    await using host = openTestHost({ files: FILES, config });
    const as = async (kind: string, name: string, tool: string, args: object): Promise<string> => {
      const answer = await host.call(tool, args, { [`dev.ringfence/${kind}`]: name });
      return answer.failure?.code ?? (answer.proposal ? "proposed" : "done");
    };
    expect(await as("agent", "planner", "write_file", write)).toBe("proposed");
    expect(await as("skill", "reader", "read_file", { path: "a.txt" })).toBe("done");
    expect(await as("skill", "reader", "grep", { pattern: "a" })).toBe("denied");
    expect(await as("skill", "unknown", "read_file", { path: "a.txt" })).toBe("denied");
    expect(await as("agent", "unknown", "write_file", write)).toBe("done");
  });

  test("a hidden tool is unknown", async () => {
    await using host = openTestHost({ config: { readOnly: true } });
    const { error } = await host.request("tools/call", { name: "write_file", arguments: write });
    expect(error.code).toBe(-32602);
  });
});

describe("hooks", () => {
  test("confirm asks; a program may deny; one that fails means ask", async () => {
    await using outer = openTestHost({ files: FILES });
    const program = (name: string, text: string): string => {
      const path = join(outer.top, name);
      writeFileSync(path, `#!/bin/sh\n${text}\n`);
      chmodSync(path, 0o755);
      return path;
    };
    const patient = { timeout_ms: 60_000 };
    const hooks = [
      { tool: "stat", action: "confirm" },
      {
        tool: "grep",
        before: [program("deny", `cat >/dev/null; echo '{"decision":"deny","reason":"said no"}'`)],
        ...patient,
      },
      { tool: "glob", before: [program("fail", "exit 3")], ...patient },
      { tool: "tree", before: [program("slow", "exec sleep 100000")], timeout_ms: 100 },
      { tool: "read_file", before: [program("quiet", "cat >/dev/null")], ...patient },
    ] as const;
    await using host = openTestHost({ top: outer.top, config: { hooks } });
    const codeOf = async (tool: string, args: object): Promise<string | undefined> =>
      (await host.call(tool, args)).failure?.code;
    expect(await codeOf("stat", { path: "a.txt" })).toBe("needs_approval");
    expect((await host.call("grep", { pattern: "a" })).failure?.message).toContain("said no");
    expect(await codeOf("glob", { pattern: "*" })).toBe("needs_approval");
    expect(await codeOf("tree", {})).toBe("needs_approval");
    expect(host.log().join("\n")).toContain("the hook of tree failed: it took longer than 100 ms");
    expect(await codeOf("read_file", { path: "a.txt" })).toBeUndefined();
  });
});

test("events are streamed to who asked for them, redacted, and without what hooks call silent", async () => {
  const hooks = [{ tool: "stat", action: "silent" }] as const;
  await using host = openTestHost({ files: FILES, config: { hooks } });
  await host.call("read_file", { path: "a.txt" });
  await host.request("ringfence/events/subscribe");
  await host.call("read_file", { path: ["ghp", "_abcdefghijklmnopqrstuvwxyz0123456789"].join("") });
  await host.call("stat", { path: "a.txt" });
  const events = host.messages.filter(({ method }) => method === "ringfence/events").map(({ params }) => params);
  const told = events.filter(({ tool }) => tool === "read_file").map(({ event }) => event);
  expect(told).toEqual(["proposed", "decided", "started", "failed"]);
  expect(JSON.stringify(events)).toContain("[secret:");
  expect(JSON.stringify(events)).not.toContain("ghp_");
  expect(events.some(({ tool }) => tool === "stat")).toBe(false);
});

test("every answer says under which id it is on record", async () => {
  await using host = openTestHost({ files: FILES });
  for (const path of ["a.txt", "missing", "/etc/passwd"]) {
    const { result } = await host.call("read_file", { path });
    const [segment = "", line = ""] = result._meta["dev.ringfence/auditId"].split(":");
    const found = host.audit().split("\n")[Number(line) - 1]!;
    expect(JSON.parse(found)).toMatchObject({ seq: Number(line), event: "proposed", tool: "read_file" });
    expect(segment).not.toBe("");
  }
});
