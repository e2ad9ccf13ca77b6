/**
 * What a start has to know of the pack `web`.
 */
import type { PackPlan, PlannedPower } from "../../contract/index.ts";
import { networkOf, WEB_SETTINGS, type WebSettings } from "./settings.ts";

/** The code that reads what somebody else's server sent. */
export const PAGES: PlannedPower = { name: "pages", runsIn: "sandbox" };

export const WEB_PLAN: PackPlan<WebSettings> = {
  name: "web",
  title: "The web",
  powers: [PAGES],
  config: WEB_SETTINGS,
  network: networkOf,
};
