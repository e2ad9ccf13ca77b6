/**
 * The tasks of one process, and the methods that look at them. Ids cannot be guessed; whoever has one may use it.
 */
import { nowMs, type StopSource } from "../base/index.ts";
import { RPC, RpcError, type Request } from "../wire/index.ts";
import { declares } from "./about.ts";
import { TASKS, type ClientFacts } from "./client-facts.ts";
import { Task, TASK_TTL_MS } from "./task.ts";

/** The protocol's code for a request whose client lacks a capability. */
export const MISSING_CAPABILITY = -32021;
/** With their results. When there are so many, calls are answered when they are done, as without tasks. */
const MAX_TASKS = 256;
const MAX_KEPT_CHARS: number = 64 * 1024 * 1024;

export class Tasks {
  readonly #tasks: Map<string, Task> = new Map();
  readonly #changed: (task: Task) => void;

  /** @param changed is told of every task that changed its status */
  constructor(changed: (task: Task) => void) {
    this.#changed = changed;
  }

  /** `undefined` when there is no room. */
  create(stop: StopSource): Task | undefined {
    this.#sweep();
    const kept = [...this.#tasks.values()].reduce((sum, task) => sum + task.kept, 0);
    if (this.#tasks.size >= MAX_TASKS || kept > MAX_KEPT_CHARS) return undefined;
    const task = new Task(stop, this.#changed);
    this.#tasks.set(task.id, task);
    return task;
  }

  find(id: unknown): Task | undefined {
    const task = typeof id === "string" ? this.#tasks.get(id) : undefined;
    return task === undefined || isExpired(task) ? undefined : task;
  }

  /** The members of the result of `tasks/*`, as JSON text. @throws RpcError */
  answer({ method, params }: Request, client: ClientFacts): string {
    requireTasks(client);
    const { taskId, inputResponses } = params;
    const task = this.find(taskId);
    if (!task)
      throw new RpcError(RPC.invalidParams, "params.taskId names no task: it never was, or it has expired");
    if (method === "tasks/get") return task.detail();
    if (method === "tasks/cancel") task.cancel();
    else if (isObject(inputResponses)) task.update(inputResponses);
    else throw new RpcError(RPC.invalidParams, "params.inputResponses must be an object");
    return "";
  }

  /** Nobody can ask for them any more. */
  close(): void {
    for (const task of this.#tasks.values()) if (!task.isOver) task.cancel();
  }

  #sweep(): void {
    for (const [id, task] of this.#tasks) if (task.isOver && isExpired(task)) this.#tasks.delete(id);
  }
}

/** @throws RpcError -32021 */
export function requireTasks({ capabilities }: ClientFacts): void {
  if (!knowsTasks(capabilities))
    throw new RpcError(MISSING_CAPABILITY, `the client did not declare the extension ${TASKS}`, {
      requiredCapabilities: { extensions: { [TASKS]: {} } },
    });
}

export function knowsTasks(capabilities: ClientFacts["capabilities"]): boolean {
  return declares(capabilities, "extensions", TASKS);
}

function isExpired(task: Task): boolean {
  return nowMs() > task.created + TASK_TTL_MS;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
