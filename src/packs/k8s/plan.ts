/**
 * What a start has to know of the pack `k8s`.
 */
import type { PackPlan } from "../../contract/index.ts";
import { K8S_SETTINGS, networkOf, type K8sSettings } from "./settings.ts";

export const K8S_PLAN: PackPlan<K8sSettings> = {
  name: "k8s",
  title: "Kubernetes",
  config: K8S_SETTINGS,
  network: networkOf,
};
