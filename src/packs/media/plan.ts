/**
 * What a start has to know of the pack `media`.
 */
import { limits } from "../../base/index.ts";
import type { PackPlan } from "../../contract/index.ts";
import { MEDIA_SETTINGS, mediaFilters, mediaNetwork, type MediaSettings } from "./settings.ts";

export const MEDIA_PLAN: PackPlan<MediaSettings> = {
  name: "media",
  title: "Pictures and sound",
  powers: [{ name: "pictures", runsIn: "sandbox", memoryMb: limits.PICTURE_MEMORY_MB }],
  config: MEDIA_SETTINGS,
  filters: mediaFilters,
  network: mediaNetwork,
};
