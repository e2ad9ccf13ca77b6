/**
 * The methods for programs that explain and watch, and the failures of ids: in both eras and for scripts.
 */
import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { MODERN_META, labelOf, openTestHost, type Json, type TestHost } from "../host/in-memory-host.ts";

const FILES = { "a.txt": "one\n" };
const edit = { path: "a.txt", old_text: "one", new_text: "1" };
type Ask = (method: string, params?: object) => Promise<Json>;
const CALLERS: [string, (host: TestHost) => Promise<Ask>][] = [
  ["a script", async (host) => await Promise.resolve(host.request)],
  ["the modern era", async (host) => await Promise.resolve(host.modern)],
  [
    "the handshake era",
    async (host) => {
      await host.request("initialize", { protocolVersion: "2024-11-05" });
      return host.request;
    },
  ],
];

describe.each(CALLERS)("%s", (_name, connect) => {
  test("a client is told the decision about a call that is not made", async () => {
    await using host = openTestHost({ files: FILES });
    const ask = await connect(host);
    const explain = async (name: string, given: object): Promise<Json> =>
      (await ask("ringfence/policy/explain", { name, arguments: given })).result.decision;
    expect(await explain("read_file", { path: "a.txt" })).toMatchObject({ type: "allow", risk: "R1" });
    expect(await explain("edit_file", edit)).toEqual({
      type: "ask",
      reason: expect.any(String),
      source: "mode",
      rule: "default",
      risk: "R2",
      suggested_rule: `edit_file(exact:${JSON.stringify({
        call: { risk: "R2", acts: [["write", host.root, "a.txt"]] },
      })})`,
    });
    expect(host.read("a.txt")).toBe("one\n");
    expect((await ask("ringfence/proposals/list")).result.proposals).toEqual([]);
    expect((await ask("ringfence/policy/explain", { name: "reed_file" })).error.code).toBe(-32602);
    const bad = await ask("ringfence/policy/explain", { name: "read_file", arguments: { paht: 1 } });
    expect(bad.error).toMatchObject({ code: 1, data: { code: "invalid_input" } });
    expect((await ask("ringfence/policy/explain", {})).error.data.code).toBe("invalid_input");
  });

  test("a client is told what happens, once it asked", async () => {
    await using host = openTestHost({ files: FILES });
    const ask = await connect(host);
    const events = (): Json[] => host.messages.filter(({ method }) => method === "ringfence/events");
    await ask("tools/call", { name: "read_file", arguments: { path: "a.txt" } });
    expect(events()).toEqual([]);
    for (let again = 0; again < 2; again++)
      expect((await ask("ringfence/events/subscribe")).result.subscribed).toBe(true);
    await ask("tools/call", { name: "read_file", arguments: { path: "a.txt" } });
    expect(events()).toHaveLength(4);
    expect(events()[1].params).toMatchObject({
      time: expect.stringMatching(/^\d{4}-/),
      event: "decided",
      tool: "read_file",
      decision: "allow",
    });
    await ask("tools/call", { name: "edit_file", arguments: edit });
    const names = events().map(({ params }) => params.event);
    expect(names.slice(4)).toEqual(["proposed", "decided", "started", "change", "completed"]);
    expect(JSON.stringify(events())).not.toContain("+1");
  });

  test("a client gets a failure of its own for an id that is unknown, used, rejected, expired or foreign", async () => {
    await using host = openTestHost({ files: FILES });
    const ask = await connect(host);
    const propose = async (): Promise<string> =>
      (await ask("tools/call", { name: "edit_file", arguments: edit })).result._meta["dev.ringfence/proposal"].id;
    const apply = async (id: unknown): Promise<Json> => {
      const { error } = await ask("ringfence/proposals/apply", { id });
      expect(error.code).toBe(1);
      return [error.data.code, error.data.message.replace(/"[^"]*"/, "ID")];
    };
    expect(await apply("p_0000000000000000000000")).toEqual(["not_found", "Cannot find the proposal ID: no such id"]);
    expect(await apply(5)).toEqual(["invalid_input", expect.any(String)]);
    const rejected = await propose();
    await ask("ringfence/proposals/reject", { id: rejected, reason: "no" });
    expect(await apply(rejected)).toEqual(["conflict", "Cannot use the proposal ID: it was rejected: no"]);
    const expired = await propose();
    const file = join(host.stateDir, "proposals", `${expired}.json`);
    const stored = JSON.parse(await Bun.file(file).text()) as object;
    await Bun.write(file, JSON.stringify({ ...stored, expires: 1 }));
    expect(await apply(expired)).toEqual(["stale", "Cannot use the proposal ID: it was expired"]);
    const used = await propose();
    expect((await ask("ringfence/proposals/apply", { id: used })).result.status).toBe("applied");
    expect(await apply(used)).toEqual(["conflict", "Cannot use the proposal ID: it was applied"]);
  });

  test("a client is refused what it misspelt, because it asked for less than all", async () => {
    await using host = openTestHost({ files: FILES });
    const ask = await connect(host);
    const call = async (): Promise<Json> => await ask("tools/call", { name: "edit_file", arguments: edit });
    const { id } = (await call()).result._meta["dev.ringfence/proposal"];
    const refused: [method: string, params: object, word: string][] = [
      ["proposals/apply", { id, file: ["b.txt"] }, "Did you mean files?"],
      ["proposals/apply", { id, hunk: {} }, "Did you mean hunks?"],
      ["proposals/apply", { id, ids: [id] }, "not several"],
      ["proposals/apply", { id, request: 1 }, "not both"],
      ["proposals/list", { id }, "It takes check, ids."],
      ["proposals/list", { check: "yes" }, "check must be true or false"],
      ["proposals/reject", { id, reason: "n".repeat(1001) }, "at most 1000 characters"],
      ["history/undo", { dryRun: true }, "Did you mean dry_run?"],
      ["grants/add", { rule: "edit_file", once: true }, "It takes rule, remember, roots, session, minutes."],
      ["grants/add", { rule: `edit_file(${"x".repeat(100_000)})` }, "longer than 16384 characters"],
    ];
    for (const [method, params, word] of refused) {
      const { error } = await ask(`ringfence/${method}`, params);
      expect(error).toMatchObject({ code: 1, data: { code: "invalid_input" } });
      expect(error.message).toContain(word);
      expect(error.message.length).toBeLessThan(1000);
    }
    expect(host.read("a.txt")).toBe("one\n");
    const long = await ask("ringfence/proposals/apply", { request: "r".repeat(500_000) });
    expect(long.error).toMatchObject({ code: 1, data: { code: "not_found" } });
    expect(JSON.stringify(long).length).toBeLessThan(1000);
    expect((await ask("ringfence/proposals/apply", { id, files: ["a.txt"] })).result.status).toBe("applied");
  });

  test("a client cannot apply the proposal of a host with other roots", async () => {
    await using first = openTestHost({ files: FILES });
    const made = await first.call("edit_file", edit);
    const config = { roots: [first.outside], stateDir: first.stateDir };
    await using other = openTestHost({ config });
    const ask = await connect(other);
    const { error } = await ask("ringfence/proposals/apply", { id: labelOf(made) });
    expect(error.data).toMatchObject({ code: "conflict", message: expect.stringContaining("other roots") });
    expect(first.read("a.txt")).toBe("one\n");
  });
});

test("listeners do not fail when the record cannot be written", async () => {
  await using host = openTestHost({ files: FILES });
  await host.request("ringfence/events/subscribe", { _meta: MODERN_META });
  rmSync(join(host.stateDir, "audit"), { recursive: true, force: true });
  expect((await host.call("read_file", { path: "a.txt" })).text).toBe("one\n");
});
