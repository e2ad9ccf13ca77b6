/**
 * A host in this process, used as a program would: what is listed can be called, changes wait, and rules hold.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtinTools, defineLocalTool, Failure, type HostEvent } from "ringfence";
import { z } from "zod";
import { settled } from "../waits/until.ts";
import { codeOf, Workspace } from "./workspace.ts";

const FILES = { "a.txt": "one\ntwo\n", "sub/b.txt": "two\n" };

describe("tools", () => {
  test("tools that are listed can be called, and no others", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open();
    const names = (await host.listTools()).map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(["list_directory", "read_file", "read_files"]);
    for (const name of names) {
      const { meta, failure } = await host.callTool(name, { nonsense: 1 });
      expect([name, failure?.code, typeof meta["dev.ringfence/auditId"]]).toEqual([name, "invalid_input", "string"]);
    }
    expect(await codeOf(host.callTool("read_fil", { path: "a.txt" }))).toBe("not_found");
  });

  test("answer with text, data and what is to be known of it", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open();
    const read = await host.callTool("read_file", { path: "a.txt" });
    expect(read).toMatchObject({ text: "one\ntwo\n", isError: false, failure: undefined });
    expect(read.structured).toMatchObject({ encoding: "utf-8", total_lines: 2 });
    const typed = await host.call("grep", { pattern: "two", output: "files" });
    expect(typed.structured.paths?.toSorted()).toEqual(["a.txt", "sub/b.txt"]);
  });

  test("the first search of a host that finds nothing says what would find something", async () => {
    using place = new Workspace({ "a.txt": "The TASK is here\n" });
    await using host = await place.open();
    const { structured } = await host.callTool("grep", { pattern: "task" });
    expect(structured?.["hint"]).toContain("a.txt");
  });

  test("a tool fails as an answer of callTool() and as an error of call()", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open();
    const answer = await host.callTool("read_file", { path: "a.tx" });
    expect(answer).toMatchObject({ isError: true, failure: { code: "not_found" }, structured: undefined });
    const thrown = await host.call("read_file", { path: "a.tx" }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Failure);
    expect((thrown as Failure).data).toEqual(answer.failure as Failure["data"]);
  });

  test("plain data of a tool is taken: what their caller does to it afterwards changes nothing", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open({ mode: "bypass" });
    const args = { operations: [{ op: "write_file", path: "c.txt", content: "asked" }] };
    const call = host.callTool("change_files", args);
    for (const operation of args.operations) operation.content = "changed";
    expect((await call).isError).toBe(false);
    expect(place.read("c.txt")).toBe("asked");
    const loop: Record<string, unknown> = {};
    loop["loop"] = loop;
    expect(await codeOf(host.callTool("stat", loop))).toBe("invalid_input");
  });

  test("tools of one's own stand beside the built-in ones", async () => {
    using place = new Workspace(FILES);
    const hello = defineLocalTool({
      name: "hello",
      description: "Says hello.",
      input: z.strictObject({ name: z.string().describe("To whom.") }),
      mutates: false,
      execute: ({ name }, ctx) => Promise.resolve(`hello ${name} in ${ctx.roots.length} root`),
    });
    await using host = await place.open({ tools: [...builtinTools, hello] });
    expect((await host.listTools()).at(-1)?.name).toBe("hello");
    expect((await host.callTool("hello", { name: "you" })).text).toContain("hello you in 1 root");
    expect(await codeOf(place.open({ tools: [hello, hello] }))).toBe("conflict");
  });
});

describe("changes", () => {
  test("changes wait as proposals, are applied once, and taken back", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open();
    const edit = { path: "a.txt", old_text: "two", new_text: "2" };
    const { proposal, structured } = await host.call("edit_file", edit);
    const id = proposal?.id ?? "";
    expect(structured).toMatchObject({ status: "proposed", proposal: id });
    expect(place.read("a.txt")).toBe("one\ntwo\n");
    expect((await host.proposals.list()).map((one) => one.id)).toEqual([id]);
    const shown = await host.proposals.get(id, { page: 1 });
    expect(shown.files[0]?.diff).toContain("+2");
    expect(shown.text).toContain(`id: ${id}@${shown.digest}\n`);
    expect((await host.proposals.get(id, { page: shown.pages + 1 })).text).toBe("");
    const { transaction } = await host.proposals.apply(id);
    expect(place.read("a.txt")).toBe("one\n2\n");
    expect(await codeOf(host.proposals.apply(id))).toBe("conflict");
    expect((await host.history.list(true))[0]).toMatchObject({ transaction, tool: "edit_file" });
    expect(await host.history.undo(transaction, { dryRun: true })).toMatchObject({ canUndo: true });
    expect(place.read("a.txt")).toBe("one\n2\n");
    await host.history.undo();
    expect(place.read("a.txt")).toBe("one\ntwo\n");
  });

  test("changes can be rejected, applied in part, and several at once", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open();
    const propose = async (path: string): Promise<string> =>
      (await host.callTool("write_file", { path, content: "x" })).proposal?.id ?? "";
    const [one, two, three] = [await propose("1"), await propose("2"), await propose("3")];
    expect(await host.proposals.reject(one, "no")).toMatchObject({ id: one, status: "rejected" });
    const done = await host.proposals.applyAll([one, two, three]);
    expect(done.map(({ status }) => status)).toEqual(["failed", "applied", "applied"]);
    expect(await host.proposals.applyAll([])).toEqual([]);
    const operations = ["4", "5"].map((path) => ({ op: "write_file" as const, path, content: "x" }));
    const { proposal } = await host.call("change_files", { operations });
    const applied = await host.proposals.apply(proposal?.id ?? "", { files: ["4"] });
    expect(applied.left_out?.map(({ path }) => path)).toEqual(["5"]);
    expect(["1", "2", "3", "4", "5"].map((name) => existsSync(join(place.root, name)))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test("changes that a call narrows to a plan stay proposals", async () => {
    using place = new Workspace(FILES);
    await using host = await place.open({ mode: "bypass" });
    const meta = { "dev.ringfence/mode": "plan" };
    const { proposal } = await host.callTool("write_file", { path: "c.txt", content: "c" }, { meta });
    expect(proposal).toBeDefined();
    expect(existsSync(join(place.root, "c.txt"))).toBe(false);
  });
});

describe("rules", () => {
  test("deny, ask and are explained; a grant settles what is asked", async () => {
    using place = new Workspace(FILES);
    const rules = [{ deny: "read_file(sub/**)" }, { ask: "grep" }];
    await using host = await place.open({ rules });
    expect((await host.callTool("read_file", { path: "sub/b.txt" })).failure?.code).toBe("denied");
    const asked = await host.callTool("grep", { pattern: "one" });
    expect(asked.failure?.code).toBe("needs_approval");
    expect((await host.explain("grep", { pattern: "one" })).decision.type).toBe("ask");
    expect(await host.grants.list()).toEqual([]);
    const grant = await host.grants.add("write_file(notes/**)");
    expect(await host.grants.list()).toEqual([grant]);
    const write = { path: "notes/n.txt", content: "n" };
    expect((await host.call("write_file", write)).structured.status).toBe("applied");
    expect(await host.grants.revoke(grant.id)).toEqual({ id: grant.id, status: "revoked" });
    expect((await host.call("write_file", { ...write, content: "m" })).structured.status).toBe("proposed");
    expect((await host.callTool("read_file", { path: "../state/keys" })).failure?.code).toBe("outside_scope");
  });

  test("rules are those of the options when the host was made, whatever happens to the options", async () => {
    using place = new Workspace(FILES);
    const options = { deny: ["sub"], rules: [{ deny: "stat" }] };
    await using host = await place.open(options);
    options.deny.length = 0;
    options.rules.length = 0;
    expect((await host.callTool("read_file", { path: "sub/b.txt" })).isError).toBe(true);
    expect((await host.callTool("stat", { path: "a.txt" })).failure?.code).toBe("denied");
  });
});

describe("a call that is given up", () => {
  test("a call is stopped by its signal or its time, and says so", async () => {
    using place = new Workspace(FILES);
    for (let at = 0; at < 200; at++) writeFileSync(join(place.root, `${at}.log`), "x".repeat(50_000));
    await using host = await place.open();
    const controller = new AbortController();
    const call = host.callTool("grep", { pattern: "(x+x+)+y" }, { signal: controller.signal });
    controller.abort();
    expect(await codeOf(call)).toBe("cancelled");
    expect(await codeOf(host.callTool("stat", { path: "." }, { signal: controller.signal }))).toBe("cancelled");
    expect(await codeOf(host.callTool("hash_file", { path: "." }, { timeoutMs: 0 }))).toBe("timed_out");
    expect(await codeOf(host.proposals.list({ signal: AbortSignal.abort() }))).toBe("cancelled");
    expect((await host.callTool("read_file", { path: "a.txt" })).isError).toBe(false);
  });

  test("a call that is given up tells how far it is before", async () => {
    using place = new Workspace({ "endless.bin": "" });
    // Sparse: no machine has hashed it before it is asked how far it is.
    truncateSync(join(place.root, "endless.bin"), 8 * 1024 ** 4);
    await using host = await place.open();
    const { promise, resolve } = Promise.withResolvers<number>();
    const controller = new AbortController();
    const options = {
      onProgress: ({ progress }: { progress: number }): void => resolve(progress),
      signal: controller.signal,
    };
    const call = codeOf(host.call("hash_file", { path: "endless.bin" }, options));
    expect(await settled("progress", promise)).toBeGreaterThan(0);
    controller.abort();
    expect(await call).toBe("cancelled");
  });
});

describe("events", () => {
  test("events tell what goes on record, from the moment on, until the stream or the host ends", async () => {
    using place = new Workspace(FILES);
    const host = await place.open({ client: "a program" });
    await host.callTool("stat", { path: "a.txt" });
    const [short, long] = [await host.events(), await host.events()];
    await host.callTool("read_file", { path: "a.txt" });
    for await (const { event, tool, client } of short) {
      expect([event, tool, client]).toEqual(["proposed", "read_file", "a program"]);
      break;
    }
    expect((await short.next()).done).toBe(true);
    await host.close();
    const seen: HostEvent[] = [];
    for await (const event of long) seen.push(event);
    expect(seen.map(({ event }) => event).slice(0, 4)).toEqual(["proposed", "decided", "started", "completed"]);
  });
});
