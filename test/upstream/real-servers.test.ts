/**
 * Servers that other people wrote, over stdio and over HTTP: the reference filesystem server and the everything server.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVERYTHING, startEverything } from "../fixtures/upstream/everything-server.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { openCommandHost } from "../proc/command-host.ts";
import { BUN, lookAt, openUpstreamHost, toolNames } from "./upstream-host.ts";

const MODULES = join(import.meta.dir, "..", "..", "node_modules", "@modelcontextprotocol");
const FILESYSTEM = join(MODULES, "server-filesystem", "dist", "index.js");

let host: TestHost | undefined;

afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
  host = undefined;
});

describe.skipIf(process.platform !== "linux")("over stdio", () => {
  test("the reference filesystem server reads and writes where it may", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-upstream-")));
    writeFileSync(join(folder, "a.txt"), "hello");
    host = await openUpstreamHost({ fs: { command: BUN, args: [FILESYSTEM, folder] } });
    expect(await toolNames(host)).toHaveLength(14);
    expect((await host.call("mcp_fs_read_text_file", { path: join(folder, "a.txt") })).text).toBe("hello");
    const { result, failure } = await host.call("mcp_fs_read_text_file", { path: "/etc/hostname" });
    expect([result.isError, failure?.code]).toEqual([true, "command_failed"]);
    expect((await host.call("mcp_fs_read_text_file", { pth: 1 })).failure?.code).toBe("invalid_input");
    await host.call("mcp_fs_write_file", { path: join(folder, "b.txt"), content: "new" });
    expect(await Bun.file(join(folder, "b.txt")).text()).toBe("new");
    rmSync(folder, { recursive: true });
  });

  test("the everything server gives texts, images, links and structured results, and reports progress", async () => {
    host = await openUpstreamHost({ every: { command: BUN, args: [EVERYTHING] } });
    expect((await host.call("mcp_every_echo", { message: "hi" })).text).toBe("Echo: hi");
    expect((await host.call("mcp:every:get-sum", { a: 2, b: 3 })).text).toContain("5");
    const { result } = await host.call("mcp:every:get-tiny-image", {});
    expect(result.content.some(({ type }: { type: string }) => type === "image")).toBe(true);
    const links = await host.call("mcp:every:get-resource-links", {});
    expect(links.all).toContain("[link to ");
    const meta = { progressToken: "p" };
    await host.call("mcp:every:trigger-long-running-operation", { duration: 1, steps: 2 }, meta);
    expect(host.messages.some(({ method }) => method === "notifications/progress")).toBe(true);
  });

  test("a server of the modern era is one too: this program itself", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "ringfence-upstream-")));
    writeFileSync(join(folder, "a.txt"), "hello");
    const main = join(import.meta.dir, "..", "..", "src", "main.ts");
    const args = [main, "serve", "--root", folder, "--state-dir", join(folder, "state"), "--fence", "off"];
    host = await openUpstreamHost({ self: { command: BUN, args } });
    expect((await host.call("mcp_self_read_file", { path: "a.txt" })).text).toBe("hello");
    expect((await host.call("mcp_self_read_file", { path: "b.txt" })).failure?.code).toBe("command_failed");
    rmSync(folder, { recursive: true });
  });
});

describe.skipIf(process.platform !== "linux")("over HTTP", () => {
  test("the everything server is spoken to by a process of its own, at an address that is listed", async () => {
    const { port, child: server } = await startEverything();
    try {
      const url = `http://127.0.0.1:${port}/mcp`;
      host = await openUpstreamHost({ far: { url } }, { config: { upstreamReach: [`127.0.0.1:${port}`] } });
      expect((await host.call("mcp_far_echo", { message: "hi" })).text).toBe("Echo: hi");
      const meta = { progressToken: "p" };
      await host.call("mcp:far:trigger-long-running-operation", { duration: 1, steps: 2 }, meta);
      expect(host.messages.some(({ method }) => method === "notifications/progress")).toBe(true);
      server.kill();
      await server.exited;
      expect((await host.call("mcp_far_echo", { message: "hi" })).failure?.code).toBe("command_failed");
    } finally {
      server.kill();
    }
  });

  test("a server over HTTP that redirects elsewhere is not followed there", async () => {
    let asked = 0;
    using elsewhere = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(String(asked++)),
    });
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => Response.redirect(`http://127.0.0.1:${elsewhere.port}/mcp`, 307),
    });
    host = openCommandHost({
      config: {
        upstream: { far: { url: `http://127.0.0.1:${server.port}/mcp` } },
        upstreamReach: [`127.0.0.1:${server.port}`],
      },
    });
    await expect(lookAt(host, ["far"])).rejects.toThrow("it answered with the error");
    expect(asked).toBe(0);
  });
});
