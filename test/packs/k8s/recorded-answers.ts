/**
 * Answers in the shapes of kube-apiserver (Kubernetes API, core/v1 and apps/v1), with names of the tests' own.
 */
import { container, ended, pod, READY, running, sidecar, waiting, type RecordedItem } from "./recorded-pod.ts";

export interface RecordedList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
  readonly items: readonly RecordedItem[];
}

/** One of each state that people ask about, with what kubectl shows of it. */
export const STATES: readonly (readonly [expected: string, ready: string, restarts: number, pod: RecordedItem])[] = [
  ["Running", "1/1", 0, pod({ name: "web-1" })],
  [
    "CrashLoopBackOff",
    "0/1",
    17,
    pod({ name: "crash-1", status: { containerStatuses: [waiting("app", "CrashLoopBackOff", 17)] } }),
  ],
  [
    "ImagePullBackOff",
    "0/1",
    0,
    pod({ name: "pull-1", status: { phase: "Pending", containerStatuses: [waiting("app", "ImagePullBackOff")] } }),
  ],
  [
    "Pending",
    "0/1",
    0,
    pod({
      name: "pending-1",
      spec: { nodeName: undefined },
      status: { phase: "Pending", containerStatuses: undefined, podIP: undefined },
    }),
  ],
  [
    "Evicted",
    "0/1",
    0,
    pod({
      name: "evicted-1",
      status: {
        phase: "Failed",
        reason: "Evicted",
        message: "The node was low on resource: memory.",
        containerStatuses: undefined,
      },
    }),
  ],
  [
    "Completed",
    "0/1",
    0,
    pod({
      name: "job-1",
      status: {
        phase: "Succeeded",
        conditions: [],
        containerStatuses: [ended("app", { exitCode: 0, reason: "Completed" })],
      },
    }),
  ],
  [
    "OOMKilled",
    "0/1",
    3,
    pod({ name: "oom-1", status: { containerStatuses: [ended("app", { exitCode: 137, reason: "OOMKilled" }, 3)] } }),
  ],
  [
    "Signal:9",
    "0/1",
    0,
    pod({ name: "signal-1", status: { containerStatuses: [ended("app", { exitCode: 137, signal: 9 })] } }),
  ],
  ["ExitCode:2", "0/1", 0, pod({ name: "exit-1", status: { containerStatuses: [ended("app", { exitCode: 2 })] } })],
  ["Terminating", "1/1", 0, pod({ name: "going-1", metadata: { deletionTimestamp: "2026-11-23T10:00:00Z" } })],
  [
    "Unknown",
    "1/1",
    0,
    pod({ name: "lost-1", metadata: { deletionTimestamp: "2026-11-23T10:00:00Z" }, status: { reason: "NodeLost" } }),
  ],
  [
    "Init:0/2",
    "0/1",
    0,
    pod({
      name: "init-1",
      spec: { initContainers: [container("a"), container("b")] },
      status: {
        phase: "Pending",
        containerStatuses: [waiting("app", "PodInitializing")],
        initContainerStatuses: [running("a", 0, false), waiting("b", "PodInitializing")],
      },
    }),
  ],
  [
    "Init:1/2",
    "0/1",
    0,
    pod({
      name: "init-2",
      spec: { initContainers: [container("a"), container("b")] },
      status: {
        phase: "Pending",
        containerStatuses: [waiting("app", "PodInitializing")],
        initContainerStatuses: [ended("a", { exitCode: 0, reason: "Completed" }), running("b", 0, false)],
      },
    }),
  ],
  [
    "Init:Error",
    "0/1",
    4,
    pod({
      name: "init-3",
      spec: { initContainers: [container("a")] },
      status: {
        phase: "Pending",
        containerStatuses: [waiting("app", "PodInitializing")],
        initContainerStatuses: [ended("a", { exitCode: 1, reason: "Error" }, 4)],
      },
    }),
  ],
  [
    "Init:CrashLoopBackOff",
    "0/1",
    5,
    pod({
      name: "init-4",
      spec: { initContainers: [container("a")] },
      status: {
        phase: "Pending",
        containerStatuses: [waiting("app", "PodInitializing")],
        initContainerStatuses: [waiting("a", "CrashLoopBackOff", 5)],
      },
    }),
  ],
  [
    "Running",
    "1/2",
    0,
    pod({
      name: "half-1",
      spec: { containers: [container("app"), container("job")] },
      status: { containerStatuses: [running("app"), ended("job", { exitCode: 0, reason: "Completed" })] },
    }),
  ],
  [
    "NotReady",
    "1/2",
    0,
    pod({
      name: "half-2",
      spec: { containers: [container("app"), container("job")] },
      status: {
        conditions: [{ ...READY, status: "False" }],
        containerStatuses: [running("app"), ended("job", { exitCode: 0, reason: "Completed" })],
      },
    }),
  ],
  [
    "Running",
    "2/2",
    5,
    pod({
      name: "sidecar-1",
      spec: { initContainers: [container("a"), sidecar("proxy")] },
      status: {
        containerStatuses: [running("app", 3)],
        initContainerStatuses: [ended("a", { exitCode: 0, reason: "Completed" }, 7), running("proxy", 2)],
      },
    }),
  ],
  [
    "Init:1/2",
    "1/2",
    3,
    pod({
      name: "sidecar-2",
      spec: { initContainers: [sidecar("proxy"), container("b")] },
      status: {
        phase: "Pending",
        conditions: [],
        containerStatuses: [waiting("app", "PodInitializing")],
        initContainerStatuses: [running("proxy", 2), running("b", 1, false)],
      },
    }),
  ],
  [
    "Init:CrashLoopBackOff",
    "1/2",
    6,
    pod({
      name: "sidecar-3",
      spec: { initContainers: [sidecar("proxy")] },
      status: {
        conditions: [{ ...READY, type: "Initialized" }],
        containerStatuses: [running("app", 2)],
        initContainerStatuses: [{ ...waiting("proxy", "CrashLoopBackOff", 4), started: false }],
      },
    }),
  ],
];

export function podList(namespace: string | undefined): RecordedList {
  const elsewhere = pod({ name: "agent-1", namespace: "monitoring" });
  const items = [...STATES.map(([, , , one]) => one), elsewhere];
  return {
    kind: "PodList",
    apiVersion: "v1",
    metadata: { resourceVersion: "4711" },
    items: items.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace),
  };
}

const deployment = (name: string, spec: object, status: object): RecordedItem => ({
  metadata: {
    name,
    namespace: "payments",
    generation: 3,
    creationTimestamp: "2026-11-20T10:00:00Z",
    labels: { app: name },
  },
  spec: { selector: { matchLabels: { app: name } }, template: { spec: { containers: [container(name)] } }, ...spec },
  status: { observedGeneration: 3, ...status },
});

export function deploymentList(namespace: string | undefined): RecordedList {
  const stuck = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "timed out" };
  const items = [
    deployment(
      "web",
      { replicas: 3 },
      {
        replicas: 3,
        updatedReplicas: 3,
        readyReplicas: 3,
        availableReplicas: 3,
        conditions: [{ type: "Available", status: "True" }],
      },
    ),
    deployment(
      "api",
      { replicas: 2 },
      {
        replicas: 2,
        updatedReplicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
        unavailableReplicas: 1,
        conditions: [stuck],
      },
    ),
    deployment("off", { replicas: 0 }, {}),
  ];
  return {
    kind: "DeploymentList",
    apiVersion: "apps/v1",
    metadata: { resourceVersion: "4711" },
    items: namespace === undefined || namespace === "payments" ? items : [],
  };
}
