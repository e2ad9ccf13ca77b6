/**
 * Proposals across processes: a host without roots applies what another one made, in the roots where it was made; a host
 * with other roots does not. Tools of a consumer's own program run only when their proposal is applied.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { resolveSettings } from "../../src/config/index.ts";
import { defineLocalTool } from "../../src/contract/index.ts";
import { callMethod } from "../../src/methods/index.ts";
import { Host } from "../../src/host/host.ts";
import { labelOf, openTestHost } from "../host/in-memory-host.ts";

describe("a proposal that another host made", () => {
  test("a proposal that another host made is applied by one without roots, as the command line does", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    const answer = await host.call("append_file", { path: "a.txt", content: "b\n" });
    using rootless = new Host({
      config: resolveSettings({ stateDir: host.stateDir }),
      tools: [],
    });
    const { signal } = new AbortController();
    const applied = await callMethod(rootless, "ringfence/proposals/apply", { id: labelOf(answer) }, { signal });
    expect(applied).toMatchObject({ status: "applied" });
    expect(host.read("a.txt")).toBe("a\nb\n");
  });

  test("a proposal that another host made is refused by one with other roots", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    await using other = openTestHost({ top: host.top, config: { roots: [host.outside] } });
    const answer = await host.call("append_file", { path: "a.txt", content: "b\n" });
    const { error } = await other.apply(answer, { id: labelOf(answer) });
    expect(error.data).toMatchObject({
      code: "conflict",
      hint: `Do it there, or at a terminal: \`ringfence proposals apply ${answer.proposal?.id} --state-dir ${host.stateDir}\`.`,
    });
    expect((await host.apply(answer)).result.status).toBe("applied");
  });
});

describe("a local tool that changes something", () => {
  const seen: string[] = [];
  const stamp = defineLocalTool({
    name: "stamp",
    description: "Writes a stamp into a file by itself.",
    input: z.strictObject({ path: z.string().describe("The file") }),
    mutates: true,
    plan: async ({ path }, ctx) => ({ summary: `Stamp ${path}`, paths: [await ctx.resolvePath(path)] }),
    execute: async ({ path }, ctx) => {
      seen.push(path);
      writeFileSync(await ctx.resolvePath(path), "stamped\n");
      return { stamped: path };
    },
  });

  test("a local tool that changes something is planned on a call and executed on apply, with the stored input", async () => {
    seen.length = 0;
    await using host = openTestHost({ files: { "a.txt": "a\n" }, tools: [stamp] });
    const answer = await host.call("stamp", { path: "a.txt" });
    expect(answer.proposal).toMatchObject({ summary: "Stamp a.txt", risk: "R4" });
    expect(answer.all).toContain("cannot be undone");
    expect([seen, host.read("a.txt")]).toEqual([[], "a\n"]);
    const { result } = await host.apply(answer);
    expect(result).toMatchObject({ status: "applied", result: { stamped: "a.txt" } });
    expect(host.read("a.txt")).toBe("stamped\n");
    expect((await host.apply(answer)).error.data.code).toBe("conflict");
    expect(seen).toEqual(["a.txt"]);
  });

  test("a local tool that changes something is stale when a named file has changed since", async () => {
    seen.length = 0;
    await using host = openTestHost({ files: { "a.txt": "a\n" }, tools: [stamp] });
    const answer = await host.call("stamp", { path: "a.txt" });
    writeFileSync(join(host.root, "a.txt"), "moved on\n");
    expect((await host.apply(answer)).error.data.code).toBe("stale");
    expect([seen, host.read("a.txt")]).toEqual([[], "moved on\n"]);
  });

  test("a local tool that changes something cannot plan outside the roots", async () => {
    await using host = openTestHost({ tools: [stamp] });
    mkdirSync(join(host.outside, "d"));
    const { failure } = await host.call("stamp", { path: join(host.outside, "d") });
    expect(failure?.code).toBe("outside_scope");
  });
});
