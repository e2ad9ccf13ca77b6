/**
 * Clusters of Kubernetes, as far as the configuration names them: what runs, and what it wrote. Nothing is changed there.
 */
import { definePack, type Pack } from "../../contract/index.ts";
import { createDeployments } from "./deployments.ts";
import { createLogs } from "./logs.ts";
import { K8S_PLAN } from "./plan.ts";
import { createPods } from "./pods.ts";
import { hostOf } from "./settings.ts";

/** The least that names a cluster. */
const CLUSTERS = { contexts: { stage: { server: "..." } } };

export const k8sPack: Pack = definePack({
  ...K8S_PLAN,
  title: "Kubernetes",
  powers: [],
  brings: {
    k8s_pods: CLUSTERS,
    "k8s.pods": CLUSTERS,
    k8s_deployments: CLUSTERS,
    "k8s.deployments": CLUSTERS,
    k8s_logs: CLUSTERS,
    "k8s.logs": CLUSTERS,
  },
  tools: (settings) => [createPods(settings), createDeployments(settings), createLogs(settings)],
  doctor: (settings) =>
    Object.entries(settings.contexts).map(([name, one]) => {
      const file = one.kubeconfig ?? settings.kubeconfig;
      const how = file === undefined ? "without a credential" : `with ${file}`;
      return `${name}: ${hostOf(one.server)}, namespace ${one.namespace}, ${how}`;
    }),
});
