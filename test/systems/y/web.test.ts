/**
 * Flynn's tools of the web: their names, their profiles, and what they do.
 */
import { afterAll, expect, test } from "bun:test";
import { openWebHost, type WebHost } from "../../packs/web/web-host.ts";

const site = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) =>
    new URL(request.url).pathname === "/search"
      ? Response.json({ results: [{ title: "A page", url: "https://docs.example/", content: "words" }] })
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
