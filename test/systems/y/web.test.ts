/**
 * Flynn's tools of the web: their names, their profiles, and what they do.
 */
import { afterAll, expect, test } from "bun:test";
import { createRegistry } from "../../../src/contract/index.ts";
import { openDialect } from "../../../src/dialects/index.ts";
import { packTools } from "../../../scripts/docs/pack-tools.ts";
import { openWebHost, type WebHost } from "../../packs/web/web-host.ts";

const site = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) =>
    new URL(request.url).pathname === "/search"
      ? Response.json({ results: [{ title: "A page", url: "https://docs.example/", content: "words" }] })
      : new URL(request.url).pathname === "/never"
        ? new Promise<Response>(() => {})
        : new Response("plain words"),
});
const at = `http://127.0.0.1:${site.port}`;
afterAll(async () => await site.stop(true));

async function openFlynn(config: object, web: object = {}): Promise<WebHost> {
  const reach = [`127.0.0.1:${site.port}`];
  const search = { backend: "searxng", url: at };
  return await openWebHost({ web: { network: { reach }, search, ...web }, config: { dialect: "flynn", ...config } });
}

async function namesIn(host: WebHost): Promise<readonly string[]> {
  const { tools = [] } = await host.ask("tools/list");
  return tools.map(({ name }) => name).filter((name) => name.startsWith("web"));
}

test("web.fetch and web.search are called by the names that Flynn has", async () => {
  await using host = await openFlynn({});
  expect(await namesIn(host)).toEqual(["web.fetch", "web.search"]);
  expect((await host.call("web.fetch", { url: `${at}/page`, timeout: 5000 })).text).toEndWith("plain words");
  const asked = { query: "page", limit: 2.5 };
  expect((await host.call("web.search", asked)).text).toContain("https://docs.example/");
  expect((await host.call("web.search", { query: "page" })).text).toContain("https://docs.example/");
});

test("web.fetch of Flynn takes a body where the configuration allows another method", async () => {
  await using host = await openFlynn({}, { methods: ["POST"] });
  const { text } = await host.call("web.fetch", { url: at, method: "POST", body: "x" });
  expect(text).toContain("Send POST to");
});

test.each([
  ["minimal", ["web.fetch"]],
  ["messaging", ["web.fetch", "web.search"]],
  ["coding", ["web.fetch", "web.search"]],
])("the profile %s of Flynn has %j of the web", async (profile, expected) => {
  await using host = await openFlynn({ profile });
  expect(await namesIn(host)).toEqual(expected);
});

test("group:web of Flynn is both of them", async () => {
  await using host = await openFlynn({ tools: { deny: ["group:web"] } });
  expect(await namesIn(host)).toEqual([]);
});

test("web.fetch of Flynn has 10 seconds unless the call gives a timeout, whatever the shell's usual time is", async () => {
  const registry = createRegistry(await packTools("web"));
  const { rows } = await openDialect("flynn", registry, { usual_timeout_ms: 5000 });
  const fetching = rows.find(({ row }) => row.name === "web.fetch") ?? expect.unreachable();
  expect(fetching.toOurs({ url: at }).input).toEqual({ url: at, timeout_ms: 10_000 });
  expect(fetching.toOurs({ url: at, timeout: 20_000 }).input).toEqual({ url: at, timeout_ms: 20_000 });
  expect(fetching.listed.shape["timeout"]?.description).toBe("Milliseconds for the whole answer. Default 10000.");
});

test("the hint of a web.fetch that was out of time names the parameter of Flynn", async () => {
  await using host = await openFlynn({});
  const { text } = await host.call("web.fetch", { url: `${at}/never`, timeout: 300 });
  expect(text).toMatch(/^timed_out: .* within 300 ms\. Ask with a longer timeout, or for less\.$/);
});

test("web.fetch of Flynn names a header that may not be sent under its own name", async () => {
  await using host = await openFlynn({});
  const { text } = await host.call("web.fetch", { url: at, headers: { Accept: "text/plain", Cookie: "a=b" } });
  expect(text).toContain('Cannot call "web.fetch": the header "Cookie" may not be sent');
});
