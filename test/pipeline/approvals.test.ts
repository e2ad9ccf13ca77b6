/**
 * A person asked through the protocol, in both eras: the form shows what would be written, its answers apply, remember,
 * choose or reject, and without an answer the proposal waits. What the modern client brings back can be used for nothing
 * else.
 */
import { describe, expect, test } from "bun:test";
import { openAsker, turnedAround, type Asker } from "../host/asker.ts";
import { openTestHost, type CallParams, type Json } from "../host/in-memory-host.ts";

const edit = (path = "a.txt"): CallParams => ({
  name: "edit_file",
  arguments: { path, old_text: "one", new_text: "1" },
});
const FILES = { "a.txt": "one\n", "b.txt": "one\n" };
const both = {
  name: "change_files",
  arguments: {
    operations: ["a.txt", "b.txt"].map((path) => ({
      op: "edit_file",
      path,
      old_text: "one",
      new_text: "1",
    })),
  },
};

describe.each(["2025-06-18", "2025-11-25", "2026-07-28"])("asked in %s", (version) => {
  async function open(config = {}): Promise<Asker> {
    return await openAsker(version, { files: FILES, config: { baseline: "if_known", ...config } });
  }

  test("the form shows the diff, and apply writes", async () => {
    await using asker = await open();
    const { form, answer } = await asker.ask(edit());
    expect(form.message).toContain("-one\n+1");
    expect(form.requestedSchema.required).toEqual(["decision"]);
    expect(asker.host.read("a.txt")).toBe("one\n");
    const result = await answer({ action: "accept", content: { decision: "apply" } });
    expect(result.content.at(-1).text).toStartWith("Applied: ");
    expect(result.content.at(-1).text).toContain("A person approved it.");
    expect(result.isError).toBeUndefined();
    expect(result._meta?.["dev.ringfence/proposal"]).toBeUndefined();
    expect(asker.host.read("a.txt")).toBe("1\n");
    expect((await asker.host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
  });

  test("a rejection comes back with its reason, and nothing is written", async () => {
    await using asker = await open();
    const { answer } = await asker.ask(edit());
    const result = await answer({ action: "accept", content: { decision: "reject", reason: "wrong file" } });
    expect(result).toMatchObject({ isError: true, _meta: { "dev.ringfence/failure": { code: "denied" } } });
    expect(result.content.at(-1).text).toContain("wrong file");
    expect(asker.host.read("a.txt")).toBe("one\n");
    expect((await asker.host.request("ringfence/proposals/list")).result.proposals).toEqual([]);
  });

  test.each([
    { action: "cancel" },
    { action: "accept", content: {} },
    { action: "accept", content: { decision: "yes" } },
    { action: "accept", content: { decision: "apply", files: ["elsewhere.txt"] } },
    { action: "accept", content: { decision: "apply", files: [] } },
    { action: "accept" },
    {},
    5,
  ])("an answer that decides nothing leaves the proposal waiting: %j", async (given) => {
    await using asker = await open();
    const { answer } = await asker.ask(edit());
    const result = await answer(given);
    const { id, digest } = result._meta["dev.ringfence/proposal"];
    expect(result.content.at(-1).text.trimEnd()).toEndWith(`${id}@${digest}`);
    expect(asker.host.read("a.txt")).toBe("one\n");
    expect((await asker.host.request("ringfence/proposals/apply", { id })).result.status).toBe("applied");
  });

  test("a rule that the form named is granted until the host ends, and nothing else", async () => {
    await using asker = await open();
    const { form, answer } = await asker.ask(edit());
    expect(JSON.stringify(form.requestedSchema.properties.decision)).toContain("Always: edit_file(a.txt), now");
    await answer({ action: "accept", content: { decision: "apply_and_remember" } });
    const { grants } = (await asker.host.request("ringfence/grants/list")).result;
    expect(grants).toMatchObject([{ rule: expect.any(String), remembered: false }]);
    const [{ rule }] = (await asker.host.request("ringfence/grants/list")).result.grants;
    expect(rule).toStartWith("edit_file(exact:");
    expect(asker.host.audit()).toContain(`"event":"granted","rule":${JSON.stringify(rule)}`);
    const again = { name: "edit_file", arguments: { path: "a.txt", old_text: "1", new_text: "2" } };
    expect((await asker.call(again)).content.at(-1).text).toStartWith("Applied: ");
    expect(asker.host.read("a.txt")).toBe("2\n");
    const append = { name: "append_file", arguments: { path: "a.txt", content: "x\n" } };
    for (const other of [edit("b.txt"), append]) await (await asker.ask(other)).answer({ action: "cancel" });
    expect([asker.host.read("a.txt"), asker.host.read("b.txt")]).toEqual(["2\n", "one\n"]);
    await asker.host.request("ringfence/grants/revoke", { id: grants[0].id });
    const third = { name: "edit_file", arguments: { path: "a.txt", old_text: "2", new_text: "3" } };
    await (await asker.ask(third)).answer({ action: "cancel" });
  });

  test("what no rule would settle cannot be remembered, and is asked about each time", async () => {
    await using asker = await open({ hooks: [{ tool: "edit_file", action: "confirm" }] });
    const { form, answer } = await asker.ask(edit());
    expect(JSON.stringify(form.requestedSchema)).not.toContain("apply_and_remember");
    await answer({ action: "accept", content: { decision: "apply_and_remember" } });
    expect(asker.host.read("a.txt")).toBe("one\n");
    await (await asker.ask(edit())).answer({ action: "accept", content: { decision: "apply" } });
    await (await asker.ask(edit("b.txt"))).answer({ action: "cancel" });
    expect([asker.host.read("a.txt"), asker.host.read("b.txt")]).toEqual(["1\n", "one\n"]);
  });

  test("the answer to the model has no secrets, what the person is shown does", async () => {
    await using asker = await open();
    const secret = ["ghp", "_abcdefghijklmnopqrstuvwxyz0123456789"].join("");
    await Bun.write(`${asker.host.root}/a.txt`, `one\n${secret}\n`);
    const { form, answer } = await asker.ask(edit());
    expect(form.message).toContain(secret);
    const result = JSON.stringify(await answer({ action: "accept", content: { decision: "apply" } }));
    expect(result).toContain("Applied: ");
    expect(result).not.toContain(secret);
    expect(result).toContain("[secret:");
    await Bun.write(`${asker.host.root}/b.txt`, `one\n${secret}\n`);
    const second = await asker.ask(edit("b.txt"));
    await Bun.write(`${asker.host.root}/b.txt`, `one\n${secret}\nmore\n`);
    const stale = await second.answer({ action: "accept", content: { decision: "apply" } });
    expect(stale._meta["dev.ringfence/failure"].code).toBe("stale");
    expect(JSON.stringify(stale)).not.toContain(secret);
  });

  test("files can be chosen, where forms have lists", async () => {
    await using asker = await open();
    const { form, answer } = await asker.ask(both);
    const { files } = form.requestedSchema.properties;
    if (version === "2025-06-18") expect(files).toBeUndefined();
    else expect(files.items.enum).toEqual(["a.txt", "b.txt"]);
    const chosen = { decision: "apply", files: ["b.txt"] };
    const result = await answer({ action: "accept", content: chosen });
    expect(result.content.at(-1).text).toContain("left out 1");
    expect([asker.host.read("a.txt"), asker.host.read("b.txt")]).toEqual(["one\n", "1\n"]);
  });

  test("whoever chooses some of the files and to be asked no more grants nothing", async () => {
    await using asker = await open();
    const { answer } = await asker.ask(both);
    await answer({ action: "accept", content: { decision: "apply_and_remember", files: ["b.txt"] } });
    expect((await asker.host.request("ringfence/grants/list")).result.grants).toEqual([]);
  });

  test("a file that changed while the person looked is not overwritten", async () => {
    await using asker = await open();
    const { answer } = await asker.ask(edit());
    await Bun.write(`${asker.host.root}/a.txt`, "one more\n");
    const result = await answer({ action: "accept", content: { decision: "apply" } });
    expect(result._meta["dev.ringfence/failure"].code).toBe("stale");
    expect(asker.host.read("a.txt")).toBe("one more\n");
  });

  test("nobody is asked in plan mode, nor about what applies at once or changes nothing", async () => {
    await using plan = await open({ mode: "plan" });
    expect((await plan.call(edit()))._meta["dev.ringfence/proposal"].id).toMatch(/^p_/);
    await using accept = await open({ mode: "accept_edits" });
    expect((await accept.call(edit())).content.at(-1).text).toStartWith("Applied: ");
    const narrowed = { ...edit("b.txt"), _meta: { "dev.ringfence/mode": "plan" } };
    expect((await accept.call(narrowed))._meta["dev.ringfence/proposal"].id).toMatch(/^p_/);
  });

  test("the question and the answer are on record", async () => {
    await using asker = await open();
    await (await asker.ask(edit())).answer({ action: "accept", content: { decision: "apply" } });
    const lines = asker.host.audit().split("\n");
    const at = (text: string): number => lines.findIndex((line) => line.includes(text));
    const places = ['"event":"asked"', '"answer":"apply"', '"event":"approved"', '"event":"applied"'].map(at);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes('"event":"asked"'))).toHaveLength(1);
  });
});

