/**
 * Long calls whose request was answered with a task: the status of each, what it asks its client, and in the end its result.
 * Ids cannot be guessed; whoever has one may use it. https://github.com/modelcontextprotocol/ext-tasks
 *
 * Invariant: a task ends once. What its work does after a cancel is ignored.
 */
import { isObject, isoTime, newId, nowMs, type StopSource } from "../base/index.ts";
import type { RpcProblem } from "../calls/index.ts";
import { invalidParams, RpcError, type Request } from "../wire/index.ts";
import { declares, type ClientFacts } from "./about.ts";
import type { InputRequest, InputRequests, InputResponses } from "./input-required.ts";
import { TASKS } from "./revisions.ts";

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
    if (!task) throw invalidParams("params.taskId names no task: it never was, or it has expired");
    if (method === "tasks/get") return task.detail();
    if (method === "tasks/cancel") task.cancel();
    else if (isObject(inputResponses)) task.update(inputResponses);
    else throw invalidParams("params.inputResponses must be an object");
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

/** What came of a request: the JSON text of its result, or the error. */
export type Settled = { readonly result: string } | { readonly error: RpcProblem };

type Status = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** From its creation. */
const TASK_TTL_MS: number = 60 * 60 * 1000;
const POLL_MS = 1000;

export class Task {
  readonly id: string = newId("task");
  readonly created: number = nowMs();
  readonly #stop: StopSource;
  readonly #changed: (task: Task) => void;
  #status: Status = "working";
  #updated: number = this.created;
  #settled: Settled | undefined;
  /** Questions without an answer, by keys that no other question of this task has. */
  readonly #open: Map<string, { readonly request: InputRequest; readonly answer: (value: unknown) => void }> =
    new Map();
  #asked = 0;

  constructor(stop: StopSource, changed: (task: Task) => void) {
    this.#stop = stop;
    this.#changed = changed;
    stop.addEventListener("abort", () => this.#end("cancelled"));
  }

  get isOver(): boolean {
    return this.#status !== "working" && this.#status !== "input_required";
  }

  /** What it keeps of its result, in characters. */
  get kept(): number {
    return this.#settled && "result" in this.#settled ? this.#settled.result.length : 0;
  }

  /** The members of `Task`, without braces. */
  seed(): string {
    const { id: taskId, created } = this;
    return JSON.stringify({
      taskId,
      status: this.#status,
      createdAt: isoTime(created),
      lastUpdatedAt: isoTime(this.#updated),
      ttlMs: TASK_TTL_MS,
      pollIntervalMs: POLL_MS,
    }).slice(1, -1);
  }

  /** The members of "DetailedTask", without braces. */
  detail(): string {
    const requests = Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
    if (this.#status === "input_required") return `${this.seed()},"inputRequests":${JSON.stringify(requests)}`;
    if (this.#settled === undefined || this.#status === "cancelled") return this.seed();
    return "result" in this.#settled
      ? `${this.seed()},"result":${this.#settled.result}`
      : `${this.seed()},"statusMessage":${JSON.stringify(this.#settled.error.message)},"error":${JSON.stringify(this.#settled.error)}`;
  }

  settle(settled: Settled): void {
    if (this.isOver) return;
    this.#settled = settled;
    this.#end("result" in settled ? "completed" : "failed");
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** Resolves when all of them are answered; when the task ends before, with those that were. */
  async requestInput(requests: InputRequests): Promise<InputResponses> {
    const round = ++this.#asked;
    const answers: Record<string, unknown> = {};
    const waits = Object.entries(requests).map(([name, request]) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const answer = (value: unknown): void => {
        if (value !== undefined) answers[name] = value;
        resolve();
      };
      this.#open.set(`${name}-${round}`, { request, answer });
      return promise;
    });
    this.#turn("input_required");
    await Promise.all(waits);
    return answers;
  }

  /** Answers to questions that are not open are ignored. */
  update(responses: Readonly<Record<string, unknown>>): void {
    if (this.isOver) return;
    for (const [key, { answer }] of this.#open) {
      if (!Object.hasOwn(responses, key)) continue;
      this.#open.delete(key);
      answer(responses[key]);
    }
    this.#turn(this.#open.size === 0 ? "working" : "input_required");
  }

  #end(status: Status): void {
    if (this.isOver) return;
    this.#turn(status);
    for (const { answer } of this.#open.values()) answer(undefined);
    this.#open.clear();
  }

  #turn(status: Status): void {
    this.#status = status;
    this.#updated = nowMs();
    this.#changed(this);
  }
}
