/**
 * Tools of other servers under names of ours or of a dialect: what callers see, what the server gets, and that rules, the record and
 * what a person has approved mean the server's tool all the same.
 */
import { join } from "node:path";
import { afterEach, describe, expect, test } from "bun:test";
import { loadConfig, type RawConfig } from "../../src/config/index.ts";
import type { TestHost } from "../host/in-memory-host.ts";
import { BUN, openUpstreamHost, type Servers } from "./upstream-host.ts";

const SERVER = join(import.meta.dir, "..", "fixtures", "upstream", "named-server.ts");

const AS = {
  "web.search": { tool: "do-search", arguments: { query: "q", limit: "max" }, with: { safe: true } },
  k8s_pods: { tool: "resources_list", arguments: { namespace: "namespace" }, with: { kind: "Pod" } },
  "k8s.deployments": { tool: "resources_list", arguments: { namespace: "namespace" }, with: { kind: "Deployment" } },
};

let host: TestHost | undefined;

afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
  host = undefined;
});

function servers(more: object = {}, mode = "ok"): Servers {
  return { corp: { command: BUN, args: [SERVER, mode], as: AS, ...more } };
}

async function open(config: RawConfig = {}, more: object = {}): Promise<TestHost> {
  return (host = await openUpstreamHost(servers(more), { config }));
}

async function listed(of: TestHost): Promise<readonly { name: string; inputSchema: object; description: string }[]> {
  const { result } = await of.request("tools/list", {});
  const tools = result.tools as { name: string; inputSchema: object; description: string }[];
  return tools.filter(({ name }) => /^(?:web|k8s|mcp)/.test(name));
}

