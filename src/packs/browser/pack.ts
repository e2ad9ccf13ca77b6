/**
 * An installed Chromium, as far as the configuration lists hosts: opening a page and looking at it. Clicking and typing are left to
 * another server (docs/recipes/browser.md).
 */
import { definePack, type Pack } from "../../contract/index.ts";
import { pagesPower } from "../web/page-power.ts";
import { Browser } from "./browser.ts";
import { createBrowserNavigate } from "./browser-navigate.ts";
import { createBrowserScreenshot } from "./browser-screenshot.ts";
import { BROWSER_PLAN } from "../plans.ts";

export const browserPack: Pack = definePack({
  ...BROWSER_PLAN,
  tools(settings) {
    const browser = new Browser(settings);
    return [createBrowserNavigate(browser), createBrowserScreenshot(browser)];
  },
  powers: [pagesPower],
  doctor({ network: { reach }, program, idle_seconds }) {
    return [
      reach.length === 0 ? "reaches nothing: packs.browser.network.reach names no host" : `reaches ${reach.join(", ")}`,
      `starts ${program}, and ends it after ${idle_seconds} s without a call`,
    ];
  },
});
