/**
 * What a person approved is what is offered: the same at every start, without what a server has changed since, and nothing
 * at all before anybody looked.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openUpstreamStore, reviewOf } from "../../src/upstream/index.ts";
import { openCommandHost } from "../proc/command-host.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { hostile, lookAt, openUpstreamHost, toolNames } from "./upstream-host.ts";

let host: TestHost | undefined;

afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
  host = undefined;
});

const again = (opened: TestHost, mode: string): TestHost =>
  openCommandHost({ config: { upstream: { bad: hostile(mode) } }, top: opened.top });

describe.skipIf(process.platform !== "linux")("the tools of a server", () => {
  test("the tools of a server are not offered before anybody looked, and nothing is started for the list", async () => {
    host = openCommandHost({ config: { upstream: { bad: hostile("ok") } } });
    expect(await toolNames(host)).toEqual([]);
    expect(existsSync(join(host.stateDir, "upstream"))).toBe(false);
    expect((await host.call("system_info", {})).text).toContain("ringfence upstream review bad");
  });

  test("the tools of a server are the same at every start, with their schemas, whatever the server says now", async () => {
    host = await openUpstreamHost({ bad: hostile("ok") });
    const first = (await host.request("tools/list", {})).result;
    using second = again(host, "changed").host;
    expect(JSON.stringify((await second.registry()).list().map(({ name }) => name))).toBe(
      JSON.stringify((first.tools as { name: string }[]).map(({ name }) => name)),
    );
    const echo = (first.tools as { name: string }[]).find(({ name }) => name === "mcp_bad_echo");
    expect(echo).toEqual({
      name: "mcp_bad_echo",
      title: "mcp_bad_echo",
      description: 'From the MCP server "bad", which says: Says it again.',
      inputSchema: { type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } },
      annotations: {
        title: "mcp_bad_echo",
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
      _meta: { "anthropic/maxResultSizeChars": 500_000 },
    } as never);
  });

  test("tools that changed between two starts are refused, then withheld, then offered again once approved", async () => {
    host = await openUpstreamHost({ bad: hostile("changed") }, { before: { bad: hostile("ok") } });
    const { failure } = await host.call("mcp_bad_echo", { text: "a" });
    expect(failure).toMatchObject({ code: "denied" });
    expect(failure?.hint).toContain("ringfence upstream review bad");
    const names = await toolNames(host);
    expect(names).toContain("mcp_bad_echo");
    const { changed, same } = reviewOf(openUpstreamStore(host.stateDir), "bad");
    expect([changed, same.length]).toEqual([["echo"], 1]);

    const next = again(host, "changed");
    expect(await toolNames(next)).toEqual(["mcp_bad_a_name_that_is_m_ca05c6"]);
    expect((await next.request("tools/call", { name: "mcp_bad_echo", arguments: {} })).error.code).toBe(-32602);
    await lookAt(next, ["bad"]);
    await next[Symbol.asyncDispose]();

    const last = again(host, "changed");
    expect(await toolNames(last)).toEqual(names);
    expect((await last.call("mcp_bad_echo", { text: "a" })).text).toBe("a");
    await last[Symbol.asyncDispose]();
  });

  test("tools that change while the server runs are refused from then on", async () => {
    host = await openUpstreamHost({ bad: hostile("change") }, { before: { bad: hostile("ok") } });
    expect((await host.call("mcp_bad_echo", { text: "a" })).text).toBe("a");
    expect((await host.call("mcp_bad_echo", { text: "a" })).failure?.code).toBe("denied");
  });

  test("tools that change while the server runs, and say nothing of it, are refused from then on", async () => {
    host = await openUpstreamHost({ bad: hostile("change-silently") }, { before: { bad: hostile("ok") } });
    expect((await host.call("mcp_bad_echo", { text: "a" })).text).toBe("a");
    expect((await host.call("mcp_bad_echo", { text: "a" })).failure?.code).toBe("denied");
  });

  test("tools that cannot be offered are named, and the others are offered", async () => {
    host = await openUpstreamHost({ bad: hostile("lie") });
    expect(await toolNames(host)).toEqual(["mcp_bad_echo"]);
    const { seen } = reviewOf(openUpstreamStore(host.stateDir), "bad");
    expect(seen?.problems?.join("\n")).toContain("bad schema has no usable name");
    expect(seen?.problems?.join("\n")).toContain("big has a schema of");
    expect(seen?.problems?.join("\n")).toContain("echo is there twice");
  });

  test("tools whose file was changed by hand count as not approved", async () => {
    host = await openUpstreamHost({ bad: hostile("ok") });
    const path = join(host.stateDir, "upstream", "bad.approved.json");
    writeFileSync(path, readFileSync(path, "utf8").replace("Says it again", "Says it loud"));
    expect(await toolNames(host)).toEqual([]);
  });

  test("the tools of a server are asked about like nothing else, unless the operator knows that they read", async () => {
    const config = { mode: "default" };
    host = await openUpstreamHost({ bad: hostile("ok") }, { config });
    const asked = await host.call("mcp_bad_echo", { text: "a" });
    expect(asked.proposal).toMatchObject({ risk: "R4", summary: 'Call echo of the MCP server "bad"' });
    expect((await host.apply(asked)).result).toMatchObject({ status: "applied", result: { text: "a" } });
    await host[Symbol.asyncDispose]();
    host = await openUpstreamHost({ bad: hostile("ok", "", { read_tools: ["ec*"] }) }, { config });
    expect((await host.call("mcp_bad_echo", { text: "a" })).text).toBe("a");
    expect((await host.call("mcp:bad:a-name-that-is-much-too-long-for-anybody", {})).proposal).toBeDefined();
  });
});
