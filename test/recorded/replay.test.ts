/**
 * A session that is made again on a copy of its files: the same everywhere, and exactly the calls differ that a changed file
 * concerns.
 */
import { expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Asker } from "../host/asker.ts";
import { loadPacks } from "../../src/config/index.ts";
import type { TestHost, TestHostOptions } from "../host/in-memory-host.ts";
import { script, withLauncher } from "../proc/command-host.ts";
import { EVERY_KIND, recordSession, replayOn } from "./record-session.ts";

test("a session of every kind of call ends on a copy as it did, two times", async () => {
  await using recorded = await recordSession(EVERY_KIND);
  for (let time = 0; time < 2; time++) {
    const copy = recorded.copy();
    const replay = await replayOn(recorded, copy);
    expect(replay.calls.filter(({ state }) => state !== "same")).toEqual([]);
    expect(replay).toMatchObject({ same: EVERY_KIND.length, differs: 0, skipped: 0, problems: [] });
    expect(readFileSync(join(copy, "root/a.txt"), "utf8")).toBe("ONE\nTWO\nthree TODO\n");
  }
});

test("a file that differs in the copy makes exactly the calls differ that read or change it", async () => {
  const calls = [
    ["read_file", { path: "a.txt" }],
    ["read_file", { path: "src/b.ts" }],
    ["stat", { path: "src" }],
    ["edit_file", { path: "src/b.ts", old_text: "1", new_text: "2" }],
    ["write_file", { path: "x.txt", content: "x" }],
  ] as const;
  await using recorded = await recordSession(calls);
  const copy = recorded.copy();
  appendFileSync(join(copy, "root/src/b.ts"), "// more\n");
  const { calls: made } = await replayOn(recorded, copy);
  expect(made.map(({ tool, state, differences }) => [tool, state, differences?.map(({ what }) => what)])).toEqual([
    ["read_file", "same", undefined],
    ["read_file", "differs", ["answer"]],
    ["stat", "same", undefined],
    ["edit_file", "differs", ["answer", "changed"]],
    ["write_file", "same", undefined],
  ]);
});

test("another policy makes the decision differ, and another failure its code", async () => {
  await using recorded = await recordSession([
    ["read_file", { path: "a.txt" }],
    ["read_file", { path: "nope" }],
  ]);
  const copy = recorded.copy();
  writeFileSync(join(copy, "root/nope"), "here");
  const config = { rules: [{ deny: "read_file(a.txt)" }] };
  const { calls: made } = await replayOn(recorded, copy, { config });
  expect(made.map(({ differences = [] }) => differences.filter(({ what }) => what !== "answer"))).toEqual([
    [
      { what: "decision", was: "allow", is: "deny" },
      { what: "code", is: "denied" },
    ],
    [{ what: "code", was: "not_found" }],
  ]);
});

test("a dry run makes nothing and says what would be made", async () => {
  await using recorded = await recordSession([["write_file", { path: "x.txt", content: "x" }]]);
  const copy = recorded.copy();
  const { calls } = await replayOn(recorded, copy, {}, true);
  expect(calls.map(({ state }) => state)).toEqual(["would be made"]);
  expect(existsSync(join(copy, "root/x.txt"))).toBe(false);
});

test("a proposal that was applied and undone in the session is applied and undone in the copy", async () => {
  const config = { mode: "default" } as const;
  await using recorded = await recordSession([], { config }, async (host) => {
    const answer = await host.call("write_file", { path: "x.txt", content: "x" });
    const { result } = await host.apply(answer);
    await host.call("read_file", { path: "x.txt" });
    await host.request("ringfence/history/undo", { transaction: result.transaction });
    await host.call("read_file", { path: "x.txt" });
  });
  const copy = recorded.copy();
  const replay = await replayOn(recorded, copy, { config });
  expect(replay).toMatchObject({ same: 3, differs: 0, skipped: 0, problems: [] });
  expect(existsSync(join(copy, "root/x.txt"))).toBe(false);
});

