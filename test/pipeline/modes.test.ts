/**
 * Who may change what: the four modes, narrowing for one call, read-only roots, deny rules. The caller can narrow its own
 * limits and never widen them.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestHost, type CallAnswer, type TestHost } from "../host/in-memory-host.ts";

const MODE = "dev.ringfence/mode";

function statusOf(answer: CallAnswer): string {
  return answer.failure?.code ?? (answer.proposal ? "proposed" : answer.text.split(":")[0]!.toLowerCase());
}

async function tryAll(host: TestHost, meta?: object): Promise<Record<string, string>> {
  const write = await host.call("write_file", { path: "new.txt", content: "x\n" }, meta);
  const steering = await host.call("write_file", { path: ".env.example", content: "x\n" }, meta);
  const remove = await host.call("delete", { path: "a.txt" }, meta);
  const read = await host.call("read_file", { path: "b.txt" }, meta);
  return {
    write: statusOf(write),
    hidden: statusOf(steering),
    delete: statusOf(remove),
    read: read.text,
  };
}

describe("mode", () => {
  const wanted = {
    default: { write: "proposed", hidden: "proposed", delete: "proposed", read: "b\n" },
    plan: { write: "proposed", hidden: "proposed", delete: "proposed", read: "b\n" },
    accept_edits: { write: "applied", hidden: "proposed", delete: "proposed", read: "b\n" },
    bypass: { write: "applied", hidden: "applied", delete: "applied", read: "b\n" },
  };
  test.each(Object.entries(wanted))("the mode decides what is done at once: %s", async (mode, expected) => {
    await using host = openTestHost({ files: { "a.txt": "a\n", "b.txt": "b\n" }, config: { mode } });
    expect(await tryAll(host)).toEqual(expected);
  });

  const narrowed: [mode: string, asked: unknown, write: string][] = [
    ["bypass", "plan", "proposed"],
    ["bypass", "default", "proposed"],
    ["accept_edits", "plan", "proposed"],
    ["accept_edits", "bypass", "applied"],
    ["default", "bypass", "proposed"],
    ["default", "accept_edits", "proposed"],
    ["plan", "bypass", "proposed"],
    ["plan", "default", "proposed"],
    ["default", ["bypass"], "invalid_input"],
    ["accept_edits", "Plan", "invalid_input"],
    ["bypass", null, "invalid_input"],
  ];
  test.each(narrowed)("the mode is %s when %j is asked for in _meta", async (mode, asked, write) => {
    await using host = openTestHost({ files: { "a.txt": "a\n" }, config: { mode } });
    const answer = await host.call("append_file", { path: "a.txt", content: "x\n" }, { [MODE]: asked });
    expect(statusOf(answer)).toBe(write);
  });

  const limits = { rev: { read_only: true } };
  const named: [key: string, value: unknown, write: string][] = [
    ["agent", "rev", "denied"],
    ["provider", "rev", "denied"],
    ["agent", "other", "applied"],
    ...["agent", "provider", "skill"].flatMap((key) =>
      [["rev"], { name: "rev" }, 1, true, null].map((value): [string, unknown, string] => [
        key,
        value,
        "invalid_input",
      ]),
    ),
  ];
  test.each(named)("a call is held to the limits of the %s that _meta names, as %j", async (key, value, write) => {
    const config = { mode: "bypass", agents: limits, providers: limits, skills: limits };
    await using host = openTestHost({ files: { "a.txt": "a\n" }, config });
    const meta = { [`dev.ringfence/${key}`]: value };
    const answer = await host.call("append_file", { path: "a.txt", content: "x\n" }, meta);
    expect(statusOf(answer)).toBe(write);
    expect(host.read("a.txt")).toBe(write === "applied" ? "a\nx\n" : "a\n");
    if (write !== "invalid_input") return;
    expect(answer.failure?.message).toBe(`Cannot make the call: _meta["dev.ringfence/${key}"] must be a string`);
    const { error } = await host.request("resources/read", { uri: "ringfence://root/0/a.txt", _meta: meta });
    expect(error.data.code).toBe("invalid_input");
  });

  test("an applied change answers with its diff and its transaction", async () => {
    await using host = openTestHost({ files: { "a.txt": "old\n" }, config: { mode: "accept_edits" } });
    await host.call("read_file", { path: "a.txt" });
    const answer = await host.call("write_file", { path: "a.txt", content: "new\n" });
    expect(answer.text).toMatch(/^Applied: Overwrite a\.txt .*\n--- a\/a\.txt\n[\s\S]*-old\n\+new\nTransaction t_\S+$/);
    expect(host.read("a.txt")).toBe("new\n");
    expect((await host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
  });
});

describe("a read-only root", () => {
  test("a read-only root is read and never changed, whatever the mode", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    const config = { roots: [`${host.root}:ro`], mode: "bypass" };
    await using readOnly = openTestHost({ top: host.top, config });
    expect((await readOnly.call("read_file", { path: "a.txt" })).text).toBe("a\n");
    const changes: [string, object][] = [
      ["write_file", { path: "a.txt", content: "x" }],
      ["edit_file", { path: "a.txt", old_text: "a", new_text: "b" }],
      ["append_file", { path: "a.txt", content: "x" }],
      ["create_directory", { path: "d" }],
      ["move", { source: "a.txt", destination: "b.txt" }],
      ["copy", { source: "a.txt", destination: "b.txt" }],
      ["delete", { path: "a.txt" }],
    ];
    for (const [tool, args] of changes) {
      const { failure } = await readOnly.call(tool, args);
      expect([tool, failure?.code, failure?.message]).toEqual([tool, "denied", expect.stringContaining("read-only")]);
    }
    expect(host.read("a.txt")).toBe("a\n");
  });

  test("a read-only root can be copied from into another root, and not moved from", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    const config = { roots: [`${host.root}:ro`, host.outside], mode: "bypass" };
    await using two = openTestHost({ top: host.top, config });
    const destination = join(host.outside, "copy.txt");
    expect((await two.call("copy", { source: "a.txt", destination })).failure).toBeUndefined();
    expect((await two.call("read_file", { path: destination })).text).toBe("a\n");
    const moved = await two.call("move", { source: "a.txt", destination: join(host.outside, "b.txt") });
    expect(moved.failure?.code).toBe("denied");
  });
});

describe("deny rules", () => {
  test("deny rules hold for every tool, through links, for what does not exist, and in trees", async () => {
    const files = {
      "secret/k.txt": "KEY\n",
      "a.txt": "a\n",
      l: { link: "secret/k.txt" },
      dl: { link: "secret" },
    };
    await using host = openTestHost({ files, config: { deny: ["secret/**", "*.pem"] } });
    const calls: [string, object][] = [
      ["read_file", { path: "secret/k.txt" }],
      ["read_file", { path: "l" }],
      ["read_file", { path: "dl/k.txt" }],
      ["read_file", { path: "a.txt/../secret/k.txt" }],
      ["stat", { path: "secret/missing" }],
      ["hash_file", { path: "SECRET/K.TXT" }],
      ["write_file", { path: "new.pem", content: "x" }],
      ["edit_file", { path: "l", old_text: "KEY", new_text: "x" }],
      ["move", { source: "a.txt", destination: "secret/a.txt" }],
      ["move", { source: "secret/k.txt", destination: "b.txt" }],
      ["copy", { source: "secret/k.txt", destination: "b.txt" }],
      ["delete", { path: "dl/k.txt" }],
      ["delete", { path: "secret", recursive: true }],
    ];
    for (const [tool, args] of calls) {
      const answer = await host.call(tool, args);
      expect(JSON.stringify(answer.result)).not.toContain("KEY\\n");
      const said = answer.failure?.code ?? answer.all;
      expect([tool, args, said]).toEqual([
        tool,
        args,
        said === "not_found" ? "not_found" : expect.stringMatching(/denied/),
      ]);
    }
    for (const [tool, args] of [
      ["grep", { pattern: "KEY" }],
      ["glob", { pattern: "**/*.txt", hidden: true }],
    ] as const) {
      const { all } = await host.call(tool, args);
      expect(all).not.toContain("k.txt");
    }
  });

  test("the state folder is not there for any tool, even inside a root", async () => {
    await using outer = openTestHost({ files: { "a.txt": "a\n" } });
    const stateDir = join(outer.root, ".state");
    await using host = openTestHost({ top: outer.top, config: { stateDir } });
    await host.call("append_file", { path: "a.txt", content: "x\n" });
    mkdirSync(join(outer.root, "d"));
    writeFileSync(join(outer.root, "d", "b.txt"), "b\n");
    expect((await host.call("list_directory", { path: ".", hidden: true })).all).not.toContain(".state");
    expect((await host.call("read_file", { path: ".state/audit" })).failure?.code).toBe("denied");
    expect((await host.call("glob", { pattern: "**/*", hidden: true })).all).not.toContain("audit");
  });
});
