/**
 * An installed Chromium, as far as the configuration lists hosts: opening a page and looking at it. Clicking and typing are left to
 * another server (docs/recipes/browser.md).
 */
import { definePack, type Pack } from "../../contract/index.ts";
import { pagesPower } from "../web/page-power.ts";
import { Browser } from "./browser.ts";
import { createBrowserNavigate } from "./browser-navigate.ts";
import { createBrowserScreenshot } from "./browser-screenshot.ts";
import { chromiumFlags } from "./chromium-flags.ts";
import { BROWSER_SETTINGS, type BrowserSettings } from "./settings.ts";

/** With its helpers for the GPU, the network and storage, and one for each page that is going or coming. */
const MAX_PROCESSES = 32;

export const browserPack: Pack = definePack<BrowserSettings>({
  name: "browser",
  title: "A browser",
  tools(settings) {
    const browser = new Browser(settings);
    return [createBrowserNavigate(browser), createBrowserScreenshot(browser)];
  },
  powers: [pagesPower],
  config: BROWSER_SETTINGS,
  network: ({ network }) => network,
  program: (settings) => ({
    program: settings.program,
    args: chromiumFlags(settings),
    memoryMb: settings.memory_mb,
    processes: MAX_PROCESSES,
  }),
  doctor({ network: { reach }, program, idle_seconds }) {
    return [
      reach.length === 0 ? "reaches nothing: packs.browser.network.reach names no host" : `reaches ${reach.join(", ")}`,
      `starts ${program}, and ends it after ${idle_seconds} s without a call`,
    ];
  },
});
