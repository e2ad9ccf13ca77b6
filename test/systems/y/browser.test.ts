/**
 * Flynn's tools of a browser: their names, their profiles, and what they do.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { browsing, openBrowserHost } from "../../packs/browser/browser-host.ts";
import { openPageSite, type PageSite } from "../../packs/browser/page-site.ts";
import type { WebHost } from "../../packs/web/web-host.ts";

const site: PageSite = openPageSite();
afterAll(async () => await site[Symbol.asyncDispose]());

async function openFlynn(config: object): Promise<WebHost> {
  return await openBrowserHost({ reach: [site.host], config: { dialect: "flynn", ...config } });
}

async function namesIn(host: WebHost): Promise<readonly string[]> {
  const { tools = [] } = await host.ask("tools/list");
  return tools.map(({ name }) => name).filter((name) => name.startsWith("browser"));
}

const BOTH: readonly string[] = ["browser.navigate", "browser.screenshot"];

test.skipIf(browsing.isMissing)(
  `browser.navigate and browser.screenshot are called by the names that Flynn has${browsing.note}`,
  async () => {
    await using host = await openFlynn({});
    expect(await namesIn(host)).toEqual(BOTH);
    const { text } = await host.call("browser.navigate", { url: `${site.at}/` });
    expect(text).toContain("written by a script");
    const { result } = await host.call("browser.screenshot", {});
    expect(result.content?.some(({ type }) => type === "image")).toBe(true);
  },
);

describe.skipIf(process.platform !== "linux")("the tools of Flynn's browser", () => {
  test.each([
    ["minimal", []],
    ["messaging", []],
    ["coding", BOTH],
  ])("the profile %s of Flynn has %j of the browser", async (profile, expected) => {
    await using host = await openFlynn({ profile });
    expect(await namesIn(host)).toEqual(expected);
  });

  test.each(["browser.*", "group:browser", "group:web"])("%s of Flynn means both of them", async (denied) => {
    await using host = await openFlynn({ tools: { deny: [denied] } });
    expect(await namesIn(host)).toEqual([]);
  });
});
