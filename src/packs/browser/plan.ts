/**
 * What a start has to know of the pack `browser`.
 */
import type { PackPlan } from "../../contract/index.ts";
import { PAGES } from "../web/plan.ts";
import { chromiumFlags } from "./chromium-flags.ts";
import { BROWSER_SETTINGS, type BrowserSettings } from "./settings.ts";

/** With its helpers for the GPU, the network and storage, and one for each page that is going or coming. */
const MAX_PROCESSES = 32;

export const BROWSER_PLAN: PackPlan<BrowserSettings> = {
  name: "browser",
  title: "A browser",
  powers: [PAGES],
  config: BROWSER_SETTINGS,
  network: ({ network }) => network,
  program: (settings) => ({
    program: settings.program,
    args: chromiumFlags(settings),
    memoryMb: settings.memory_mb,
    processes: MAX_PROCESSES,
  }),
};
