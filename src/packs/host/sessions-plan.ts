/**
 * What a start has to know of the pack `sessions`.
 */
import type { PackPlan } from "../../contract/index.ts";

export const SESSIONS_PLAN: PackPlan<Record<string, never>> = {
  name: "sessions",
  title: "Sessions on record",
  config: { usual: {}, keys: {} },
};
