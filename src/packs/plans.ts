/**
 * The plans of the packs that are on where the configuration says so. They stand together because a start that needs one loads them
 * all in the time that it takes for one: what a plan has to make, it makes when it is asked for.
 */
import type { PackPlan } from "../contract/index.ts";
import { BROWSER_PLAN } from "./browser/plan.ts";
import { GIT_PLAN } from "./git/plan.ts";
import { SESSIONS_PLAN } from "./host/sessions-plan.ts";
import { K8S_PLAN } from "./k8s/plan.ts";
import { MEDIA_PLAN } from "./media/plan.ts";
import { MEMORY_PLAN } from "./memory/plan.ts";
import { OBJECTS_PLAN } from "./objects/plan.ts";
import { WEB_PLAN } from "./web/plan.ts";

export { BROWSER_PLAN, GIT_PLAN, K8S_PLAN, MEDIA_PLAN, MEMORY_PLAN, OBJECTS_PLAN, SESSIONS_PLAN, WEB_PLAN };

export type OptionalName = "git" | "sessions" | "web" | "memory" | "media" | "objects" | "browser" | "k8s";

/** By name, in the order of `tools/list`. */
export const PLANS: Readonly<Record<OptionalName, PackPlan<unknown>>> = {
  git: GIT_PLAN,
  sessions: SESSIONS_PLAN,
  web: WEB_PLAN,
  memory: MEMORY_PLAN,
  media: MEDIA_PLAN,
  objects: OBJECTS_PLAN,
  browser: BROWSER_PLAN,
  k8s: K8S_PLAN,
};

/** The packs that could be switched on beside those. */
export function plansBeside(names: readonly string[]): readonly PackPlan<unknown>[] {
  return Object.entries(PLANS).flatMap(([name, plan]) => (names.includes(name) ? [] : [plan]));
}
