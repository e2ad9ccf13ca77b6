/**
 * What a start has to know of the pack `objects`.
 */
import type { PackPlan } from "../../contract/index.ts";
import { networkOf, OBJECTS_SETTINGS, type ObjectsSettings } from "./store/settings.ts";

export const OBJECTS_PLAN: PackPlan<ObjectsSettings> = {
  name: "objects",
  title: "Object stores",
  powers: [{ name: "listings", runsIn: "sandbox", memoryMb: 512 }],
  config: OBJECTS_SETTINGS,
  network: networkOf,
};