test("what a rejected proposal would have changed is changed nowhere", async () => {
  const config = { mode: "default" } as const;
  await using recorded = await recordSession([], { config }, async (host) => {
    const answer = await host.call("write_file", { path: "x.txt", content: "x" });
    await host.request("ringfence/proposals/reject", { id: answer.proposal?.id });
  });
  const copy = recorded.copy();
  expect(await replayOn(recorded, copy, { config })).toMatchObject({ same: 1, problems: [] });
  expect(existsSync(join(copy, "root/x.txt"))).toBe(false);
});

test("without kept calls those are made again whose arguments the record proves, and the others are named", async () => {
  const config = { keepCalls: false } as const;
  const calls = [
    ["read_file", { path: "a.txt" }],
    ["system_info", {}],
    ["read_file", { path: "a.txt", limit: 1 }],
    ["write_file", { path: "x.txt", content: "x" }],
  ] as const;
  await using recorded = await recordSession(calls, { config });
  const { calls: made } = await replayOn(recorded, recorded.copy());
  const why = "the record has only a digest of its arguments";
  expect(made.map(({ state, why: said }) => [state, said])).toEqual([
    ["same", undefined],
    ["same", undefined],
    ["skipped", why],
    ["skipped", why],
  ]);
});

test("a call whose arguments hold a secret is kept without them and not made again", async () => {
  const content = "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY12\n";
  await using recorded = await recordSession([["write_file", { path: "x.txt", content }]]);
  const kept = readFileSync(join(recorded.folder.path, "sessions", `${recorded.session.id}.jsonl`), "utf8");
  expect(kept).not.toContain("wJalrXUtnFEMI");
  const { calls } = await replayOn(recorded, recorded.copy());
  expect(calls).toMatchObject([{ state: "skipped", why: "its arguments held a secret" }]);
});

test("kept arguments that were edited are not those on record, and are not made again", async () => {
  await using recorded = await recordSession([["write_file", { path: "x.txt", content: "x" }]]);
  const path = join(recorded.folder.path, "sessions", `${recorded.session.id}.jsonl`);
  writeFileSync(path, readFileSync(path, "utf8").replace('"x.txt"', '"y.txt"'));
  const copy = recorded.copy();
  const { calls } = await replayOn(recorded, copy);
  expect(calls).toMatchObject([{ state: "skipped", why: "its kept arguments are not those on record" }]);
  expect(existsSync(join(copy, "root/y.txt"))).toBe(false);
});

test("kept calls that are damaged or gone leave the session listed and its calls skipped", async () => {
  await using recorded = await recordSession([["write_file", { path: "x.txt", content: "x" }]]);
  writeFileSync(join(recorded.folder.path, "sessions", `${recorded.session.id}.jsonl`), "{\u0000[[[\nnull\n7\n");
  expect(await replayOn(recorded, recorded.copy())).toMatchObject({ same: 0, skipped: 1 });
});

test("a replay in the directory where the session worked is refused", async () => {
  await using recorded = await recordSession([["write_file", { path: "x.txt", content: "x" }]]);
  const replay = replayOn(recorded, join(recorded.top, "first"));
  await expect(replay).rejects.toMatchObject({ code: "denied", message: expect.stringContaining("it worked there") });
});

test("absolute paths of the session are paths of the copy", async () => {
  await using recorded = await recordSession([], {}, async (host) => {
    await host.call("write_file", { path: join(host.root, "deep.txt"), content: "x" });
  });
  const copy = recorded.copy();
  expect(await replayOn(recorded, copy)).toMatchObject({ same: 1 });
  expect(existsSync(join(copy, "root/deep.txt"))).toBe(true);
});

async function approveInForm(host: TestHost, asker: Asker | undefined): Promise<void> {
  const asked = await asker?.ask({ name: "write_file", arguments: { path: "x.txt", content: "x" } });
  await asked?.answer({ action: "accept", content: { decision: "apply" } });
  expect(host.read("x.txt")).toBe("x");
  await host.call("read_file", { path: "x.txt" });
}

