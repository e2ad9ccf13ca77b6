/**
 * Workers, started when they are first needed and as many as cores, and the queue before them. A job ends in exactly one
 * way: its result, its failure, the caller's cancel, its deadline, or the crash of its worker.
 *
 * Long jobs (searches, hashes) leave at least one worker free for short ones, so a read never waits for a search when
 * there are two cores; they take turns in the other workers. Short jobs are posted ahead in batches; a worker that dies
 * fails only the job that it was running, the others are posted again, which is safe because jobs that change anything
 * run in a pool of their own, one at a time.
 */
import {
  failureFromData,
  limits,
  monotonicMs,
  stoppedCall,
  type CompiledModule,
  type FailureData,
  type StopSignal,
} from "../base/index.ts";
import { chooseForPart, chooseSlot, type Slots } from "./choose-slot.ts";
import { bugFailure, failureOf } from "./job-failures.ts";
import { rankOf, type Job, type JobAnswer, type JobProgress, type JobRequest, type Rank } from "./job.ts";
import type { ReplyKind, ReplyLine } from "./job-line.ts";
import { WorkerSlot } from "./worker-slot.ts";
import type { WorkerEntry } from "./worker-slot.ts";

export interface PoolOptions {
  readonly entry: WorkerEntry;
  readonly size: number;
  /** Handed to the worker's `createHandler`. */
  readonly config: string;
  /** Whether an unanswered job may be run again after a crash. */
  readonly repeatable: boolean;
  readonly onBug: (stack: string) => string;
  /** While it says so no further job is begun: answers that nobody takes would fill the memory. Asked every tick. */
  readonly isHeld?: () => boolean;
  /** Before jobs go to a worker. */
  readonly beforePost?: () => void;
  /** Does what no worker may. `undefined`: this host cannot, and the worker is told so. */
  readonly outside?: (ask: OutsideAsk) => Promise<string | undefined>;
}

/** A part of a job that the host has done in a process apart. */
export interface OutsideAsk {
  readonly name: string;
  /** JSON. */
  readonly input: string;
  /** Aborted by whoever asked for the job. */
  readonly signal?: StopSignal | undefined;
  readonly timeoutMs: number;
}

const TICK_MS = 50;

