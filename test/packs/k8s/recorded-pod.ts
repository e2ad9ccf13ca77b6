/**
 * One pod in the shape of kube-apiserver (core/v1), and its containers in each of their states.
 */
export const READY = { type: "Ready", status: "True", lastProbeTime: null, lastTransitionTime: "2026-11-20T10:00:00Z" };

interface Given {
  readonly name: string;
  readonly namespace?: string;
  readonly spec?: object;
  readonly status?: object;
  readonly metadata?: object;
}

export const container = (name: string): object => ({
  name,
  image: `registry.example/${name}:1.4.2`,
  imagePullPolicy: "IfNotPresent",
});

export const sidecar = (name: string): object => ({ ...container(name), restartPolicy: "Always" });

export const running = (name: string, restartCount = 0, ready = true): object => ({
  name,
  state: { running: { startedAt: "2026-11-20T10:00:01Z" } },
  lastState: {},
  ready,
  restartCount,
  image: `registry.example/${name}:1.4.2`,
  imageID: "",
  started: true,
});

export const ended = (name: string, terminated: object, restartCount = 0): object => ({
  ...running(name, restartCount, false),
  state: { terminated },
});

export const waiting = (name: string, reason: string, restartCount = 0): object => ({
  ...running(name, restartCount, false),
  state: { waiting: { reason } },
});

export interface RecordedItem {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: object;
    readonly [other: string]: unknown;
  };
  readonly spec: object;
  readonly status: object;
}

export function pod({ name, namespace = "payments", spec = {}, status = {}, metadata = {} }: Given): RecordedItem {
  return {
    metadata: {
      name,
      namespace,
      resourceVersion: "1234",
      creationTimestamp: "2026-11-20T10:00:00Z",
      labels: { app: name.split("-")[0] ?? name },
      ...metadata,
    },
    spec: { containers: [container("app")], restartPolicy: "Always", nodeName: "node-1", ...spec },
    status: {
      phase: "Running",
      conditions: [READY],
      podIP: "10.244.1.7",
      containerStatuses: [running("app")],
      ...status,
    },
  };
}
