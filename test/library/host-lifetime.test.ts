/**
 * Hosts in this process from their options to their end: several at once, refused ones, closed ones that leave nothing behind.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost, defineLocalTool } from "ringfence";
import { z } from "zod";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { HANG_MS } from "../waits/until.ts";
import { codeOf, Workspace } from "./workspace.ts";

const FILES = { "a.txt": "one\ntwo\n", "sub/b.txt": "two\n" };

describe("hosts", () => {
  test("two on one root see each other's changes and keep out of each other's way", async () => {
    using place = new Workspace(FILES);
    await using first = await place.open({ mode: "bypass" });
    const second = await place.open();
    const { proposal } = await second.callTool("edit_file", {
      path: "a.txt",
      old_text: "two",
      new_text: "2",
    });
    const path = "a.txt";
    expect((await first.call("write_file", { path, content: "mine\n" })).structured.status).toBe("applied");
    expect(await codeOf(second.proposals.apply(proposal?.id ?? ""))).toBe("stale");
    const writes = [first, second].flatMap((host, who) =>
      Array.from({ length: 10 }, async (_, at) => {
        const made = await host.callTool("write_file", { path: `${who}-${at}`, content: "x" });
        if (made.proposal) await second.proposals.apply(made.proposal.id);
      }),
    );
    await Promise.all(writes);
    expect(readdirSync(place.root)).toHaveLength(22);
    await second.close();
    expect((await first.call("write_file", { path, content: "again\n" })).structured.status).toBe("applied");
    expect((await first.history.list()).length).toBe(22);
  });

  test("hosts that are closed answer nothing, hold no locks, and have finished or taken back what they did", async () => {
    using place = new Workspace(FILES);
    const host = await place.open({ mode: "bypass" });
    const pending = host.callTool("write_file", { path: "c.txt", content: "c" });
    await host.close();
    await host.close();
    const { isError } = await pending;
    expect(existsSync(join(place.root, "c.txt"))).toBe(!isError);
    expect(readdirSync(join(place.stateDir, "journal"))).toEqual([]);
    expect(await codeOf(host.callTool("stat", { path: "." }))).toBe("cancelled");
    await using next = await place.open({ mode: "bypass" });
    expect((await next.callTool("write_file", { path: "c.txt", content: "d" })).isError).toBe(false);
  });

  test("hosts that are closed stop what runs, and say so to whoever waits for it", async () => {
    using place = new Workspace(FILES);
    const begun = Promise.withResolvers<AbortSignal>();
    const wait = defineLocalTool({
      name: "wait",
      description: "Waits for ever.",
      input: z.strictObject({}),
      execute: async (_, ctx) => {
        begun.resolve(ctx.signal);
        return await new Promise<never>(() => undefined);
      },
    });
    const host = await place.open({ tools: [wait] });
    const call = host.callTool("wait");
    const signal = await begun.promise;
    await host.close();
    expect([signal.aborted, (await call).failure?.code]).toEqual([true, "cancelled"]);
  });

  test("hosts that are closed in the middle of a change leave all of it or nothing", async () => {
    using place = new Workspace({});
    mkdirSync(join(place.root, "many"));
    for (let at = 0; at < 800; at++) writeFileSync(join(place.root, "many", `${at}`), "x");
    const host = await place.open({ mode: "bypass", durability: "fast" });
    const begun = Promise.withResolvers<void>();
    const args = { source: "many", destination: "more", recursive: true };
    const copy = host.callTool("copy", args, { onProgress: () => begun.resolve() });
    await Promise.race([begun.promise, copy]);
    await host.close();
    const { isError } = await copy;
    expect(existsSync(join(place.root, "more"))).toBe(!isError);
    expect(readdirSync(join(place.stateDir, "journal"))).toEqual([]);
    await using next = await place.open({ mode: "bypass" });
    const again = await next.callTool("copy", { ...args, destination: "most" });
    expect([again.isError, readdirSync(join(place.root, "most")).length]).toEqual([false, 800]);
  });

  test("hosts are refused for what cannot be used", async () => {
    using place = new Workspace(FILES);
    expect(await codeOf(place.open({ fence: "auto" }))).toBe("unsupported");
    // The types of `call` are those of our own names.
    expect(await codeOf(place.open({ dialect: "claude" }))).toBe("unsupported");
    expect(await codeOf(place.open({ mode: "yolo" }))).toBe("invalid_input");
    expect(await codeOf(createHost({ stateDir: place.stateDir }))).toBe("invalid_input");
    expect(await codeOf(createHost({ roots: ["/nonexistent"], stateDir: place.stateDir }))).toBe("not_found");
    await using text = await place.open({ results: "text" });
    expect((await text.callTool("stat", { path: "a.txt" })).structured).toBeUndefined();
    expect(await codeOf(text.call("stat", { path: "a.txt" }))).toBe("unsupported");
  });

  test("hosts that are closed keep no program alive", async () => {
    using place = new Workspace(FILES);
    const entry = join(REPOSITORY, "src", "index.ts");
    const script = `const { createHost } = await import(${JSON.stringify(entry)});
      const host = await createHost({ roots: [${JSON.stringify(place.root)}], stateDir: ${JSON.stringify(place.stateDir)}, mode: "bypass" });
      const events = await host.events();
      await host.callTool("read_file", { path: "a.txt" });
      await host.callTool("write_file", { path: "c.txt", content: "c" });
      await host.close();
      console.log("closed");`;
    const child = Bun.spawn([process.execPath, "-e", script], {
      stdout: "pipe",
      stderr: "pipe",
      timeout: HANG_MS,
    });
    const [said, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect([await child.exited, said, errors]).toEqual([0, "closed\n", ""]);
  });
});
