/**
 * The web, as far as the configuration lists it: fetching an address, and searching with one service.
 */
import { definePack, type Pack } from "../../contract/index.ts";
import { pagesPower } from "./page-power.ts";
import { WEB_PLAN } from "../plans.ts";
import { networkOf } from "./settings.ts";
import { createWebFetch } from "./web-fetch.ts";
import { createWebSearch } from "./web-search.ts";

export const webPack: Pack = definePack({
  ...WEB_PLAN,
  tools: (settings) => [createWebFetch(settings), ...(settings.search ? [createWebSearch(settings.search)] : [])],
  powers: [pagesPower],
  doctor(settings) {
    const { reach } = networkOf(settings);
    const { search, methods } = settings;
    return [
      reach.length === 0 ? "reaches nothing: packs.web.network.reach names no host" : `reaches ${reach.join(", ")}`,
      ...(methods.length === 0 ? [] : [`sends ${methods.join(", ")} when a person, a rule or the mode allows it`]),
      search ? `searches with ${search.backend} at ${new URL(search.url).host}` : "no search is configured",
    ];
  },
});
