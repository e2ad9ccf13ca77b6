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
  const containers = listAt(pod, "spec", "containers").length;
  const states = listAt(pod, "status", "containerStatuses");
  const ready = states.filter(isReady).length;
  const init = initReason(pod);
  const restarts = restartsOf(init === undefined ? states : listAt(pod, "status", "initContainerStatuses"));
  return { status: deletedReason(pod) ?? init ?? ownReason(pod, states), ready, containers, restarts };
}

function restartsOf(states: readonly unknown[]): number {
  return states.reduce<number>((all, one) => all + numberAt(one, "restartCount"), 0);
}

function deletedReason(pod: unknown): string | undefined {
  if (textAt(pod, ["metadata", "deletionTimestamp"]) === "") return undefined;
  return textAt(pod, ["status", "reason"]) === "NodeLost" ? "Unknown" : "Terminating";
}

/** The first init container that has not ended well; `undefined` when all have. */
function initReason(pod: unknown): string | undefined {
  const all = listAt(pod, "spec", "initContainers");
  const sidecars = new Set(
    all.filter((one) => member(one, "restartPolicy") === "Always").map((one) => member(one, "name")),
  );
  for (const [index, one] of listAt(pod, "status", "initContainerStatuses").entries()) {
    const ended = member(one, "state", "terminated");
    if (ended !== undefined && numberAt(ended, "exitCode") === 0) continue;
    if (sidecars.has(member(one, "name")) && member(one, "started") === true) continue;
    if (ended !== undefined) return `Init:${endOf(ended)}`;
    const waiting = textAt(one, ["state", "waiting", "reason"]);
    if (waiting !== "" && waiting !== "PodInitializing") return `Init:${waiting}`;
    return `Init:${index}/${all.length}`;
  }
  return undefined;
}

function ownReason(pod: unknown, states: readonly unknown[]): string {
  const phase = textAt(pod, ["status", "reason"]) || textAt(pod, ["status", "phase"]) || "Unknown";
  // The first container with a reason counts.
  const reason = states.map(reasonOf).find((one) => one !== "") ?? phase;
  if (reason !== "Completed" || !states.some(isReady)) return reason;
  const isUp = listAt(pod, "status", "conditions").some(
    (one) => member(one, "type") === "Ready" && member(one, "status") === "True",
  );
  return isUp ? "Running" : "NotReady";
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
