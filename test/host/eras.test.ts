/**
 * Both eras of MCP and scripts in one process, decided request by request: each gets the shapes of its own revision.
 */
import { describe, expect, test } from "bun:test";
import { MODERN_META, openTestHost, type Json } from "./in-memory-host.ts";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const EXTENSION = { proposals: true, history: true, policy: true, grants: true, events: true };

describe("the handshake", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "the handshake answers %s with itself",
    async (version) => {
      await using host = openTestHost();
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "t", version: "1" } };
      const { result } = await host.request("initialize", params);
      expect(result).toEqual({
        protocolVersion: version,
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: false },
          completions: {},
          logging: {},
          extensions: { "dev.ringfence": EXTENSION, "dev.ringfence/bridge": {} },
          experimental: { "dev.ringfence": EXTENSION, "dev.ringfence/bridge": {} },
        },
        serverInfo: {
          name: "ringfence",
          title: "ringfence",
          version: "0.0.0",
          description: expect.any(String),
        },
        instructions: "Test.",
      });
    },
  );

  test.each(["1999-01-01", "2026-07-28", undefined, 5])(
    "the handshake answers %p with the newest that shakes hands",
    async (version) => {
      await using host = openTestHost();
      const { result } = await host.request("initialize", { protocolVersion: version });
      expect(result.protocolVersion).toBe("2025-11-25");
    },
  );

  test("results carry nothing of the modern era", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    await host.request("initialize", { protocolVersion: "2025-11-25" });
    expect(Object.keys((await host.request("tools/list")).result)).toEqual(["tools"]);
    expect(Object.keys((await host.call("read_file", { path: "a.txt" })).result)).toEqual(["content", "_meta"]);
    expect((await host.request("ping")).result).toEqual({});
  });
});

const isComplete = (result: Json): void => {
  expect(result.resultType).toBe("complete");
  expect(result._meta["io.modelcontextprotocol/serverInfo"].name).toBe("ringfence");
};

describe("the modern era", () => {
  test("a client of the modern era discovers, lists and calls without a handshake", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    const { result: about } = await host.modern("server/discover");
    isComplete(about);
    expect(about).toMatchObject({
      supportedVersions: ["2026-07-28"],
      ttlMs: 3_600_000,
      cacheScope: "private",
    });
    const { result: list } = await host.modern("tools/list");
    isComplete(list);
    expect(list).toMatchObject({ ttlMs: expect.any(Number), cacheScope: "private" });
    const { result: call } = await host.modern("tools/call", {
      name: "read_file",
      arguments: { path: "a.txt" },
    });
    isComplete(call);
    expect(call.content.at(-1).text).toBe("a\n");
    expect("ttlMs" in call).toBe(false);
  });

  test("a proposal and a failure stand in _meta beside the server's own key", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    const params = { name: "append_file", arguments: { path: "a.txt", content: "b\n" } };
    const { result: proposed } = await host.modern("tools/call", params);
    isComplete(proposed);
    expect(proposed._meta["dev.ringfence/proposal"].id).toMatch(/^p_/);
    const { result: failed } = await host.modern("tools/call", { name: "stat", arguments: { path: "none" } });
    isComplete(failed);
    expect(failed).toMatchObject({
      isError: true,
      _meta: { "dev.ringfence/failure": { code: "not_found" } },
    });
  });

  test("the modern era has no initialize and no ping", async () => {
    await using host = openTestHost();
    for (const method of ["initialize", "ping"]) expect((await host.modern(method)).error.code).toBe(-32601);
  });

  const bad: [what: string, meta: object, code: number, data: object][] = [
    ["no version", { [CAPABILITIES]: {} }, -32602, { missing: VERSION }],
    ["no capabilities", { [VERSION]: "2026-07-28" }, -32602, { missing: CAPABILITIES }],
    ["capabilities as a list", { [VERSION]: "2026-07-28", [CAPABILITIES]: [] }, -32602, { missing: CAPABILITIES }],
    ["a version that is no string", { ...MODERN_META, [VERSION]: 1 }, -32602, { missing: VERSION }],
    [
      "another version",
      { ...MODERN_META, [VERSION]: "2027-01-01" },
      -32022,
      { supported: ["2026-07-28"], requested: "2027-01-01" },
    ],
    [
      "a version of any length, of which only the beginning comes back",
      { ...MODERN_META, [VERSION]: "v".repeat(500_000) },
      -32022,
      { supported: ["2026-07-28"], requested: "v".repeat(40) },
    ],
    ["only client information", { "io.modelcontextprotocol/clientInfo": {} }, -32602, { missing: VERSION }],
  ];
  test.each(bad)("a request of the modern era is refused: %s", async (_what, meta, code, data) => {
    await using host = openTestHost();
    const { error } = await host.request("tools/list", { _meta: meta });
    expect(error).toMatchObject({ code, data });
  });
});

describe("a script", () => {
  test("needs neither, and gets the plain shapes", async () => {
    await using host = openTestHost({ files: { "a.txt": "a\n" } });
    expect(Object.keys((await host.request("tools/list")).result)).toEqual(["tools"]);
    expect((await host.call("read_file", { path: "a.txt" })).text).toBe("a\n");
    expect((await host.call("read_file", { path: "a.txt" }, { progressToken: 1 })).text).toBe("a\n");
  });

  test("a script is turned away with --strict, and clients are not", async () => {
    await using host = openTestHost({ config: { strict: true } });
    const { error } = await host.request("tools/list");
    expect(error).toMatchObject({ code: -32602, data: { missing: VERSION } });
    expect((await host.modern("tools/list")).result.tools.length).toBeGreaterThan(0);
    await host.request("initialize", { protocolVersion: "2025-06-18" });
    expect((await host.request("tools/list")).result.tools.length).toBeGreaterThan(0);
  });
});

test("both eras take turns in one process", async () => {
  await using host = openTestHost();
  expect((await host.modern("server/discover")).result.resultType).toBe("complete");
  await host.request("initialize", { protocolVersion: "2025-06-18" });
  expect((await host.request("tools/list")).result.resultType).toBeUndefined();
  expect((await host.modern("tools/list")).result.resultType).toBe("complete");
  expect((await host.request("ping")).result).toEqual({});
});
