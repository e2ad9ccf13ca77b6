/**
 * Files that a command changes: found, counted, and taken back where its declaration has named them; what has changed since
 * is never overwritten by an undo.
 */
import { describe, expect, test } from "bun:test";
import { linkSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../src/base/index.ts";
import type { Json, TestHost } from "../host/in-memory-host.ts";
import { hostOfEachTest, script } from "../proc/command-host.ts";

const open = hostOfEachTest();

async function undo(host: TestHost, params: object = {}): Promise<Json> {
  const { result, error } = await host.request("ringfence/history/undo", params);
  return result ?? error.data;
}

async function run(host: TestHost, name: string): Promise<{ all: string; undo: Json }> {
  const { all, result } = await host.call(name);
  return { all, undo: result.structuredContent.undo };
}

function keptObjects(host: TestHost): string[] {
  return readdirSync(join(host.stateDir, "undo")).filter((name) => !name.endsWith(".note"));
}

const config = { results: "structured" } as const;
const work = script(
  "printf 'one\\n2\\nthree\\nfour\\n' > src/a.txt; rm src/b.txt; echo new > src/deep.txt; echo x >> other.log",
  { changes: true, snapshot: ["src/**"] },
);
const files = {
  "src/a.txt": "one\ntwo\nthree\n",
  "src/b.txt": "gone\n",
  "src/same.txt": "same\n",
  "other.log": "",
};

describe.skipIf(process.platform !== "linux")("files that a declaration names", () => {
  test("files that a declaration names are taken back as one transaction, and the others are said", async () => {
    const host = open({ work }, config, files);
    const { all, undo: undoable } = await run(host, "cmd_work");
    const { transaction, files: covered } = undoable;
    expect(all).toContain(
      "4 files: created src/deep.txt (+1 -0); changed other.log (0 bytes to 2 bytes), src/a.txt (+2 -1); removed src/b.txt (+0 -1)",
    );
    expect(all).toContain(`3 files can be undone as ${transaction}, the others cannot`);
    expect(covered.toSorted()).toEqual(["src/a.txt", "src/b.txt", "src/deep.txt"]);
    expect(keptObjects(host)).toHaveLength(2);
    const { result } = await host.request("ringfence/history/list", { check: true });
    expect(result.transactions[0]).toMatchObject({ transaction, tool: "cmd_work" });
    expect(result.transactions[0].cannot_undo).toBeUndefined();
    expect((await undo(host, { dry_run: true })).diff).toContain("-2\n+two");
    expect(await undo(host)).toMatchObject({ transaction, canUndo: true });
    expect(host.read("src/a.txt")).toBe(files["src/a.txt"]);
    expect(host.read("src/b.txt")).toBe("gone\n");
    expect(readdirSync(join(host.root, "src")).toSorted()).toEqual(["a.txt", "b.txt", "same.txt"]);
    expect(host.read("other.log")).toBe("x\n");
  });

  test("an undo can be undone, and neither goes over what came since", async () => {
    const host = open({ work }, config, files);
    await host.call("cmd_work");
    const { undo: id } = await undo(host);
    expect(host.read("src/a.txt")).toBe(files["src/a.txt"]);
    expect((await undo(host, { transaction: id })).canUndo).toBe(true);
    expect(host.read("src/a.txt")).toContain("four");
    const second = open({ work }, config, files);
    await second.call("cmd_work");
    writeFileSync(join(second.root, "src/a.txt"), "theirs\n");
    expect((await undo(second)).code).toBe("stale");
    expect(second.read("src/a.txt")).toBe("theirs\n");
    expect(readdirSync(join(second.root, "src"))).not.toContain("b.txt");
  });

  test("files that a declaration names keep their other names", async () => {
    const tool = script("echo new > a.txt", { changes: true, snapshot: ["a.txt"] });
    const host = open({ work: tool }, config, { "a.txt": "old\n" });
    linkSync(join(host.root, "a.txt"), join(host.root, "b.dat"));
    await host.call("cmd_work");
    expect((await undo(host)).canUndo).toBe(true);
    expect(readFileSync(join(host.root, "b.dat"), "utf8")).toBe("old\n");
    expect(statSync(join(host.root, "a.txt")).nlink).toBe(2);
  });

  test("a declaration of files leaves nothing in the history when nothing was changed, nor when it could not start", async () => {
    const idle = script("touch a.txt", { changes: true, snapshot: ["**"] });
    const lost = script("true", { changes: true, snapshot: ["**"], cwd: "nowhere" });
    const host = open({ idle, lost }, {}, { "a.txt": "a\n" });
    expect((await host.call("cmd_idle")).all).toContain("It changed no files");
    expect((await host.call("cmd_lost")).failure?.code).toBe("not_found");
    expect(readdirSync(join(host.stateDir, "undo"))).toEqual([]);
  });

  test("files that a declaration names are kept within the quota, and more is reported and stays", async () => {
    const grow = script("echo x >> big; echo x >> small", { changes: true, snapshot: ["*"] });
    const host = open({ grow }, config, { big: "b".repeat(limits.MAX_SNAPSHOT_FILE_BYTES + 1), small: "s" });
    const { all, undo: undoable } = await run(host, "cmd_grow");
    expect(undoable.files).toEqual(["small"]);
    expect(all).toContain("the others cannot");
    expect((await undo(host)).canUndo).toBe(true);
    expect(host.read("small")).toBe("s");
    expect(host.read("big").length).toBe(limits.MAX_SNAPSHOT_FILE_BYTES + 3);
  });

  test("files that a declaration names are not those that recursive tools skip, and not what no tool may see", async () => {
    const tool = script("echo x > node_modules/a; echo x > secret/a; echo x > b", {
      changes: true,
      snapshot: ["**"],
    });
    const names = { "node_modules/a": "", "secret/a": "", b: "" };
    const host = open({ tool }, { ...config, deny: ["secret/**"] }, names);
    expect((await run(host, "cmd_tool")).undo.files).toEqual(["b"]);
  });

  test("files that a declaration names are named in the proposal", async () => {
    const { text } = await open({ work }, { mode: "default" }, files).call("cmd_work");
    expect(text).toContain("Only its changes to src/** can be undone; nothing else it does can be.");
  });
});

test.skipIf(process.platform !== "linux")("the same content written again is no change", async () => {
  const again = script("cp a.txt c; cat c > a.txt; rm c; touch b.txt; chmod 600 d.txt", { changes: true });
  const { all } = await open({ again }, {}, { "a.txt": "a\n", "b.txt": "b\n", "d.txt": "d\n" }).call("cmd_again");
  expect(all).toContain("1 file: changed d.txt");
});
