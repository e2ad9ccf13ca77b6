/**
 * The state of a pod in one word, as kubectl shows it: `Running`, `CrashLoopBackOff`, `Init:0/1`, `Completed`, `Terminating`. The
 * phase alone says `Running` of a pod that ends again and again (kubernetes/pkg/printers, printPod).
 */
import { listAt, member, numberAt, textAt } from "./read-object.ts";

interface PodState {
  readonly status: string;
  readonly ready: number;
  readonly containers: number;
  readonly restarts: number;
}

export function podStatus(pod: unknown): PodState {
  const states = listAt(pod, "status", "containerStatuses");
  const init = initStateOf(pod);
  // A sidecar that is started anew does not begin the others again.
  const isBegun = init.reason === undefined || hasCondition(pod, "Initialized");
  return {
    status: deletedReason(pod) ?? (isBegun ? ownReason(pod, states, init.reason) : init.reason),
    ready: init.ready + (isBegun ? states.filter(isReady).length : 0),
    containers: containersOf(pod).length,
    restarts: isBegun ? init.sidecarRestarts + restartsOf(states) : init.restarts,
  };
}

/** Containers that run as long as the pod does: a sidecar is an init container that is always started anew. */
export function containersOf(pod: unknown): readonly unknown[] {
  return [...listAt(pod, "spec", "containers"), ...sidecarsOf(pod)];
}

function sidecarsOf(pod: unknown): readonly unknown[] {
  return listAt(pod, "spec", "initContainers").filter((one) => member(one, "restartPolicy") === "Always");
}

function restartsOf(states: readonly unknown[]): number {
  return states.reduce<number>((all, one) => all + numberAt(one, "restartCount"), 0);
}

function deletedReason(pod: unknown): string | undefined {
  if (textAt(pod, ["metadata", "deletionTimestamp"]) === "") return undefined;
  return textAt(pod, ["status", "reason"]) === "NodeLost" ? "Unknown" : "Terminating";
}

interface InitState {
  /** What the first one that has not ended well is at; `undefined` when all have. */
  readonly reason: string | undefined;
  /** Ready sidecars before that one. */
  readonly ready: number;
  /** All up to that one count. */
  readonly restarts: number;
  readonly sidecarRestarts: number;
}

function initStateOf(pod: unknown): InitState {
  const names = new Set(sidecarsOf(pod).map((one) => member(one, "name")));
  const isSidecar = (state: unknown): boolean => names.has(member(state, "name"));
  const states = listAt(pod, "status", "initContainerStatuses");
  const first = states.findIndex((one) => !isOver(one) && !(isSidecar(one) && member(one, "started") === true));
  const past = first < 0 ? states : states.slice(0, first);
  const reached = first < 0 ? states : states.slice(0, first + 1);
  return {
    reason:
      first < 0 ? undefined : initReason(states[first], `${first}/${listAt(pod, "spec", "initContainers").length}`),
    ready: past.filter((one) => !isOver(one) && member(one, "ready") === true).length,
    restarts: restartsOf(reached),
    sidecarRestarts: restartsOf(reached.filter(isSidecar)),
  };
}

function isOver(state: unknown): boolean {
  const ended = member(state, "state", "terminated");
  return ended !== undefined && numberAt(ended, "exitCode") === 0;
}

function initReason(state: unknown, place: string): string {
  const ended = member(state, "state", "terminated");
  if (ended !== undefined) return `Init:${endOf(ended)}`;
  const waiting = textAt(state, ["state", "waiting", "reason"]);
  return `Init:${waiting === "" || waiting === "PodInitializing" ? place : waiting}`;
}

function ownReason(pod: unknown, states: readonly unknown[], init: string | undefined): string {
  const phase = init ?? (textAt(pod, ["status", "reason"]) || textAt(pod, ["status", "phase"]) || "Unknown");
  // The first container with a reason counts.
  const reason = states.map(reasonOf).find((one) => one !== "") ?? phase;
  if (reason !== "Completed" || !states.some(isReady)) return reason;
  return hasCondition(pod, "Ready") ? "Running" : "NotReady";
}

function hasCondition(pod: unknown, type: string): boolean {
  return listAt(pod, "status", "conditions").some(
    (one) => member(one, "type") === type && member(one, "status") === "True",
  );
}

function reasonOf(container: unknown): string {
  const waiting = textAt(container, ["state", "waiting", "reason"]);
  if (waiting !== "") return waiting;
  const ended = member(container, "state", "terminated");
  return ended === undefined ? "" : endOf(ended);
}

function endOf(ended: unknown): string {
  const reason = textAt(ended, ["reason"]);
  if (reason !== "") return reason;
  const signal = numberAt(ended, "signal");
  return signal === 0 ? `ExitCode:${numberAt(ended, "exitCode")}` : `Signal:${signal}`;
}

function isReady(container: unknown): boolean {
  return member(container, "ready") === true && member(container, "state", "running") !== undefined;
}
