/**
 * Calls that change nothing and still need a person: asked through the protocol where the client can, in both eras, and
 * allowed once, for the session or not at all. Who cannot be asked gets `needs_approval` at once.
 */
import { describe, expect, test } from "bun:test";
import { openAsker, type Asker } from "../host/asker.ts";
import { HandClock } from "../host/hand-clock.ts";
import { openTestHost, type Members, type CallParams } from "../host/in-memory-host.ts";

const FILES = { "a.txt": "a\n", "notes/b.txt": "b\n" };
const RULES = [{ ask: "group:read(notes/**)", reason: "these are private" }] as const;
const read = (path: string): CallParams => ({ name: "read_file", arguments: { path } });
const accept = (decision: string): Members => ({ action: "accept", content: { decision } });

/** The exact rule that allows reading notes/b.txt. */
function exactRule(root: string): string {
  const call = { risk: "R1", acts: [["read", root, "notes/b.txt"]] };
  return `read_file(exact:${JSON.stringify({ call })})`;
}

describe.each(["2025-06-18", "2025-11-25", "2026-07-28"])("asked in %s", (version) => {
  async function open(config = {}): Promise<Asker> {
    return await openAsker(version, { files: FILES, config: { rules: RULES, ...config } });
  }

  test("the form says the call and why it is asked, and allow is for this call alone", async () => {
    await using asker = await open();
    const { form, answer } = await asker.ask(read("notes/b.txt"));
    expect(form.message).toContain("read_file");
    expect(form.message).toContain("these are private");
    expect(form.message).toContain("notes/b.txt");
    expect((await answer(accept("allow"))).content.at(-1).text).toBe("b\n");
    await (await asker.ask(read("notes/b.txt"))).answer({ action: "cancel" });
    expect((await asker.host.request("ringfence/grants/list")).result.grants).toEqual([]);
  });

  test("a rule that the form named is granted, and nothing else", async () => {
    await using asker = await open();
    const { form, answer } = await asker.ask(read("notes/b.txt"));
    expect(JSON.stringify(form.requestedSchema)).toContain("Always: read_file(notes/b.txt), now");
    await answer(accept("allow_and_remember"));
    expect((await asker.call(read("notes/b.txt"))).content.at(-1).text).toBe("b\n");
    await (await asker.ask({ name: "stat", arguments: { path: "notes/b.txt" } })).answer({ action: "cancel" });
    expect((await asker.host.request("ringfence/grants/list")).result.grants).toMatchObject([
      { rule: exactRule(asker.host.root), remembered: false },
    ]);
  });

  test.each([
    [{ action: "decline" }, "needs_approval"],
    [{ action: "accept", content: { decision: "reject", reason: "not that one" } }, "denied"],
    [{ action: "cancel" }, "needs_approval"],
    [accept("yes"), "needs_approval"],
    [accept("apply"), "needs_approval"],
    [{}, "needs_approval"],
  ])("%j reads nothing", async (given, code) => {
    await using asker = await open();
    const result = await (await asker.ask(read("notes/b.txt"))).answer(given);
    expect(result._meta["dev.ringfence/failure"].code).toBe(code);
    expect(asker.host.audit()).not.toContain('"event":"started"');
    if (code === "needs_approval")
      expect(result._meta["dev.ringfence/failure"].details).toMatchObject({
        method: "ringfence/grants/add",
        params: { rule: exactRule(asker.host.root) },
      });
    const isDeclined = result.content.at(-1).text.includes("The client declined the question.");
    expect(isDeclined).toBe(JSON.stringify(given) === '{"action":"decline"}');
  });

  test("a search for secrets and a hook that asks are put to the person", async () => {
    await using asker = await open({ hooks: [{ tool: "stat", action: "confirm" }] });
    const search = await asker.ask({ name: "grep", arguments: { pattern: "password" } });
    expect(search.form.message).toContain("looks for secrets");
    expect((await search.answer(accept("allow"))).isError).toBeUndefined();
    const hooked = await asker.ask({ name: "stat", arguments: { path: "a.txt" } });
    expect(JSON.stringify(hooked.form.requestedSchema)).not.toContain("allow_and_remember");
    expect((await hooked.answer(accept("allow"))).isError).toBeUndefined();
  });

  test("nobody is asked about what is denied, or allowed", async () => {
    await using asker = await open({ rules: [...RULES, { deny: "stat(notes/**)" }] });
    const denied = await asker.call({ name: "stat", arguments: { path: "notes/b.txt" } });
    expect(denied._meta["dev.ringfence/failure"].code).toBe("denied");
    expect((await asker.call(read("a.txt"))).content.at(-1).text).toBe("a\n");
  });
});

test("a search that is allowed once opens what it was asked about, nothing that is denied, and only once", async () => {
  const files = { ...FILES, "notes/deep/c.txt": "b\n" };
  const rules = [...RULES, { deny: "*(notes/deep/**)" }];
  await using asker = await openAsker("2025-11-25", { files, config: { rules } });
  const search = { name: "grep", arguments: { pattern: "b", path: "notes" } };
  const result = await (await asker.ask(search)).answer(accept("allow"));
  expect(JSON.stringify(result.content)).toContain("notes/b.txt:");
  expect(JSON.stringify(result.content)).not.toContain("c.txt:");
  await (await asker.ask(search)).answer({ action: "cancel" });
});

test("a client that did not declare forms gets needs_approval at once", async () => {
  await using host = openTestHost({ files: FILES, config: { rules: RULES } });
  await host.request("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  expect((await host.call("read_file", { path: "notes/b.txt" })).failure?.code).toBe("needs_approval");
  expect(host.audit()).not.toContain('"event":"asked"');
});

test("the time in which a person thinks is not the call's", async () => {
  const budgets = { session: { wall_ms: 60_000, calls: 10 } };
  const clock = new HandClock();
  const config = { rules: RULES, budgets };
  await using asker = await openAsker("2025-11-25", { files: FILES, config, clock });
  const { answer } = await asker.ask(read("notes/b.txt"));
  clock.pass(1500);
  const result = await answer(accept("allow"));
  expect(result._meta["dev.ringfence/budget"].wall_ms).toBe(60_000);
  const completed = asker.host
    .audit()
    .split("\n")
    .find((line) => line.includes('"event":"completed"'));
  expect(JSON.parse(completed ?? "{}").ms).toBe(0);
});

test("a modern call and its repeat with the answer are one call of the budget", async () => {
  const budgets = { session: { calls: 10 } };
  await using asker = await openAsker("2026-07-28", { files: FILES, config: { rules: RULES, budgets } });
  const result = await (await asker.ask(read("notes/b.txt"))).answer(accept("allow"));
  expect(result._meta["dev.ringfence/budget"].calls).toBe(9);
});
