/**
 * The program answers as its person: what a client would show in a form is asked in the middle of the call.
 */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Ask, PersonQuestion, PersonAnswer } from "ringfence";
import { codeOf, Workspace } from "./workspace.ts";

const FILES = { "a.txt": "one\n", "b.txt": "two\n" };
const WRITE = { path: "c.txt", content: "new\n" };

/** Answers in order, and keeps the questions. */
function answering(...answers: PersonAnswer[]): { readonly ask: Ask; readonly questions: PersonQuestion[] } {
  const questions: PersonQuestion[] = [];
  return { questions, ask: (question) => (questions.push(question), answers[questions.length - 1]) };
}

describe("ask()", () => {
  test("ask() is shown the change with its diff, and a yes makes it in the call", async () => {
    using place = new Workspace(FILES);
    const { ask, questions } = answering("apply");
    await using host = await place.open({ ask });
    const edit = { path: "a.txt", old_text: "one", new_text: "1" };
    const { structured, proposal } = await host.call("edit_file", edit);
    expect([structured.status, proposal, place.read("a.txt")]).toEqual(["applied", undefined, "1\n"]);
    expect(questions[0]?.message).toContain("-one\n+1\n");
    expect(questions[0]?.choices.map(({ value }) => value)).toEqual(["apply", "apply_and_remember", "reject"]);
    expect((await host.history.list()).length).toBe(1);
  });

  test("ask() that rejects gives its reason to the model, and the proposal is over", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open({ ask: () => ({ decision: "reject", reason: "use b.txt" }) });
    const { failure } = await host.callTool("write_file", WRITE);
    expect([failure?.code, failure?.message]).toEqual(["denied", expect.stringContaining("use b.txt")]);
    expect(await host.proposals.list()).toEqual([]);
    expect(existsSync(join(place.root, "c.txt"))).toBe(false);
  });

  test("ask() leaves some files of a change out", async () => {
    using place = new Workspace(FILES);
    const { ask, questions } = answering({ decision: "apply", files: ["c.txt"] });
    await using host = await place.open({ ask });
    const operations = ["c.txt", "d.txt"].map((path) => ({ op: "write_file" as const, path, content: "x" }));
    await host.callTool("change_files", { operations });
    expect(questions[0]?.files).toEqual(["c.txt", "d.txt"]);
    expect(["c.txt", "d.txt"].map((name) => existsSync(join(place.root, name)))).toEqual([true, false]);
  });

  test("ask() allows a read that a rule asks about, once or until the host ends", async () => {
    using place = new Workspace(FILES);
    const { ask, questions } = answering("allow", "allow_and_remember");
    await using host = await place.open({ ask, rules: [{ ask: "read_file" }] });
    for (let call = 0; call < 3; call++)
      expect((await host.callTool("read_file", { path: "a.txt" })).text).toBe("one\n");
    expect(questions.length).toBe(2);
    expect((await host.grants.list()).map(({ rule }) => rule)).toEqual([expect.stringContaining("read_file")]);
  });

  const silent: [what: string, ask: Ask][] = [
    ["answers nothing", () => undefined],
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["answers what is no choice", () => "yes"],
    ["answers with what is no answer", () => 7 as unknown as string],
    ["does not answer in time", async () => await new Promise<never>(() => undefined)],
  ];
  test.each(silent)("ask() that %s decides nothing: a change waits, a read fails", async (_what, ask) => {
    using place = new Workspace(FILES);
    await using host = await place.open({ ask, askTimeoutMs: 50, rules: [{ ask: "stat" }] });
    const { proposal } = await host.callTool("write_file", WRITE);
    expect([proposal?.tool, existsSync(join(place.root, "c.txt"))]).toEqual(["write_file", false]);
    expect((await host.callTool("stat", { path: "a.txt" })).failure?.code).toBe("needs_approval");
    expect((await host.proposals.apply(proposal?.id ?? "")).status).toBe("applied");
  });

  test("ask() and its answer are on record", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open({ ask: () => "apply" });
    const events = await host.events();
    await host.callTool("write_file", WRITE);
    await host.close();
    const seen: string[] = [];
    for await (const { event, answer } of events)
      seen.push(answer === undefined ? event : `${event} ${JSON.stringify(answer)}`);
    expect(seen.filter((one) => /^(?:asked|answered|approved|applied)/.test(one))).toEqual([
      "asked",
      'answered "apply"',
      "approved",
      "applied",
    ]);
  });

  test("ask() ends with the call that is given up, and with the host", async () => {
    using place = new Workspace(FILES);
    const asked = Promise.withResolvers<PersonQuestion>();
    const host = await place.open({
      ask: async (question) => (asked.resolve(question), await new Promise<never>(() => undefined)),
    });
    const controller = new AbortController();
    const call = codeOf(host.callTool("write_file", WRITE, { signal: controller.signal }));
    const { signal } = await asked.promise;
    controller.abort();
    expect([await call, signal.aborted]).toEqual(["cancelled", true]);
    const waiting = host.callTool("write_file", { ...WRITE, path: "d.txt" });
    await host.close();
    // The change may have been proposed by then, and waits.
    expect(["cancelled", undefined]).toContain((await waiting).failure?.code);
    expect(existsSync(join(place.root, "d.txt"))).toBe(false);
  });

  test("a host with ask: terminal asks nobody in a call", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open({ ask: "terminal" });
    expect((await host.callTool("write_file", WRITE)).proposal).toBeDefined();
    expect(await codeOf(place.open({ ask: () => "apply", askTimeoutMs: 0 }))).toBe("invalid_input");
    expect(await codeOf(place.open({ ask: "nobody" }))).toBe("invalid_input");
  });
});
