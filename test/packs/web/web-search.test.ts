/**
 * `web_search` through a host, with SearXNG itself and with a service of the test's own that answers as others do.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "bun:test";
import { BUILD } from "../../../src/config/index.ts";
import { component } from "../../components/component.ts";
import { freePort } from "../../waits/free-port.ts";
import { until } from "../../waits/until.ts";
import { openWebHost } from "./web-host.ts";

const searx = component("searx-run");

const MIXED = ["https://a.example/", "https://docs.a.example/", "https://nota.example/"].map((address) => ({
  _source: {
    address,
    name: "a < b and c > d",
    words: "if x<y then z>w,<br/>&#39;q&#39; &lt;tag&gt; caf&eacute; <em class='hl'>bold</em>",
  },
}));

let asked: URL[] = [];
let agents: (string | null)[] = [];
const service = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const url = new URL(request.url);
    asked.push(url);
    agents.push(request.headers.get("user-agent"));
    if (url.pathname === "/broken") return new Response("<html>");
    if (url.pathname === "/busy") return new Response("", { status: 429 });
    if (url.pathname === "/closed/search") return new Response("", { status: 403 });
    if (url.pathname === "/mixed") return Response.json({ hits: { hits: MIXED } });
    if (url.pathname === "/plain")
      return Response.json({ results: [{ url: "https://site.example/0", title: "A result", content: "some words" }] });
    const hits = Array.from({ length: 30 }, (_, at) => ({
      _source: {
        name: `<em>Result</em> ${at}\u202e`,
        address: at === 1 ? "javascript:alert(1)" : `https://site.example/${at}`,
        words: "word ".repeat(200),
      },
    }));
    return Response.json({ hits: { hits } });
  },
});
const at = `http://127.0.0.1:${service.port}`;
afterAll(async () => await service.stop(true));

const elastic = {
  backend: "json",
  url: `${at}/find?q={query}&size={limit}`,
  results: "/hits/hits",
  title: "/_source/name",
  link: "/_source/address",
  snippet: "/_source/words",
};

describe("web_search", () => {
  test("web_search() asks the service with the words of the caller, and answers with lines that are somebody else's", async () => {
    [asked, agents] = [[], []];
    await using host = await openWebHost({ web: { search: elastic }, config: { results: "structured" } });
    const { text, structured } = await host.call("web_search", { query: "a b&c", limit: 3, site: "site.example" });
    expect(asked.map(({ search }) => search)).toEqual(["?q=a%20b%26c%20site%3Asite.example&size=3"]);
    expect(agents).toEqual([`ringfence/${BUILD.version}`]);
    expect(text).toStartWith(`From 127.0.0.1:${service.port} (untrusted, fetched `);
    expect(text).toContain("1. Result 0\\u{202e}\n   https://site.example/0\n   word word");
    expect(text).not.toMatch(/javascript|<em>/);
    const { results } = structured as { results: readonly { url: string; snippet: string }[] };
    expect(results.map(({ url }) => url)).toEqual([0, 2, 3].map((one) => `https://site.example/${one}`));
    expect(results.every(({ snippet }) => snippet.length <= 303)).toBe(true);
  });

  test("web_search() shows results of the site that was asked for, whatever the service answers", async () => {
    await using host = await openWebHost({ web: { search: { ...elastic, url: `${at}/mixed?q={query}` } } });
    const { text, all } = await host.call("web_search", { query: "x", site: "A.example" });
    expect([...text.matchAll(/https\S+/g)].map(([url]) => url)).toEqual([
      "https://a.example/",
      "https://docs.a.example/",
    ]);
    expect(all).toContain("[1 result of other sites left out]");
  });

  test("web_search() leaves out the tags that mark words, and no sign of a text", async () => {
    await using host = await openWebHost({ web: { search: { ...elastic, url: `${at}/mixed?q={query}` } } });
    expect((await host.call("web_search", { query: "x" })).text).toContain(
      "1. a < b and c > d\n   https://a.example/\n   if x<y then z>w, 'q' <tag> caf\u00e9 bold",
    );
  });

  test("web_search() reaches the service and nothing else, fetches no result, and sends no secret", async () => {
    asked = [];
    await using host = await openWebHost({ web: { search: elastic } });
    expect((await host.call("web_search", { query: "AKIAIOSFODNN7EXAMPLQ" })).failure?.code).toBe("denied");
    expect(asked).toEqual([]);
    expect((await host.call("web_fetch", { url: "https://site.example/0" })).failure?.code).toBe("denied");
    expect((await host.call("web_search", { query: "x".repeat(401) })).failure?.code).toBe("invalid_input");
  });

  test.each([
    [{ ...elastic, url: `${at}/broken?{query}` }, "command_failed", "did not answer with JSON"],
    [{ ...elastic, url: `${at}/busy?{query}` }, "busy", "asked too often"],
    [{ ...elastic, results: "/nothing" }, "command_failed", "no list at /nothing"],
    [{ backend: "searxng", url: `${at}/closed` }, "command_failed", "has json under search.formats"],
    [
      { ...elastic, url: "http://127.0.0.1:1/{query}" },
      "command_failed",
      "nothing listens at 127.0.0.1:1 (ECONNREFUSED)",
    ],
  ])("web_search() with a service that fails (%#) says what is wrong", async (search, code, said) => {
    await using host = await openWebHost({ web: { search } });
    const { failure, all } = await host.call("web_search", { query: "x" });
    expect([failure?.code as string, all]).toEqual([code, expect.stringContaining(said)]);
  });

  test("there is no web_search without a service", async () => {
    await using host = await openWebHost({});
    const { tools } = await host.ask("tools/list");
    const names = tools?.map(({ name }) => name) ?? [];
    expect([names.includes("web_fetch"), names.includes("web_search")]).toEqual([true, false]);
  });
});

describe.skipIf(searx.isMissing)(`SearXNG${searx.note}`, () => {
  test(`a SearXNG answers as the backend expects${searx.note}`, async () => {
    await using engine = await startSearx();
    await using host = await openWebHost({ web: { search: { backend: "searxng", url: engine.url } } });
    const { text, failure } = await host.call("web_search", { query: "anything" });
    expect(failure).toBeUndefined();
    expect(text).toContain("https://site.example/0");
  });
});

const BRAND: readonly string[] = "git_url git_branch issue_url docs_url public_instances wiki_url twitter_url".split(
  " ",
);

/** SearXNG with one engine, which is the service of this file. */
async function startSearx(): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = mkdtempSync(join(tmpdir(), "ringfence-searx-"));
  const port = freePort();
  const settings = {
    general: { debug: false, instance_name: "tests", contact_url: false, enable_stats: false },
    brand: Object.fromEntries(BRAND.map((name) => [name, "https://searx.example"])),
    search: {
      safe_search: 0,
      autocomplete: "",
      default_lang: "",
      ban_time_on_fail: 5,
      max_ban_time_on_fail: 120,
    },
    server: {
      port,
      bind_address: "127.0.0.1",
      secret_key: "of a test",
      base_url: false,
      image_proxy: false,
      http_protocol_version: "1.0",
      method: "GET",
      default_http_headers: {},
    },
    ui: {
      static_path: "/usr/share/python3-searx/static",
      templates_path: "/usr/share/python3-searx/templates",
      default_theme: "oscar",
      default_locale: "",
      theme_args: { oscar_style: "logicodev" },
    },
    outgoing: { request_timeout: 30, useragent_suffix: "", pool_connections: 10, pool_maxsize: 10 },
    checker: { off_when_debug: true, tests: {} },
    locales: { en: "English" },
    doi_resolvers: { "doi.example": "https://doi.example/" },
    default_doi_resolver: "doi.example",
    engines: [
      {
        name: "own",
        engine: "json_engine",
        shortcut: "own",
        enable_http: true,
        search_url: `${at}/plain?q={query}`,
        results_query: "results",
        url_query: "url",
        title_query: "title",
        content_query: "content",
        categories: "general",
        timeout: 30,
      },
    ],
  };
  // JSON is YAML.
  const file = join(folder, "settings.yml");
  writeFileSync(file, JSON.stringify(settings));
  const child = Bun.spawn(["searx-run"], {
    env: { PATH: process.env["PATH"], HOME: folder, SEARXNG_SETTINGS_PATH: file, SEARX_SETTINGS_PATH: file },
    stdout: "ignore",
    stderr: "pipe",
  });
  const url = `http://127.0.0.1:${port}`;
  await until("SearXNG to listen", async () => {
    if (child.exitCode !== null) throw new Error(await child.stderr.text());
    return await fetch(url).then(
      () => true,
      () => false,
    );
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