export class Pool {
  readonly #options: PoolOptions;
  readonly #slots: Set<WorkerSlot> = new Set();
  /** What one worker has compiled for all, by name. */
  readonly #compiled: Map<string, CompiledModule> = new Map();
  readonly #queue: Job[] = [];
  readonly #events = {
    onReply: (slot: WorkerSlot, reply: ReplyLine): void => this.#onReply(slot, reply),
    onCompiled: (slot: WorkerSlot, compiled: CompiledModule): void => this.#onCompiled(slot, compiled),
    onGone: (slot: WorkerSlot, reason: string): void => this.#onGone(slot, reason),
    beforePost: (): void => this.#options.beforePost?.(),
  };
  readonly #choice: Slots;
  #nextId = 1;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #closed = false;
  #isLast = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#choice = { all: this.#slots, size: options.size, start: () => this.#start() };
  }

  /** @throws Failure of the job; `cancelled`, `timed_out`; `internal` after a crash */
  run(request: JobRequest): Promise<JobAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#isLast || request.signal?.aborted) return reject(stoppedCall("cancelled"));
      const deadlineMs = monotonicMs() + request.timeoutMs;
      const job: Job = { id: this.#nextId++, request, deadlineMs, resolve, reject, parts: new Set() };
      request.signal?.addEventListener("abort", () => this.#stop(job, "cancelled"));
      this.#queue.push(job);
      this.#assign();
      this.#ticker ??= setInterval(() => this.#tick(), TICK_MS);
      return undefined;
    });
  }

  /** Starts a worker before there is a job, where it is known that there will be one soon. */
  warm(): void {
    if (this.#slots.size === 0 && !this.#closed && !this.#isLast) this.#start();
  }

  /** Jobs that are not yet answered. */
  get active(): number {
    let count = this.#queue.length;
    for (const slot of this.#slots) for (const job of slot.posted.values()) if (!job.isOver) count++;
    return count;
  }

  /** Takes no more jobs: ends when those that it has are answered. */
  closeWhenIdle(): void {
    this.#isLast = true;
    if (this.active === 0) this.close();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#ticker);
    for (const job of this.#queue.splice(0)) job.reject(stoppedCall("cancelled"));
    for (const slot of this.#slots) {
      for (const job of slot.posted.values()) job.reject(stoppedCall("cancelled"));
      slot.end();
    }
    this.#slots.clear();
  }

  #assign(): void {
    if (this.#options.isHeld?.() === true) return;
    const full = new Set<Rank>();
    for (let at = 0; at < this.#queue.length;) {
      const job = this.#queue[at];
      if (!job) return;
      const rank = rankOf(job.request);
      const slot = full.has(rank) ? undefined : chooseSlot(this.#choice, rank);
      if (!slot) {
        full.add(rank);
        at++;
        continue;
      }
      this.#queue.splice(at, 1);
      slot.post(job, monotonicMs());
      // Who does its parts, or the short jobs meanwhile: both load at once.
      if (job.request.long && this.#slots.size === 1 && this.#options.size > 1) this.#start();
    }
  }

  #start(): WorkerSlot {
    const slot = new WorkerSlot(this.#options.entry, this.#options.config, this.#events);
    for (const compiled of this.#compiled.values()) slot.give(compiled);
    this.#slots.add(slot);
    return slot;
  }

  #onCompiled(from: WorkerSlot, compiled: CompiledModule): void {
    this.#compiled.set(compiled.name, compiled);
    for (const slot of this.#slots) if (slot !== from) slot.give(compiled);
  }

  #onReply(slot: WorkerSlot, reply: ReplyLine): void {
    if (reply.kind === "progress") {
      slot.posted.get(reply.id)?.request.onProgress?.(JSON.parse(reply.payload) as JobProgress);
      return;
    }
    if (reply.kind === "worn") {
      slot.isWorn = true;
      this.#endIfWorn(slot);
      return;
    }
    if (reply.kind === "ask") {
      this.#share(slot, reply);
      return;
    }
    if (reply.kind === "outside") {
      void this.#haveDone(slot, reply);
      return;
    }
    const job = slot.settle(reply.id);
    if (!job) return;
    this.#finish(job, reply);
    this.#endIfWorn(slot);
    if (this.#queue.length > 0) this.#assign();
  }

  #share(asker: WorkerSlot, { id, facts, payload }: ReplyLine): void {
    const whole = asker.posted.get(id);
    const [question = "", name = ""] = facts.split(" ");
    const answer = (kind: ReplyKind, text: string): void =>
      asker.answer({ id: Number(question), kind, facts: "", payload: text });
    const hasShort = this.#queue.some(({ request }) => rankOf(request) === 0);
    const helper = !whole || whole.stopped || hasShort ? undefined : chooseForPart(this.#choice);
    if (!whole || !helper) return answer("busy", "");
    const part: Job = {
      id: this.#nextId++,
      request: { name, input: payload, timeoutMs: Math.max(1, whole.deadlineMs - monotonicMs()) },
      deadlineMs: whole.deadlineMs,
      parts: new Set(),
      resolve: ({ payload: result }) => {
        whole.parts.delete(part);
        answer("result", result);
      },
      reject: (thrown) => {
        whole.parts.delete(part);
        answer("failure", JSON.stringify(failureOf(thrown, this.#options.onBug).data));
      },
    };
    whole.parts.add(part);
    helper.post(part, monotonicMs());
    return undefined;
  }

  /** The worker waits for it, and is told in any case. */
  async #haveDone(asker: WorkerSlot, { id, facts, payload }: ReplyLine): Promise<void> {
    const whole = asker.posted.get(id);
    const [question = "", name = ""] = facts.split(" ");
    const answer = (kind: ReplyKind, text: string): void =>
      asker.answer({ id: Number(question), kind, facts: "", payload: text });
    if (!whole) return answer("busy", "");
    try {
      const timeoutMs = Math.max(1, whole.deadlineMs - monotonicMs());
      const ask = { name, input: payload, signal: whole.request.signal, timeoutMs };
      const done = await this.#options.outside?.(ask);
      return done === undefined ? answer("busy", "") : answer("result", done);
    } catch (thrown) {
      return answer("failure", JSON.stringify(failureOf(thrown, this.#options.onBug).data));
    }
  }

  #endIfWorn(slot: WorkerSlot): void {
    if (!slot.isWorn || slot.posted.size > 0) return;
    this.#slots.delete(slot);
    slot.end();
  }

  #finish(job: Job, reply: ReplyLine): void {
    if (job.stopped === "cancelled") job.reject(stoppedCall("cancelled"));
    else if (reply.kind === "result") job.resolve({ payload: reply.payload, facts: reply.facts });
    else if (reply.kind === "failure") job.reject(failureFromData(JSON.parse(reply.payload) as FailureData));
    else job.reject(bugFailure(this.#options.onBug(JSON.parse(reply.payload) as string)));
  }

  #stop(job: Job, why: "cancelled" | "timed_out"): void {
    if (job.stopped) return;
    job.stopped = why;
    for (const part of job.parts) this.#stop(part, why);
    const queued = this.#queue.indexOf(job);
    if (queued >= 0) {
      this.#queue.splice(queued, 1);
      job.reject(stoppedCall(why));
      return;
    }
    for (const slot of this.#slots) if (slot.posted.has(job.id)) slot.cancel(job.id);
  }

  /** Deadlines of jobs that wait, and of workers that did not stop by themselves. */
  #tick(): void {
    const now = monotonicMs();
    for (const job of this.#queue.filter((queued) => now > queued.deadlineMs)) this.#stop(job, "timed_out");
    for (const slot of this.#slots) {
      const [first] = slot.posted.values();
      const current = slot.running ?? first;
      if (current && now > current.deadlineMs + limits.WORKER_GRACE_MS) {
        slot.end();
        this.#onGone(slot, "it did not stop at its deadline", "timed_out");
        continue;
      }
      if (this.#options.repeatable) this.#endWaiting(slot, now);
    }
    if (this.#queue.length > 0) this.#assign();
    const idle = this.#queue.length === 0 && [...this.#slots].every((slot) => slot.posted.size === 0);
    if (!idle) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
    if (this.#isLast) this.close();
  }

  /**
   * Ends the jobs that wait behind one that does not give way. A change is never told to be over while it may still be
   * made.
   */
  #endWaiting(slot: WorkerSlot, now: number): void {
    for (const job of slot.posted.values()) {
      if (job.isOver || now <= job.deadlineMs + limits.WORKER_GRACE_MS) continue;
      this.#stop(job, "timed_out");
      job.isOver = true;
      job.reject(stoppedCall("timed_out"));
    }
  }

  #onGone(slot: WorkerSlot, reason: string, why?: "timed_out"): void {
    if (!this.#slots.delete(slot)) return;
    // A worker that was lost before its first job is nobody's doing; blaming the first keeps it from going on for ever.
    const [first] = slot.posted.values();
    const running = slot.running ?? first;
    const waiting = [...slot.posted.values()].filter((job) => job !== running && !job.isOver);
    if (running) running.reject(why ? stoppedCall(why) : bugFailure(this.#options.onBug(`worker lost: ${reason}`)));
    for (const job of waiting) if (!this.#options.repeatable) job.reject(bugFailure(this.#options.onBug(reason)));
    if (this.#options.repeatable) this.#queue.unshift(...waiting);
    this.#assign();
  }
}
