/**
 * Calls that are sent again with their idempotency key: answered as the first time and made once, also by a host that is
 * started after the first was killed, and also when it was killed before the answer went out.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NEVER_CANCELLED } from "../../src/base/index.ts";
import { resolveSettings } from "../../src/config/index.ts";
import { Host } from "../../src/host/host.ts";
import { callMethod } from "../../src/methods/index.ts";
import { AnswerStore } from "../../src/state/index.ts";
import { Place, ServeProcess, type WireMessage } from "../binary/serve-process.ts";
import { attach, canInject } from "../crash/inject.ts";
import { labelOf, openTestHost } from "../host/in-memory-host.ts";
import { until } from "../waits/until.ts";

const KEY = { "dev.ringfence/idempotencyKey": "key 1" };

describe("a call with a key", () => {
  test("a call with a key is made once and answered the same", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" }, config: { mode: "bypass" } });
    const given = { path: "a.txt", content: "more\n" };
    const first = await host.call("append_file", given, KEY);
    const again = await host.call("append_file", given, KEY);
    expect(again.result.content).toEqual(first.result.content);
    expect(host.read("a.txt")).toBe("a\nmore\n");
    await host.call("append_file", given);
    expect(host.read("a.txt")).toBe("a\nmore\nmore\n");
  });

  test("a call with a key makes one proposal", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" }, config: { mode: "default" } });
    const given = { path: "a.txt", content: "more\n" };
    const first = await host.call("append_file", given, KEY);
    const again = await host.call("append_file", given, KEY);
    expect(first.proposal?.id).toBeDefined();
    expect(again.proposal?.id).toBe(first.proposal?.id ?? "");
  });

  test.each([
    ["append_file", { path: "a.txt", content: "other\n" }],
    ["write_file", { path: "a.txt", content: "more\n" }],
  ])("a key that is used for another call is a conflict: %s", async (tool, given) => {
    await using host = openTestHost({ files: { "a.txt": "a\n" }, config: { mode: "bypass" } });
    await host.call("append_file", { path: "a.txt", content: "more\n" }, KEY);
    const { failure } = await host.call(tool, given, KEY);
    expect(failure?.code).toBe("conflict");
    expect(host.read("a.txt")).toBe("a\nmore\n");
  });

  test("a call with a key is answered as applied once its proposal is, in the form of the caller", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" }, config: { results: "structured" } });
    const given = { path: "a.txt", content: "more\n" };
    const first = await host.call("append_file", given, KEY);
    const rootless = new Host({
      config: resolveSettings({ stateDir: host.stateDir }),
      tools: [],
    });
    using _ = rootless;
    const caller = { signal: new AbortController().signal };
    const applied = await callMethod(rootless, "ringfence/proposals/apply", { id: labelOf(first) }, caller);
    const again = await host.call("append_file", given, KEY);
    expect(again.all).toStartWith("Applied: ");
    expect(again.result.structuredContent).toMatchObject({
      status: "applied",
      transaction: "transaction" in applied ? applied.transaction : "",
    });
    expect(host.read("a.txt")).toBe("a\nmore\n");
  });

  test("a call with a key is told that its proposal was rejected", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    const given = { path: "a.txt", content: "more\n" };
    const { proposal } = await host.call("append_file", given, KEY);
    await host.request("ringfence/proposals/reject", { id: proposal?.id, reason: "not now" });
    const { failure } = await host.call("append_file", given, KEY);
    expect(failure).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("rejected: not now"),
    });
  });

  test("a call with a key waits while another host makes the same, and answers as that did", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" }, config: { mode: "bypass" } });
    const given = { path: "a.txt", content: "more\n" };
    const first = await host.call("append_file", given, KEY);
    const folder = join(host.stateDir, "answers");
    const [name = ""] = readdirSync(folder);
    const answer = readFileSync(join(folder, name), "utf8");
    rmSync(join(folder, name));
    const other = new AnswerStore(folder);
    const held = other.hold(KEY["dev.ringfence/idempotencyKey"], NEVER_CANCELLED);
    const again = host.call("append_file", given, KEY);
    await until("the change worker to have the call", () => host.host.changing);
    expect(host.read("a.txt")).toBe("a\nmore\n");
    writeFileSync(join(folder, name), answer);
    held[Symbol.dispose]();
    expect((await again).result?.["content"]).toEqual(first.result?.["content"]);
    expect(host.read("a.txt")).toBe("a\nmore\n");
  });

  test("a call with a key that failed may be made again", async () => {
    await using host = openTestHost({ config: { mode: "bypass" } });
    const given = { path: "a.txt", old_text: "a", new_text: "b" };
    expect((await host.call("edit_file", given, KEY)).failure?.code).toBe("not_found");
    writeFileSync(join(host.root, "a.txt"), "a\n");
    expect((await host.call("edit_file", given, KEY)).failure).toBeUndefined();
    expect(host.read("a.txt")).toBe("b\n");
  });
});

describe("after a kill", () => {
  let place: Place;
  beforeEach(() => {
    place = new Place();
    writeFileSync(join(place.root, "a.txt"), "a\n");
  });
  afterEach(() => place[Symbol.dispose]());

  const args = ["--mode=bypass", "--fence=off"];
  const given = { path: "a.txt", content: "more\n" };
  const content = (): string => readFileSync(join(place.root, "a.txt"), "utf8");

  async function sendAgain(): Promise<WireMessage> {
    await using next = await ServeProcess.start(place, { args });
    next.call(2, "append_file", given, KEY);
    const again = await next.answer(2);
    expect(readdirSync(join(place.stateDir, "journal"))).toEqual([]);
    return again;
  }

  test("a new host answers as the first did", async () => {
    await using host = await ServeProcess.start(place, { args });
    host.call(2, "append_file", given, KEY);
    const first = await host.answer(2);
    await host[Symbol.asyncDispose]();
    expect((await sendAgain()).result?.["content"]).toEqual(first.result?.content ?? []);
    expect(content()).toBe("a\nmore\n");
  });

  // The first call of this kind comes after the commit point, where the answer is put into its place.
  test.skipIf(!canInject()).each(["unlink", "rename", "write", "fsync", "link"])(
    "that came in any %s of the first, it is made once",
    async (call) => {
      for (let nth = 1; nth <= 8; nth++) {
        writeFileSync(join(place.root, "a.txt"), "a\n");
        const key = { "dev.ringfence/idempotencyKey": `${call} ${nth}` };
        await using host = await ServeProcess.start(place, { args });
        await host.ask(1, "ringfence/history/list");
        const log = join(place.path, "strace.log");
        const tracer = await attach(host.child.pid, log, { call, nth, fault: "kill" });
        host.call(2, "append_file", given, key);
        await host.answerOrEnd(2);
        await tracer.detach();
        await host[Symbol.asyncDispose]();
        await using next = await ServeProcess.start(place, { args });
        next.call(3, "append_file", given, key);
        const again = await next.answer(3);
        expect([nth, again.result?.["isError"], content()]).toEqual([nth, undefined, "a\nmore\n"]);
      }
    },
  );
});
