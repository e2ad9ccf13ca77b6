/**
 * Pages that want to hang a browser, flood it, or fill the machine, through a host: each call has an end and a bounded answer, the
 * host is alive, and the next call works.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { until } from "../../waits/until.ts";
import type { WebAnswer, WebHost } from "../web/web-host.ts";
import { browserProcesses, browsing, nothingLeft, openBrowserHost } from "./browser-host.ts";
import { openPageSite, type PageSite } from "./page-site.ts";

let site: PageSite;
let host: WebHost;

beforeAll(async () => {
  if (browsing.isMissing) return;
  site = openPageSite();
  host = await openBrowserHost({ reach: [site.host] });
});

afterAll(async () => {
  if (browsing.isMissing) return;
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function open(path: string, ms = 4000): Promise<WebAnswer> {
  return await host.call("browser_navigate", { url: `${site.at}${path}`, timeout_ms: ms });
}

async function stillWorks(): Promise<void> {
  expect((await open("/refreshed", 20_000)).structured).toMatchObject({ untrusted_text: "refreshed" });
}

/** An answer of a hundred kilobytes is one that somebody can read. */
const MAX_ANSWER_CHARS = 100_000;

describe.skipIf(browsing.isMissing)(`a hostile page${browsing.note}`, () => {
  test.each([
    ["/spin", "there before the loop", /stopped: it did not finish loading in time/],
    ["/spin-later", "loaded", /stopped: (?:its scripts do not end|it did not finish loading in time)/],
    ["/hangs", "here it hangs", /stopped: it did not finish loading in time/],
    ["/refresh-loop", "loop", /stopped: it leads from one address to the next without an end/],
    ["/deep", "end", /nested too deep/],
  ])("%s is stopped, and what it has is the answer", async (path, text, why) => {
    const { structured, all, result } = await open(path);
    expect(structured["untrusted_text"]).toContain(text);
    expect(all).toMatch(why);
    expect(JSON.stringify(result).length).toBeLessThan(MAX_ANSWER_CHARS);
    await stillWorks();
  });

  test.each([
    ["/alerts", "there"],
    ["/endless", "here and"],
    ["/fetches", "there"],
    ["/console", "there"],
    ["/links", "link"],
  ])("%s floods the browser, and the answer is bounded", async (path, text) => {
    const { structured, failure, result } = await open(path, 8000);
    // A busy machine may be slower than a flood.
    if (failure) expect(failure.code).toMatch(/^(?:timed_out|command_failed)$/);
    else expect(structured["untrusted_text"]).toContain(text);
    expect(JSON.stringify(result).length).toBeLessThan(MAX_ANSWER_CHARS);
    expect(((structured["untrusted_errors"] as string[] | undefined) ?? []).length).toBeLessThanOrEqual(20);
    expect(((structured["untrusted_links"] as object[] | undefined) ?? []).length).toBeLessThanOrEqual(100);
    await stillWorks();
  });

  test("a server that sends without an end is cut off", async () => {
    const { failure, structured } = await open("/flood");
    if (failure) expect(failure.code).toMatch(/^(?:timed_out|command_failed)$/);
    else expect(structured["untrusted_text"]).toContain("here and");
    await stillWorks();
  });

  test("a server that says nothing is given up, and no page is open then", async () => {
    const { failure } = await open("/silent", 500);
    expect(failure?.code).toBe("timed_out");
    await stillWorks();
  });

  test("a page that takes all memory ends the browser and not the host", async () => {
    await using own = await openBrowserHost({ reach: [site.host], browser: { memory_mb: 900 } });
    const { failure, all } = await own.call("browser_navigate", { url: `${site.at}/grow`, timeout_ms: 30_000 });
    expect([failure?.code as string, all]).toEqual([
      "command_failed",
      expect.stringMatching(/it had more memory than it may have|has crashed, or took too much memory/),
    ]);
    await nothingLeft(own);
  });

  test("a caller that leaves ends what it asked for", async () => {
    const { serve } = host;
    const id = 100_001;
    const asked = site.asked.length;
    serve.call(id, "browser_navigate", { url: `${site.at}/silent`, timeout_ms: 40_000 });
    await until("the request", () => site.asked.slice(asked).includes("/silent"));
    serve.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    await stillWorks();
    expect(browserProcesses(host).length).toBeGreaterThan(0);
  });
});
