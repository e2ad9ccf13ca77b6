/**
 * `browser_navigate` and `browser_screenshot` through a host, with a real Chromium: what a page says, what it may reach, what rules
 * and the configuration decide, and pictures of it.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { REPOSITORY } from "../../../scripts/checks/read-sources.ts";
import { descendantsOf } from "../../../src/proc/tree/processes.ts";
import { commandLineOf } from "../../proc/find-running.ts";
import { until } from "../../waits/until.ts";
import { foundIn } from "../web/secret-page.ts";
import type { WebAnswer, WebHost } from "../web/web-host.ts";
import { browserProcesses, browsing, CHROMIUM, nothingLeft, openBrowserHost, pictureIn } from "./browser-host.ts";
import { openPageSite, type PageSite } from "./page-site.ts";

let site: PageSite;
let host: WebHost;

beforeAll(async () => {
  if (browsing.isMissing) return;
  site = openPageSite();
  host = await openBrowserHost({
    reach: [site.host],
    config: {
      rules: [{ deny: `browser_*(http://${site.host}/nav)` }, { deny: `browser_*(http://${site.host}/closed/**)` }],
    },
  });
});

afterAll(async () => {
  if (browsing.isMissing) return;
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function open(path: string, more: object = {}): Promise<WebAnswer> {
  site.asked.length = 0;
  return await host.call("browser_navigate", { url: `${site.at}${path}`, ...more });
}

describe.skipIf(browsing.isMissing)(`a browser${browsing.note}`, () => {
  test("a page opens no socket past the rules, from wherever in it", async () => {
    const { text } = await open("/sockets");
    expect(text).toContain("tried");
    expect(site.asked.filter((path) => path.startsWith("/closed/"))).toEqual([]);
  });

  test("secrets are replaced in the title, the text, the code and the links of a page", async () => {
    for (const more of [{}, { main: false }, { limit: 30 }]) {
      const { all, structured } = await open("/secrets", more);
      expect(all).toMatch(/About \[secret:[0-9a-f]{6}\]/);
      expect(foundIn(all + JSON.stringify(structured))).toEqual([]);
    }
  });

  test("a page is read as its scripts have left it, with links, and marked as somebody else's", async () => {
    const { text, structured } = await open("/");
    expect(text).toMatch(/^From http:\/\/127\.0\.0\.1:\d+\/ \(untrusted, rendered \d\d:\d\dZ\):\n\nTitle: A page\n/);
    expect(text).toContain("written by a script");
    expect(text).not.toContain("before");
    expect(structured).toMatchObject({
      url: `${site.at}/`,
      status: 200,
      content_type: "text/html; charset=utf-8",
      untrusted_title: "A page",
      links_total: 2,
      untrusted_links: [
        { text: "Navigation", url: `${site.at}/nav` },
        { text: "Next page", url: `${site.at}/next` },
      ],
      truncated: false,
    });
    expect(structured["untrusted_errors"]).toEqual(["a complaint 7", expect.stringContaining("Error: thrown later")]);
  });

  test("a long text comes in parts, and going on loads nothing", async () => {
    const first = await open("/", { limit: 100 });
    expect(first.structured).toMatchObject({ truncated: true, next: { url: `${site.at}/`, offset: 100, limit: 100 } });
    site.asked.length = 0;
    const second = await host.call("browser_navigate", first.structured["next"] as object);
    expect(second.failure).toBeUndefined();
    expect(second.structured["untrusted_text"]).not.toBe(first.structured["untrusted_text"]);
    expect(site.asked).toEqual([]);
    expect((await open("/", { offset: 999_999 })).text).toContain("[The text ends before that.]");
  });

  test.each([
    ["/teapot", 418, "no coffee"],
    ["/json", 200, '{"a":1}'],
    ["/to-next", 200, "refreshed"],
    ["/refresh", 200, "refreshed"],
    ["/confirm", 200, "said false"],
    ["/windows", 200, "0 windows"],
    ["/clobber", 200, "still read"],
    ["/permissions", 200, "nowhere unseen"],
    ["/hidden", 200, "seen\\u{202e}\\u{200b}"],
  ])("%s answers with status %d and its text", async (path, status, text) => {
    const { structured, all } = await open(path);
    expect([structured["status"], structured["untrusted_text"]]).toEqual([status, expect.stringContaining(text)]);
    expect(all).not.toContain("[no status");
  });

  test("a visit knows nothing of the one before it", async () => {
    for (const _ of [1, 2]) expect((await open("/cookie")).structured["untrusted_text"]).toBe("cookie");
  });

  test.each([
    ["/refresh-away", "stays here", "http://evil.test"],
    ["/frame", "outer", "http://evil.test"],
    ["/worker", "kept back", "http://evil.test"],
  ])("%s reaches what is listed, and the answer names what it was kept from", async (path, text, to) => {
    const { structured } = await open(path);
    expect(structured["untrusted_text"]).toContain(text);
    expect(structured["refused"]).toEqual([{ to, why: "it is not in reach" }]);
  });

  test("whoever works behind pages for a site gets nowhere", async () => {
    await open("/service");
    expect(site.asked).not.toContain("/from-service");
    expect(site.asked).not.toContain("/from-shared");
    await open("/refreshed");
    // Their texts may still be asked for; that they never run is what counts.
    expect(site.asked.filter((path) => !["/service.js", "/shared.js"].includes(path))).toEqual(["/refreshed"]);
  });

  test.each([
    ["file:///etc/hostname", "invalid_input"],
    ["chrome://version", "invalid_input"],
    ["data:text/html,x", "invalid_input"],
    ["javascript:alert(1)", "invalid_input"],
    ["about:blank", "invalid_input"],
    ["view-source:http://127.0.0.1/", "invalid_input"],
    ["http://evil.test/", "denied"],
    ["http://user:pass@127.0.0.1/", "invalid_input"],
    ["http://169.254.169.254/latest/", "denied"],
    [`http://127.0.0.1/${"a".repeat(3000)}`, "invalid_input"],
  ])("%s cannot be opened", async (url, code) => {
    expect((await host.call("browser_navigate", { url })).failure?.code as string).toBe(code);
    expect((await host.call("browser_screenshot", { url })).failure?.code as string).toBe(code);
  });

  test("an address with a secret in it is refused before anything leaves", async () => {
    const { failure } = await open(`/?token=ghp_${"a1B2".repeat(9)}`);
    expect([failure?.code as string, site.asked]).toEqual(["denied", []]);
  });

  test.each([
    ["/to-file", "command_failed"],
    ["/to-data", "command_failed"],
    ["/to-evil", "denied"],
    ["/download", "unsupported"],
  ])("%s leads nowhere and says why", async (path, code) => {
    const { failure, all } = await open(path);
    expect([failure?.code as string, all]).toEqual([code, expect.stringContaining("Cannot open")]);
    expect((await host.call("browser_screenshot", {})).failure?.code).toBe("not_found");
  });

  test("a rule keeps the tools from an address, also where a page leads there", async () => {
    expect((await open("/nav")).failure?.code).toBe("denied");
    expect((await host.call("browser_screenshot", { url: `${site.at}/nav` })).failure?.code).toBe("denied");
    expect(site.asked).toEqual([]);
  });

  test("each connection of the browser is on record when it has ended", async () => {
    const seen = await until("the lines of the record", () => {
      const lines = host.recorded("connected");
      return lines.length > 0 && lines;
    });
    expect(seen[0]).toMatchObject({ program: "browser", host: "127.0.0.1" });
  });
});

describe.skipIf(browsing.isMissing)(`a picture${browsing.note}`, () => {
  test("a picture shows the window of the page that is open, and says whose it is", async () => {
    await open("/red");
    const answer = await host.call("browser_screenshot", {});
    expect(answer.text).toMatch(/^From http:\S+\/red \(untrusted, rendered/);
    expect(await pictureIn(answer)).toEqual({ width: 1280, height: 800, mime: "image/png" });
    expect(answer.structured).toMatchObject({ url: `${site.at}/red`, status: 200, scale: 1, cut: false });
  });

  test("a picture shows one element, by a selector", async () => {
    await open("/red");
    const answer = await host.call("browser_screenshot", { selector: "#box" });
    expect(await pictureIn(answer)).toMatchObject({ width: 200, height: 100 });
    const none = await host.call("browser_screenshot", { selector: "#none" });
    expect(none.failure?.code).toBe("not_found");
    expect(none.text).toEndWith("Name another selector, or leave it out for a picture of the window.");
    expect((await host.call("browser_screenshot", { selector: "!!" })).failure?.code).toBe("invalid_input");
  });

  test("a picture of a full page is scaled to the side that is asked for", async () => {
    await open("/red");
    const answer = await host.call("browser_screenshot", { full_page: true, max_side: 1000 });
    const { width, height } = await pictureIn(answer);
    expect(height).toBe(1000);
    expect(width).toBe(320);
    expect(answer.structured).toMatchObject({ width: 1280, height: 4000, scale: 0.25 });
  });

  test("a picture of a page of millions of pixels has an end, and says so", async () => {
    const answer = await host.call("browser_screenshot", { url: `${site.at}/huge`, full_page: true });
    expect(answer.structured).toMatchObject({ width: 16_384, height: 16_384, cut: true });
    const { width, height } = await pictureIn(answer);
    expect(Math.max(width, height)).toBeLessThanOrEqual(1568);
  });
});

describe.skipIf(browsing.isMissing)(`a host with a browser${browsing.note}`, () => {
  test("calls at the same time take turns, and each has the answer to its own address", async () => {
    const paths = ["/teapot", "/refreshed", "/json", "/"];
    const answers = await Promise.all(
      paths.map(async (path) => await host.call("browser_navigate", { url: site.at + path })),
    );
    expect(answers.map(({ structured }) => structured["url"])).toEqual(paths.map((path) => site.at + path));
  });

  test("nothing is started before the first call, and the browser ends when nobody uses it", async () => {
    await using own = await openBrowserHost({ reach: [site.host], browser: { idle_seconds: 1 } });
    await own.call("system_info", {});
    expect(browserProcesses(own)).toEqual([]);
    expect((await own.call("browser_screenshot", {})).failure?.code).toBe("not_found");
    expect(browserProcesses(own)).toEqual([]);
    expect((await own.call("browser_navigate", { url: `${site.at}/refreshed` })).failure).toBeUndefined();
    await nothingLeft(own);
    expect((await own.call("browser_navigate", { url: `${site.at}/refreshed` })).failure).toBeUndefined();
  });

  test("the launcher sleeps until a browser is started, and then its connections are on record", async () => {
    // Its connections end with the browser at the latest: it keeps some that the server has closed.
    const browser = { idle_seconds: 1 };
    await using own = await openBrowserHost({ reach: [site.host], browser });
    await own.ask("tools/list");
    await own.call("list_directory", { path: "." });
    const started = descendantsOf(own.serve.child.pid).map(commandLineOf);
    expect(started).toEqual([expect.stringMatching(/^\/bin\/sh -c read -r _ /)]);
    await own.call("browser_navigate", { url: `${site.at}/` });
    await until("the record", () => own.recorded("connected").some(({ program }) => program !== undefined));
  });

  test("a host of its own opens a page and takes a picture of it", async () => {
    await using own = await openBrowserHost({ reach: [site.host] });
    expect((await own.call("browser_navigate", { url: `${site.at}/` })).text).toContain("written by a script");
    expect(await pictureIn(await own.call("browser_screenshot", {}))).toMatchObject({ width: 1280, height: 800 });
    expect((await own.call("system_info", {})).text).toContain("pages runs in sandbox");
  });

  test("a host without a fence starts no browser", async () => {
    await using own = await openBrowserHost({ reach: [site.host], config: { fence: "off" } });
    const { failure } = await own.call("browser_navigate", { url: `${site.at}/` });
    expect(failure?.code).toBe("unsupported");
  });

  test.each([
    [CHROMIUM, 0, `ok    the pack browser starts ${CHROMIUM}`],
    ["/usr/bin/no-chromium", 1, "/usr/bin/no-chromium is not there"],
  ])(
    "doctor says of %s whether the pack can start it, and whether its list can be kept",
    async (program, code, said) => {
      await using own = await openBrowserHost({ reach: [site.host], browser: { program } });
      const main = join(REPOSITORY, "src", "main.ts");
      const { place } = own;
      const where = ["--root", place.root, "--state-dir", place.stateDir, "--config", join(place.path, "config.json")];
      const doctor = Bun.spawn([process.execPath, main, "doctor", ...where], { stdout: "pipe", stderr: "pipe" });
      const text = await doctor.stdout.text();
      expect(text).toContain(said);
      expect(text).toContain("lists of hosts: kept by the kernel, for 1 of the declared programs");
      expect(await doctor.exited).toBe(code);
    },
  );

  test("a page goes on in a call only: between two calls nothing of it leaves", async () => {
    await open("/ticks");
    await until("what was on its way", async () => {
      const before = site.asked.length;
      for (let call = 0; call < 50; call++) await host.call("system_info", {});
      return site.asked.length === before;
    });
    const before = site.asked.length;
    for (let call = 0; call < 300; call++) await host.call("system_info", {});
    expect(site.asked.length).toBe(before);
    expect(site.asked.filter((path) => path === "/tick").length).toBeGreaterThan(2);
  });

  test("a program that is not there is named", async () => {
    await using own = await openBrowserHost({ reach: [site.host], browser: { program: "/usr/bin/no-chromium" } });
    const { failure, all } = await own.call("browser_navigate", { url: `${site.at}/` });
    expect([failure?.code as string, all]).toEqual(["not_found", expect.stringContaining("/usr/bin/no-chromium")]);
  });

  test("where reading is asked about, an address in reach is too", async () => {
    await using own = await openBrowserHost({
      reach: [site.host],
      config: { rules: [{ ask: `browser_navigate(http://${site.host}/**)` }] },
    });
    const answer = await own.call("browser_navigate", { url: `${site.at}/` });
    expect(answer.failure?.code).toBe("needs_approval");
  });
});
