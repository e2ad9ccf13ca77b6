/**
 * Clusters of Kubernetes, as far as the configuration names them: what runs, and what it wrote. Nothing is changed there.
 */
import { definePack, type Pack } from "../../contract/index.ts";
import { hostOf } from "../endpoint-settings.ts";
import { createDeployments } from "./deployments.ts";
import { createLogs } from "./logs.ts";
import { K8S_PLAN } from "../plans.ts";
import { createPods } from "./pods.ts";

export const k8sPack: Pack = definePack({
  ...K8S_PLAN,
  powers: [],
  tools: (settings) => [createPods(settings), createDeployments(settings), createLogs(settings)],
  doctor: (settings) =>
    Object.entries(settings.contexts).map(([name, one]) => {
      const file = one.kubeconfig ?? settings.kubeconfig;
      const how = file === undefined ? "without a credential" : `with ${file}`;
      return `${name}: ${hostOf(one.server)}, namespace ${one.namespace}, ${how}`;
    }),
});
