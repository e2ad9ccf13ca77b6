/**
 * Lists that the pack does not ask for and other servers do: events and services, in the shapes of kube-apiserver.
 */
import type { RecordedList } from "./recorded-answers.ts";
import type { RecordedItem } from "./recorded-pod.ts";

const metadata = (name: string): RecordedItem["metadata"] => ({
  name,
  namespace: "payments",
  resourceVersion: "1234",
  creationTimestamp: "2026-11-20T10:00:00Z",
  labels: { app: "web" },
});

const EVENT = {
  metadata: metadata("crash-1.17a"),
  involvedObject: { kind: "Pod", namespace: "payments", name: "crash-1", apiVersion: "v1" },
  reason: "BackOff",
  message: "Back-off restarting failed container",
  source: { component: "kubelet", host: "node-1" },
  firstTimestamp: "2026-11-20T10:00:00Z",
  lastTimestamp: "2026-11-20T11:00:00Z",
  count: 17,
  type: "Warning",
  spec: {},
  status: {},
};

const SERVICE: RecordedItem = {
  metadata: metadata("web"),
  spec: {
    clusterIP: "10.96.0.17",
    ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 8080 }],
    selector: { app: "web" },
    type: "ClusterIP",
  },
  status: { loadBalancer: {} },
};

export function otherList(kind: "events" | "services", namespace: string | undefined): RecordedList {
  const items: readonly RecordedItem[] = kind === "events" ? [EVENT] : [SERVICE];
  return {
    kind: kind === "events" ? "EventList" : "ServiceList",
    apiVersion: "v1",
    metadata: { resourceVersion: "4711" },
    items: items.filter((one) => namespace === undefined || one.metadata.namespace === namespace),
  };
}