test.each(["2025-11-25", "2026-07-28"])(
  "a change that a person approved in a form of %s is approved again in the copy",
  async (era) => {
    const config = { mode: "default" } as const;
    await using recorded = await recordSession([], { config }, approveInForm, era);
    const copy = recorded.copy();
    const replay = await replayOn(recorded, copy, { config });
    expect(replay).toMatchObject({ same: 2, differs: 0, problems: [] });
    expect(readFileSync(join(copy, "root/x.txt"), "utf8")).toBe("x");
  },
);

test.skipIf(process.platform !== "linux")(
  "programs run again on the copy, and the id of one in the background is the new one",
  async () => {
    const commands = { count: script("wc -l < a.txt"), wait: script("echo ready; sleep 60") };
    const options = {
      config: { shell: { enabled: true }, fence: "off", commands: commands as never },
      fence: withLauncher,
    } as const;
    await using recorded = await recordSession([], options, async (host) => {
      await host.call("shell", { command: "sort a.txt && echo more >> a.txt" });
      await host.call("cmd_count", {});
      const started = await host.call("process_start", { command: "wait", ready_when: { text: "ready" } });
      const id = /run_[\w-]{22}/.exec(started.all)?.[0];
      expect(id).toBeDefined();
      await host.call("process_stop", { id });
    });
    const copy = recorded.copy();
    const replay = await replayOn(recorded, copy, options);
    expect(replay.calls.filter(({ state }) => state !== "same")).toEqual([]);
    expect(replay.same).toBe(4);
    expect(readFileSync(join(copy, "root/a.txt"), "utf8")).toEndWith("more\n");
  },
);

async function withPacks(packSettings: Readonly<Record<string, object>>): Promise<TestHostOptions> {
  return { config: { packSettings }, packs: await loadPacks({ packSettings, dialect: "ringfence" }) };
}

const STORES = { stores: { art: { endpoint: "http://127.0.0.1:9", region: "us-east-1", buckets: ["builds"] } } };
const NOTE = ["memory_write", { namespace: "global/knowledge", text: "learned" }] as const;

test("tools that reach the network are not made again, whatever their effect is", async () => {
  const options = await withPacks({ objects: STORES, web: {} });
  await using recorded = await recordSession(
    [
      ["object_ingest", { url: "http://127.0.0.1:9/a", key: "a" }],
      ["object_sync", { prefix: "b", directory: "c" }],
      ["object_list", {}],
      ["web_fetch", { url: "http://127.0.0.1:9/" }],
    ],
    options,
  );
  const { calls } = await replayOn(recorded, recorded.copy(), options);
  expect(calls.map(({ tool, state, why }) => [tool, state, why])).toEqual(
    ["object_ingest", "object_sync", "object_list", "web_fetch"].map((tool) => [
      tool,
      "skipped",
      "it reaches outside of the roots",
    ]),
  );
});

test("the notes of the state folder are not written a second time, and those of a copied root are", async () => {
  const outside = await withPacks({ memory: {} });
  await using recorded = await recordSession([NOTE], outside);
  const { calls } = await replayOn(recorded, recorded.copy(), outside);
  expect(calls).toMatchObject([{ tool: "memory_write", state: "skipped", why: "it is about the state folder" }]);

  const files = { "notes/global/knowledge.md": "# Known\n" };
  const inside = { files, ...(await withPacks({ memory: { folder: "notes" } })) };
  await using within = await recordSession([NOTE], inside);
  const copy = within.copy();
  const again = await replayOn(within, copy, inside);
  expect(again.calls.map(({ tool, state }) => [tool, state])).not.toContainEqual(["memory_write", "skipped"]);
  expect(readFileSync(join(copy, "root/notes/global/knowledge.md"), "utf8")).toContain("learned");
});