test("a client that did not declare forms gets the proposal at once", async () => {
  for (const capabilities of [{}, { elicitation: { url: {} } }]) {
    await using host = openTestHost({ files: FILES, config: { baseline: "if_known" } });
    await host.request("initialize", { protocolVersion: "2025-11-25", capabilities });
    const { result } = await host.request("tools/call", edit());
    expect(result._meta["dev.ringfence/proposal"].id).toMatch(/^p_/);
  }
});

test("a client that answers with an error, or ends its input, leaves the proposal waiting", async () => {
  await using asker = await openAsker("2025-11-25", { files: FILES, config: { baseline: "if_known" } });
  const first = asker.host.request("tools/call", edit(), "first");
  const { id } = await asker.question();
  asker.host.burst([{ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } }]);
  expect((await first).result._meta["dev.ringfence/proposal"].id).toMatch(/^p_/);
  const second = asker.host.request("tools/call", edit("b.txt"), "second");
  await asker.question();
  asker.host.session.endInput();
  expect((await second).result._meta["dev.ringfence/proposal"].id).toMatch(/^p_/);
});

test("a call that is cancelled takes its question back", async () => {
  await using asker = await openAsker("2025-11-25", { files: FILES, config: { baseline: "if_known" } });
  asker.host.burst([{ jsonrpc: "2.0", id: "gone", method: "tools/call", params: edit() }]);
  const { id } = await asker.question();
  asker.host.burst([{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "gone" } }]);
  await asker.host.session.settled();
  const cancelled = asker.host.messages.find(({ method }) => method === "notifications/cancelled");
  expect(cancelled.params.requestId).toBe(id);
  expect(asker.host.messages.some((message) => message.id === "gone")).toBe(false);
});