describe.skipIf(process.platform !== "linux")("as", () => {
  test("a tool is listed by the name and the arguments that the configuration gives it, and by no other", async () => {
    const tools = await listed(await open());
    expect(tools.map(({ name }) => name)).toEqual(["web_search", "k8s_pods", "k8s_deployments"]);
    expect(tools[0]?.inputSchema).toMatchObject({
      properties: { query: { type: "string", description: "What to look for." }, limit: { maximum: 50 } },
      required: ["query"],
      additionalProperties: false,
    });
    expect(JSON.stringify(tools[0])).not.toMatch(/"(?:q|max|safe)":/);
    expect(tools[0]?.description).toStartWith('From the MCP server "corp"');
  });

  test("the server gets its own tool with its own arguments, and those that are always sent", async () => {
    const one = await open();
    expect((await one.call("web_search", { query: "x", limit: 3 })).text).toBe(
      'do-search {"q":"x","max":3,"safe":true}',
    );
    expect((await one.call("web.search", { query: "x" })).text).toBe('do-search {"q":"x","safe":true}');
    expect((await one.call("k8s_pods", { namespace: "stage" })).text).toBe(
      'resources_list {"namespace":"stage","kind":"Pod"}',
    );
    expect((await one.call("k8s_deployments", {})).text).toBe('resources_list {"kind":"Deployment"}');
  });

  test("a caller can give neither the server's own names nor what is always sent", async () => {
    const one = await open();
    for (const args of [{ query: "x", safe: false }, { q: "x" }, { query: "x", max: 3 }, { query: 3 }, {}])
      expect((await one.call("web_search", args)).failure?.code).toBe("invalid_input");
    expect((await one.call("k8s_pods", { kind: "Secret" })).failure?.code).toBe("invalid_input");
    for (const name of ["mcp_corp_do_search", "mcp:corp:do-search"])
      expect(JSON.stringify(await one.request("tools/call", { name, arguments: { q: "x" } }))).toContain(
        "there is no tool",
      );
  });

  test("a call is asked about with its server, its tool and its arguments, and is on record with both names", async () => {
    const one = await open({ mode: "default" });
    const asked = await one.call("web_search", { query: "words" });
    expect(asked.proposal).toBeDefined();
    expect(asked.text).toContain('the MCP server "corp"');
    const applied = await one.request("ringfence/proposals/apply", { request: asked.request });
    expect(JSON.stringify(applied)).toContain('do-search {\\"q\\":\\"words\\"');
    const lines = one.audit().split("\n");
    const call = lines.find((line) => line.includes('"called":"do-search"'));
    expect(call).toContain('"owner":"the MCP server \\"corp\\""');
    expect(call).toContain('"tool":"web_search"');
  });

  test("what the operator knows to read runs at once", async () => {
    const one = await open({ mode: "default" }, { read_tools: ["resources_list"] });
    expect((await one.call("k8s_pods", {})).text).toStartWith("resources_list");
    expect((await one.call("web_search", { query: "x" })).proposal).toBeDefined();
  });

  test.each([
    ["web_search", "deny"],
    ["web.search", "deny"],
    ["mcp_corp_do_search", "deny"],
    ["mcp_corp_*", "deny"],
    ["mcp:corp:do-search", "deny"],
    ["group:web", "deny"],
    ["web_search", "allow"],
  ])("a rule for %s (%s) means the tool by its other name", async (name, verdict) => {
    const one = await open({ mode: verdict === "deny" ? "bypass" : "default", rules: [{ [verdict]: name }] });
    const { failure, text } = await one.call("web_search", { query: "x" });
    if (verdict === "deny") expect(failure?.code).toBe("denied");
    else expect(text).toStartWith("do-search");
  });

  test("what a person has approved is the server's tool, and one that has changed is refused by any name", async () => {
    host = await openUpstreamHost(servers({}, "changed"), { before: servers() });
    const { failure, text } = await host.call("web_search", { query: "x" });
    expect([failure?.code, text]).toEqual(["denied", expect.stringContaining("describes it in another way")]);
    expect((await host.call("k8s_pods", {})).failure).toBeUndefined();
  });

  test.each([
    [{ a_b: { tool: "do-search" }, "a.b": { tool: "do-search" } }, "is the name of upstream.corp.as.a_b already"],
    [{ "Web Search": { tool: "do-search" } }, "upstream.corp.as.Web Search is wrong"],
    [{ a: { tool: "do-search", arguments: { x: "q", y: "q" } } }, "two lead to one argument"],
    [{ a: { tool: "do-search", arguments: { x: "q" }, with: { q: "fixed" } } }, "cannot be given by a caller"],
    [{ a: { tool: "do-search", argumnts: {} } }, "argumnts"],
    [{ a: {} }, "tool"],
  ])("names that cannot be (%#) are refused at the start", async (as, said) => {
    await expect(loadConfig({ roots: ["."], upstream: servers({ as }) })).rejects.toThrow(said);
  });

  test.each([
    { tool: "do-search", arguments: { query: "none" } },
    { tool: "do-search", arguments: { limit: "max" } },
    { tool: "do-search", arguments: { query: "q" }, with: { none: 1 } },
    { tool: "no-such-tool" },
  ])("a name that does not fit the tool of the server (%#) is not offered", async (one) => {
    const names = (await listed(await open({}, { as: { web_search: one } }))).map(({ name }) => name);
    expect(names).not.toContain("web_search");
  });
});

describe.skipIf(process.platform !== "linux")("Flynn", () => {
  test("the dialect of Flynn lists and takes the names that it has for them", async () => {
    const one = await open({ dialect: "flynn" });
    expect((await listed(one)).map(({ name }) => name)).toEqual(["web.search", "k8s.deployments", "k8s.pods"]);
    expect((await one.call("web.search", { query: "x" })).text).toBe('do-search {"q":"x","safe":true}');
    expect((await one.call("k8s.deployments", {})).text).toBe('resources_list {"kind":"Deployment"}');
  });

  test("a name of Flynn with underscores is one of its plain dialect", async () => {
    const one = await open({ dialect: "flynn-plain" });
    expect((await listed(one)).map(({ name }) => name)).toEqual(["web_search", "k8s_pods", "k8s_deployments"]);
    expect((await one.call("web_search", { query: "x" })).text).toStartWith("do-search");
  });

  test.each([
    [{ toolList: { deny: ["group:k8s"] } }, ["web_search"]],
    [{ toolList: { deny: ["group:web"] } }, ["k8s_pods", "k8s_deployments"]],
    [{ profile: "minimal" }, []],
    [{ profile: "messaging" }, ["web_search", "k8s_pods", "k8s_deployments"]],
    [{ profile: "coding" }, ["web_search", "k8s_pods", "k8s_deployments"]],
  ] as const)("the groups and profiles %j leave %j", async (config, expected) => {
    const one = await open(config, { read_tools: ["resources_list"] });
    expect((await listed(one)).map(({ name }) => name)).toEqual([...expected]);
  });
});
