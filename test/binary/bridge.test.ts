/**
 * The bridge with the compiled binary: the example in both eras, and clients that never answer, leave in the middle or
 * offer far too much.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";
import { binaryPath } from "./build-binary.ts";
import { Place, ServeProcess, type CallResult } from "./serve-process.ts";

const BRIDGE = "dev.ringfence/bridge";
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { extensions: { [BRIDGE]: {} } },
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
};
const skipWindows = process.platform === "win32";

describe.skipIf(skipWindows)("examples/bridge", () => {
  test.each([[[]], [["--modern"]]])("examples/bridge runs with %j", async (args) => {
    const main = join(REPOSITORY, "examples", "bridge", "main.ts");
    const child = Bun.spawn([process.execPath, main, ...args], {
      env: { PATH: process.env["PATH"], RINGFENCE: await binaryPath() },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [text, code] = await Promise.all([child.stdout.text(), child.exited]);
    expect(code).toBe(0);
    for (const part of ["client_space_context_request", "2 [ ] Send", "approved: Note 2 is done.", "2 [x] Send"])
      expect(text).toContain(part);
    expect(text).toContain("invalid_input");
  });
});

async function start(place: Place, tools: unknown, args: readonly string[] = []): Promise<ServeProcess> {
  const host = await ServeProcess.start(place, { args: ["--mode", "bypass", ...args] });
  const capabilities = { extensions: { [BRIDGE]: { tools } } };
  const clientInfo = { name: "t", version: "1" };
  await host.ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  return host;
}

const failureOf = (result: CallResult | undefined): string | undefined =>
  result?._meta?.["dev.ringfence/failure"]?.code;

describe("a client that", () => {
  test("a call is answered and the host ends when its client leaves in the middle", async () => {
    using place = new Place();
    await using host = await start(place, [{ name: "wait" }]);
    host.call(2, "client_wait", {});
    await host.find(({ method }) => method === "ringfence/bridge/call");
    expect(await host.close()).toBe(0);
    expect(failureOf(host.messages.find(({ id }) => id === 2)?.result)).toBe("timed_out");
  });

  test("offers ten thousand tools with large schemas gets a list that it can read", async () => {
    using place = new Place();
    const inputSchema = { type: "object", properties: { a: { enum: ["e".repeat(1200)] } } };
    const tools = Array.from({ length: 10_000 }, (_, index) => ({ name: `t${index}`, inputSchema }));
    await using host = await start(place, tools);
    const { result } = await host.ask(2, "tools/list");
    expect(JSON.stringify(result).length).toBeLessThan(2 * 1024 * 1024);
    const offer = await host.ask(3, "ringfence/bridge/tools");
    expect(offer.result?.tools?.length).toBe(128);
    expect(offer.result?.refused?.at(-1)?.offered).toBe("9872 more");
    expect(await host.close()).toBe(0);
  });

  test("offers schemas that are too large together gets the first of them", async () => {
    using place = new Place();
    const inputSchema = { type: "object", properties: { a: { enum: ["e".repeat(40_000)] } } };
    const tools = Array.from({ length: 100 }, (_, index) => ({ name: `t${index}`, inputSchema }));
    await using host = await start(place, tools);
    const { result } = await host.ask(2, "ringfence/bridge/tools");
    expect(result?.tools?.length).toBe(26);
    expect(result?.refused?.length).toBe(74);
  });

  test("answers in the modern era is the one that the call came from", async () => {
    using place = new Place();
    await using host = await ServeProcess.start(place, { args: ["--mode", "bypass"] });
    await host.ask(1, "ringfence/bridge/offer", { tools: [{ name: "now" }], _meta: MODERN });
    const params = { name: "client_now", arguments: {} };
    const { result } = await host.ask(2, "tools/call", { ...params, _meta: MODERN });
    expect(result).toMatchObject({
      resultType: "input_required",
      _meta: { [BRIDGE]: { call: { name: "now" } } },
    });
    const answer = { result: { content: [{ type: "text", text: "noon" }] } };
    const done = await host.ask(3, "tools/call", {
      ...params,
      requestState: result?.["requestState"],
      _meta: { ...MODERN, [BRIDGE]: answer },
    });
    expect(done.result?.content?.at(-1)?.text).toBe("noon");
  });
});
