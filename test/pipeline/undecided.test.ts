/**
 * What the client answers is a person's word only where something was chosen in the form: a client without a person declines by
 * itself. Who decides elsewhere meanwhile has decided, and the configuration says where a person is asked.
 */
import { describe, expect, test } from "bun:test";
import type { Tool } from "../../src/contract/index.ts";
import { builtinTools } from "../../src/packs/index.ts";
import { openAsker, type Asker } from "../host/asker.ts";
import { HandClock } from "../host/hand-clock.ts";
import { labelOf, openTestHost, type CallParams } from "../host/in-memory-host.ts";
import { createSender } from "./send-page.ts";

const edit = (): CallParams => ({
  name: "edit_file",
  arguments: { path: "a.txt", old_text: "one", new_text: "1" },
});
const FILES = { "a.txt": "one\n" };

describe.each(["2025-06-18", "2025-11-25", "2026-07-28"])("asked in %s", (version) => {
  async function open(config = {}, tools: readonly Tool[] = builtinTools): Promise<Asker> {
    return await openAsker(version, { files: FILES, tools, config: { baseline: "if_known", ...config } });
  }

  test("a client that declines decides nothing: no person was seen, and the proposal waits", async () => {
    await using asker = await open();
    const { answer } = await asker.ask(edit());
    const result = await answer({ action: "decline" });
    expect(result.isError).toBeUndefined();
    const { id, digest } = result._meta["dev.ringfence/proposal"];
    const { text } = result.content.at(-1);
    expect(text).toStartWith("Proposed: ");
    expect(text).toContain("\nNote: The client declined the question, so nothing was decided.\n");
    expect(text.trimEnd()).toEndWith(`${id}@${digest}`);
    expect(asker.host.audit()).toContain('"answer":"decline"');
    expect(asker.host.audit()).not.toContain('"event":"rejected"');
    const again = await asker.ask(edit());
    expect(again.form.message).not.toContain("was rejected");
    expect((await asker.host.request("ringfence/proposals/apply", { id })).result.status).toBe("applied");
  });

  test("what was applied from elsewhere while the form was open is answered as applied", async () => {
    for (const given of [
      { action: "accept", content: { decision: "apply" } },
      { action: "decline" },
      { action: "cancel" },
    ]) {
      await using asker = await open();
      const { answer } = await asker.ask(edit());
      const [{ id }] = (await asker.host.request("ringfence/proposals/list")).result.proposals;
      const applied = (await asker.host.request("ringfence/proposals/apply", { id })).result;
      const result = await answer(given);
      expect(result.isError).toBeUndefined();
      expect(result.content.at(-1).text).toBe(
        `Applied: Edit a.txt (4 bytes -> 2 bytes). It was approved before.\nTransaction ${applied.transaction}`,
      );
      expect(asker.host.read("a.txt")).toBe("1\n");
    }
  });

  test("a rejection that comes after the change was applied from elsewhere says so, and how to undo it", async () => {
    await using asker = await open();
    const { answer } = await asker.ask(edit());
    const [{ id }] = (await asker.host.request("ringfence/proposals/list")).result.proposals;
    const { transaction } = (await asker.host.request("ringfence/proposals/apply", { id })).result;
    const result = await answer({ action: "accept", content: { decision: "reject", reason: "no" } });
    const command = `\`ringfence undo ${transaction} --state-dir ${asker.host.stateDir}\``;
    expect(result.content.at(-1).text).toBe(
      `conflict: Cannot reject the change: it was applied before the answer came. ${command} takes it back.`,
    );
  });

  test("a call that was made elsewhere while the form was open is neither made again nor said to be taken back", async () => {
    for (const [given, said] of [
      [
        { action: "accept", content: { decision: "apply" } },
        /^Applied: .*\. It was approved elsewhere, where its answer is\.$/,
      ],
      [
        { action: "accept", content: { decision: "reject" } },
        /^conflict: Cannot reject the call: it was approved and made before the answer came\. What it did stands/,
      ],
    ] as const) {
      const sender = createSender();
      await using asker = await open({}, [sender.tool]);
      const { answer } = await asker.ask({ name: "send_page", arguments: { text: "hello" } });
      const [{ id }] = (await asker.host.request("ringfence/proposals/list")).result.proposals;
      await asker.host.request("ringfence/proposals/apply", { id });
      expect((await answer(given)).content.at(-1).text).toMatch(said);
      expect(sender.sent).toEqual(["hello"]);
    }
  });

  test("what was rejected from elsewhere while the form was open is neither applied nor said to wait", async () => {
    for (const given of [{ action: "accept", content: { decision: "apply" } }, { action: "decline" }]) {
      await using asker = await open();
      const { answer } = await asker.ask(edit());
      const [{ id }] = (await asker.host.request("ringfence/proposals/list")).result.proposals;
      await asker.host.request("ringfence/proposals/reject", { id, reason: "wrong file" });
      const result = await answer(given);
      expect(result._meta["dev.ringfence/failure"].code).toBe("conflict");
      expect(result.content.at(-1).text).toContain("it was rejected: wrong file");
      expect(asker.host.read("a.txt")).toBe("one\n");
    }
  });

  test("the record keeps how long the answer took", async () => {
    const clock = new HandClock();
    await using asker = await openAsker(version, { files: FILES, config: { baseline: "if_known" }, clock });
    const { answer } = await asker.ask(edit());
    clock.pass(1500);
    await answer({ action: "cancel" });
    const answered = asker.host
      .audit()
      .split("\n")
      .find((line) => line.includes('"event":"answered"'));
    expect(JSON.parse(answered ?? "{}")).toMatchObject({ answer: "wait", ms: 1500 });
  });

  test("with `ask: terminal` the client is never asked", async () => {
    await using asker = await open({ ask: "terminal" });
    expect((await asker.call(edit()))._meta["dev.ringfence/proposal"].id).toMatch(/^p_/);
    const search = await asker.call({ name: "grep", arguments: { pattern: "password" } });
    expect(search._meta["dev.ringfence/failure"].code).toBe("needs_approval");
    expect(asker.host.audit()).not.toContain('"event":"asked"');
  });
});

test("with `ask: client` only the process that proposed a change applies it, and only it says so", async () => {
  const config = { baseline: "if_known", ask: "client" };
  await using host = openTestHost({ files: FILES, config });
  await using terminal = openTestHost({ top: host.top, config: { baseline: "if_known" } });
  const made = await host.call("edit_file", edit().arguments);
  const { error } = await terminal.request("ringfence/proposals/apply", { id: labelOf(made) });
  expect(error.data).toMatchObject({ code: "denied", hint: expect.stringContaining("ask: client") });
  expect(host.read("a.txt")).toBe("one\n");
  expect((await host.apply(made)).result.status).toBe("applied");
  expect(host.read("a.txt")).toBe("1\n");
  const { failure } = await host.call("grep", { pattern: "password" });
  expect(failure).toMatchObject({ code: "needs_approval", details: { method: "ringfence/grants/add" } });
  expect(failure?.hint).not.toContain("`ringfence ");
});
