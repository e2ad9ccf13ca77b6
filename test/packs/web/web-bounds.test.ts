/**
 * `web_fetch` through a host: servers that send what no page is, what may leave this machine, and what the configuration decides.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { proposalOf } from "../../binary/serve-process.ts";
import { until } from "../../waits/until.ts";
import { at, gets, PNG, server } from "./hostile-site.ts";
import { openWebHost, type WebAnswer, type WebHost } from "./web-host.ts";

let host: WebHost;

beforeAll(async () => {
  host = await openWebHost({
    web: { network: { reach: [`127.0.0.1:${server.port}`] }, methods: ["POST"], per_minute: 10_000 },
  });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await server.stop(true);
});

async function fetchAt(path: string, more: object = {}): Promise<WebAnswer> {
  return await host.call("web_fetch", { url: `${at}${path}`, ...more });
}

describe("bad input", () => {
  test.each([
    ["/bomb", "too_large", /unpacks to more than 16777216 bytes/],
    ["/large", "too_large", /more than 8388608 bytes/],
    ["/endless", "too_large", /more than 8388608 bytes/],
    ["/no-gzip", "command_failed", /declared gzip encoding, but the body is not gzip/],
    ["/odd-encoding", "unsupported", /packed in a way that is not known/],
    ["/no-pdf", "command_failed", /Cannot read the PDF/],
  ])("%s fails as %s, and says why", async (path, code, why) => {
    const { failure, all } = await fetchAt(path);
    expect([failure?.code as string, all]).toEqual([code, expect.stringMatching(why)]);
  });

  test("a server that is slow ends with the time", async () => {
    expect((await fetchAt("/slow", { timeout_ms: 300 })).failure?.code).toBe("timed_out");
  });

  test("a page that takes too long to read ends with the time of its call, and the one beside it is read", async () => {
    const slow = fetchAt("/slow-to-read", { timeout_ms: 1000 });
    const beside = fetchAt("/text");
    const { failure, text } = await slow;
    expect([failure?.code as string, text]).toEqual(["timed_out", expect.stringContaining("was not read in time")]);
    expect((await beside).text).toEndWith("plain\ntext");
    expect((await fetchAt("/page")).failure).toBeUndefined();
  });

  test.each([
    ["/nested", "deep down"],
    ["/many", "xxxxxxxx"],
    ["/breaks", "far down"],
    ["/paragraphs", "far down"],
    ["/terms", "deep down"],
  ])("a page that no parser should see (%s) is its text", async (path, expected) => {
    const { all, text } = await fetchAt(path);
    expect(text).toContain(expected);
    expect(all).toContain("its text alone is shown");
  });

  test.each(["/unclosed", "/comments", "/entities"])("a broken page (%s) has an answer", async (path) => {
    expect((await fetchAt(path, { limit: 200 })).failure).toBeUndefined();
  });

  test.each([
    ["text", 0],
    // They are part of the code.
    ["markdown", 299_900],
  ])("a line of countless blanks is read as %s within the time", async (format, offset) => {
    expect((await fetchAt("/tabs", { format, offset })).text).toContain("deep in");
  });

  test.each(["/pdf-objects", "/pdf-packed"])(
    "a PDF of countless objects (%s) is read or refused, and the next page is read",
    async (path) => {
      const { failure, text } = await fetchAt(path);
      if (failure) expect(failure.code).toMatch(/^(?:timed_out|command_failed|too_large)$/);
      else expect(text).toContain("many");
      expect((await fetchAt("/text")).text).toEndWith("plain\ntext");
    },
  );

  test.each([
    [{ url: `http://127.0.0.1/${"a".repeat(2100)}` }],
    [{ url: "http://127.0.0.1/", method: "DELETE" }],
    [{ url: "http://127.0.0.1/", headers: { authorization: "Bearer x" } }],
    [{ url: "http://127.0.0.1/", timeout_ms: 1e9 }],
    [{ url: "http://127.0.0.1/", limit: 1e9 }],
    [{ url: 7 }],
    [{ url: `${at}/echo`, body: "x" }],
    [{ url: `${at}/echo`, method: "HEAD", body: "x" }],
  ])("a call with %j is refused for its arguments", async (args) => {
    expect((await host.call("web_fetch", args)).failure?.code).toBe("invalid_input");
  });

  test("a header that would become two is refused", async () => {
    expect((await fetchAt("/text", { headers: { accept: "a\r\nhost: b" } })).failure?.code).toBe("invalid_input");
  });
});

describe("what leaves", () => {
  const KEY = "AKIAIOSFODNN7EXAMPLQ";

  test.each([
    ["address", { url: `${at}/echo?k=${KEY}` }],
    ["encoded address", { url: `${at}/echo?k=%41%4BIAIOSFODNN7EXAMPLQ` }],
    ["path", { url: `${at}/${KEY}/x` }],
    ["header", { url: `${at}/echo`, headers: { accept: KEY } }],
    ["body", { url: `${at}/echo`, method: "POST", body: `{"key": "${KEY}"}` }],
    ["placeholder", { url: `${at}/echo?k=[secret:1a2b3c]` }],
  ])("a secret in the %s is refused before anything leaves", async (_what, args) => {
    gets.clear();
    expect((await host.call("web_fetch", args)).failure?.code).toBe("denied");
    expect([...gets]).toEqual([]);
  });

  test("a request that changes something waits for a person, and is made once", async () => {
    gets.clear();
    const asked = await fetchAt("/echo", { method: "POST", body: "hello" });
    const { id, summary } = proposalOf({ result: asked.result });
    expect(summary).toContain(`Send POST to 127.0.0.1:${server.port}`);
    expect(asked.text).toContain("It is sent once, when it is applied, and nothing takes it back.");
    expect([...gets]).toEqual([]);
    const applied = await host.ask("ringfence/proposals/apply", { id });
    expect(JSON.stringify(applied)).toContain("POST hello");
    expect(gets.get("/echo")).toBe(1);
  });

  test("what is saved is a change of its own, byte for byte", async () => {
    const saved = await fetchAt("/png", { save_to: "pictures/one.png" });
    expect(saved.text).toContain("Create pictures/one.png");
    const { id } = proposalOf({ result: saved.result });
    const came = `The content came from ${at}/png (untrusted).`;
    expect(saved.text).toContain(came);
    expect(JSON.stringify(await host.ask("ringfence/proposals/get", { id }))).toContain(came);
    const main = join(import.meta.dir, "..", "..", "..", "src", "main.ts");
    const show = Bun.spawn([process.execPath, main, "proposals", "show", id, "--state-dir", host.place.stateDir]);
    expect(await show.stdout.text()).toContain(came);
    await host.ask("ringfence/proposals/apply", { id });
    expect(readFileSync(join(host.place.root, "pictures", "one.png")).equals(PNG)).toBe(true);
    expect((await fetchAt("/missing", { save_to: "b" })).all).toContain("status 404");
    expect((await fetchAt("/png", { save_to: "../b" })).failure?.code).toBe("outside_scope");
  });

  test("sixteen answers at once, each of the longest that is taken, are saved whole", async () => {
    const paths = Array.from({ length: 16 }, (_, index) => `full/${index}`);
    const saved = await Promise.all(paths.map(async (path) => await fetchAt("/full", { save_to: path })));
    expect(saved.map(({ text, failure }) => failure ?? /Create \S+ \(\S+ \S+\)/.exec(text)?.[0])).toEqual(
      paths.map((path) => `Create ${path} (8.4 MB)`),
    );
  });

  test("every connection is a line of the record, with what it came to", async () => {
    await fetchAt("/text");
    expect(host.recorded("connected").at(-1)).toMatchObject({
      pack: "web",
      host: "127.0.0.1",
      port: server.port,
      address: "127.0.0.1",
      method: "GET",
      path: "sha256:680d60a26235",
      status: 200,
      up: 0,
      down: 10,
    });
  });
});

describe("the configuration", () => {
  test("rules decide about addresses, also about one that is redirected to", async () => {
    const rules = [{ deny: `web_fetch(${at}/page)` }, { ask: `web_fetch(${at}/json)` }];
    await using ruled = await openWebHost({
      web: { network: { reach: [`127.0.0.1:${server.port}`] } },
      config: { rules },
    });
    const codeAt = async (path: string) => (await ruled.call("web_fetch", { url: at + path })).failure?.code;
    expect(await codeAt("/text")).toBeUndefined();
    expect(await codeAt("/page")).toBe("denied");
    expect(await codeAt("/to-page")).toBe("denied");
    expect(await codeAt("/json")).toBeUndefined();
  });

  test("a call that is cancelled gives its host no more requests within a minute than it has", async () => {
    await using slow = await openWebHost({
      web: { network: { reach: [`127.0.0.1:${server.port}`] }, per_minute: 2 },
    });
    gets.clear();
    slow.serve.call("slow", "web_fetch", { url: `${at}/slow` });
    await until("the request", () => gets.get("/slow"));
    slow.serve.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "slow" } });
    expect((await slow.call("web_fetch", { url: `${at}/text` })).failure).toBeUndefined();
    expect((await slow.call("web_fetch", { url: `${at}/json` })).failure?.code).toBe("busy");
  });

  test("a request that changes something is made at once in the mode bypass", async () => {
    await using bypass = await openWebHost({
      web: { network: { reach: [`127.0.0.1:${server.port}`] }, methods: ["POST"] },
      config: { mode: "bypass" },
    });
    expect((await bypass.call("web_fetch", { url: `${at}/echo`, method: "POST", body: "x" })).text).toContain("POST x");
  });

  test("robots.txt is obeyed where the configuration says so", async () => {
    await using obedient = await openWebHost({
      web: { network: { reach: [`127.0.0.1:${server.port}`, `localhost:${server.port}`] }, robots: true },
    });
    gets.clear();
    const closed = `http://localhost:${server.port}/private/closed`;
    for (const to of ["/private/closed", `/to?${encodeURIComponent("/private/closed")}`, closed]) {
      const sent = await obedient.call("web_fetch", { url: `${at}/to?${encodeURIComponent(to)}` });
      expect([sent.failure?.code as string, sent.all]).toEqual(["denied", expect.stringContaining("robots.txt")]);
    }
    expect(gets.get("/private/closed")).toBeUndefined();
    const open = `/to?${encodeURIComponent("/private/open")}`;
    expect((await obedient.call("web_fetch", { url: `${at}${open}` })).text).toEndWith("open");
    expect((await obedient.call("web_fetch", { url: `${at}/private/closed` })).all).toContain("robots.txt");
    expect((await obedient.call("web_fetch", { url: `${at}/private/open` })).text).toEndWith("open");
  });

  test("without a list nothing is reached, and doctor and system_info say so", async () => {
    await using closed = await openWebHost({});
    const list = "the host is not in the list of packs.web.network.reach";
    const { failure, all } = await closed.call("web_fetch", { url: `${at}/text` });
    expect(failure?.code).toBe("denied");
    expect(all).toContain(`Cannot reach "${at}/text": ${list}. system_info names the hosts that are.`);
    expect((await closed.call("system_info", {})).text).toContain(
      "pack web (The web): on; pages runs in sandbox; reaches nothing",
    );
  });
});
