/**
 * The plans of the packs that are on where the configuration says so. They stand together because a start that needs one loads them
 * all in the time that it takes for one: what a plan has to make, it makes when it is asked for.
 */
export { BROWSER_PLAN } from "./browser/plan.ts";
export { GIT_PLAN } from "./git/plan.ts";
export { SESSIONS_PLAN } from "./host/sessions-plan.ts";
export { K8S_PLAN } from "./k8s/plan.ts";
export { MEDIA_PLAN } from "./media/plan.ts";
export { MEMORY_PLAN } from "./memory/plan.ts";
export { OBJECTS_PLAN } from "./objects/plan.ts";
export { WEB_PLAN } from "./web/plan.ts";