async function asked(): Promise<{ asker: Asker; state: string }> {
  const asker = await openAsker("2026-07-28", { files: FILES, config: { baseline: "if_known" } });
  const { result } = await asker.host.modern("tools/call", asker.withCapabilities(edit()));
  expect(result).toMatchObject({ resultType: "input_required" });
  return { asker, state: result.requestState };
}

describe("the state of a modern question", () => {
  const accept = { action: "accept", content: { decision: "apply" } };
  const again = async (asker: Asker, state: unknown, call = edit()): Promise<Json> =>
    await asker.host.modern("tools/call", {
      ...asker.withCapabilities(call),
      requestState: state,
      inputResponses: { approval: accept },
    });

  test("the state of a modern question is used once", async () => {
    const { asker, state } = await asked();
    await using _ = asker;
    expect((await again(asker, state)).result.resultType).toBe("complete");
    expect((await again(asker, state)).error).toMatchObject({ code: -32602, data: { reason: "used" } });
  });

  test("the state of a modern question belongs to its call, and the order of members does not matter", async () => {
    const { asker, state } = await asked();
    await using _ = asker;
    const other = await again(asker, state, edit("b.txt"));
    expect(other.error).toMatchObject({ code: -32602, data: { reason: "other_call" } });
    const turned = { ...edit(), arguments: turnedAround(edit().arguments) };
    expect((await again(asker, state, turned)).result.content.at(-1).text).toStartWith("Applied: ");
    expect(asker.host.read("b.txt")).toBe("one\n");
  });

  test.each(["", "x", "a.b", "a.b.c", 5, null, {}])(
    "the state of a modern question of another kind is refused: %j",
    async (state) => {
      const { asker } = await asked();
      await using _ = asker;
      expect((await again(asker, state)).error).toMatchObject({ code: -32602, data: { reason: "foreign" } });
    },
  );

  test("the state of a modern question cannot be changed, nor come from another process", async () => {
    const { asker, state } = await asked();
    await using _ = asker;
    const { asker: other, state: foreign } = await asked();
    await using __ = other;
    const [text = "", seal = ""] = state.split(".");
    const forged = Buffer.from(Buffer.from(text, "base64url").toString().replace("p_", "p-")).toString("base64url");
    for (const bad of [`${forged}.${seal}`, `${text}.${seal.slice(0, -2)}xx`, foreign])
      expect((await again(asker, bad)).error).toMatchObject({ code: -32602, data: { reason: "foreign" } });
    expect(asker.host.read("a.txt")).toBe("one\n");
  });

  test("without answers is asked again; answers without it are none", async () => {
    const { asker, state } = await asked();
    await using _ = asker;
    const call = asker.withCapabilities(edit());
    const repeated = await asker.host.modern("tools/call", {
      ...call,
      requestState: state,
      inputResponses: {},
    });
    expect(repeated.result).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
    expect(repeated.result.requestState).not.toBe(state);
    const bare = await asker.host.modern("tools/call", { ...call, inputResponses: { approval: accept } });
    expect(bare.result.resultType).toBe("input_required");
    const broken = await asker.host.modern("tools/call", { ...call, inputResponses: [] });
    expect(broken.error.code).toBe(-32602);
    expect(asker.host.read("a.txt")).toBe("one\n");
  });
});

test("the answers of a person can be repeated under one idempotency key", async () => {
  await using asker = await openAsker("2025-11-25", { files: FILES, config: { baseline: "if_known" } });
  const call = { ...edit(), _meta: { "dev.ringfence/idempotencyKey": "k" } };
  await (await asker.ask(call)).answer({ action: "accept", content: { decision: "apply" } });
  const repeated = await asker.call(call);
  expect(repeated.content.at(-1).text).toStartWith("Applied");
  expect(asker.host.read("a.txt")).toBe("1\n");
});
