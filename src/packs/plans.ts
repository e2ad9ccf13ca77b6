/**
 * What a start has to know of the packs in `optionalPacks`, each loaded only where the configuration has its name: whether its
 * settings are right, which processes it needs, and what it reaches and reads. No tool is loaded with it.
 */
import type { PackPlan } from "../contract/index.ts";

type Loads = () => Promise<PackPlan<unknown>>;

/** By name, in the order of `optionalPacks`. */
export const PACK_PLANS: Readonly<Record<string, Loads>> = {
  git: async () => (await import("./git/plan.ts")).GIT_PLAN,
  sessions: async () => (await import("./host/sessions-plan.ts")).SESSIONS_PLAN,
  web: async () => (await import("./web/plan.ts")).WEB_PLAN,
  memory: async () => (await import("./memory/plan.ts")).MEMORY_PLAN,
  media: async () => (await import("./media/plan.ts")).MEDIA_PLAN,
  objects: async () => (await import("./objects/plan.ts")).OBJECTS_PLAN,
  browser: async () => (await import("./browser/plan.ts")).BROWSER_PLAN,
  k8s: async () => (await import("./k8s/plan.ts")).K8S_PLAN,
};
