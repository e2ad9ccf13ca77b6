/**
 * One worker and the jobs it was given. The only place that says `new Worker`, and it always listens: a worker that
 * cannot start and has no error listener ends the whole program without a word. In the compiled program the absolute address
 * of the embedded file is the only safe form: a relative one that is not embedded would be loaded from the current directory,
 * which the model may write.
 *
 * Posted lines are gathered until the end of the tick, so that a burst of calls is one message.
 */
import type { CompiledModule } from "../base/index.ts";
import { collectSoonAfter } from "./idle-policy.ts";
import {
  ANSWER_MARK,
  BATCHES,
  CANCEL_FLAGS,
  FLAGS,
  MAX_POSTED,
  RUNNING,
  jobLine,
  parseReplyLine,
  replyLine,
  type ReplyLine,
} from "./job-line.ts";
import { rankOf, type Job, type Rank } from "./job.ts";

export interface SlotEvents {
  onReply(slot: WorkerSlot, reply: ReplyLine): void;
  /** The worker has compiled something that the others can use. */
  onCompiled(slot: WorkerSlot, compiled: CompiledModule): void;
  /** The worker is gone; its unanswered jobs are still in `posted`. */
  onGone(slot: WorkerSlot, reason: string): void;
  beforePost(): void;
}

export class WorkerSlot {
  readonly posted: Map<number, Job> = new Map();
  readonly #worker: Worker;
  readonly #flags: Int32Array;
  readonly #free: number[] = [];
  readonly #events: SlotEvents;
  readonly #slotOf: Map<number, number> = new Map();
  /** How many of each rank are posted. */
  readonly #ranks: number[] = MAX_POSTED.map(() => 0);
  /** The worker wants to be replaced: it is given no more jobs, and ends when it has answered those that it has. */
  isWorn = false;
  #gathered: string[] = [];
  #gone = false;

  constructor(entry: WorkerEntry, config: string, events: SlotEvents) {
    this.#events = events;
    const shared = new SharedArrayBuffer(4 * FLAGS);
    this.#flags = new Int32Array(shared);
    for (let slot = CANCEL_FLAGS - 1; slot >= 0; slot--) this.#free.push(slot);
    this.#worker = new Worker(workerUrl(entry).href, { name: entry });
    this.#worker.onmessage = ({ data }: MessageEvent<string | CompiledModule>) => {
      if (typeof data !== "string") {
        events.onCompiled(this, data);
        return;
      }
      for (const line of data.split("\n")) events.onReply(this, parseReplyLine(line));
      collectSoonAfter(data.length);
    };
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#leave(events, event.message);
    });
    this.#worker.addEventListener("close", () => this.#leave(events, "the worker ended"));
    this.#worker.postMessage({ flags: shared, config });
  }

  /** How many long jobs it has. */
  get longs(): number {
    return this.posted.size - (this.#ranks[0] ?? 0);
  }

  /** The job that the worker is at, or was when it was lost; not always the first, whose reply may be on its way. */
  get running(): Job | undefined {
    return this.posted.get(Atomics.load(this.#flags, RUNNING));
  }

  hasRoomFor(rank: Rank): boolean {
    return !this.#gone && !this.isWorn && (this.#ranks[rank] ?? 0) < (MAX_POSTED[rank] ?? 0);
  }

  post(job: Job, nowMs: number): void {
    const slot = this.#free.pop();
    if (slot === undefined) throw new Error("no free slot");
    this.posted.set(job.id, job);
    this.#slotOf.set(job.id, slot);
    const rank = rankOf(job.request);
    this.#count(rank, 1);
    if (this.#gathered.length === 0) queueMicrotask(() => this.#send());
    const leftMs = Math.max(1, Math.round(job.deadlineMs - nowMs));
    const { name, input } = job.request;
    this.#gathered.push(jobLine({ id: job.id, slot, leftMs, rank, name, input }));
  }

  /** Before the next job that is posted. */
  give(compiled: CompiledModule): void {
    if (!this.#gone) this.#worker.postMessage(compiled);
  }

  /** What came of a part that a job of this worker has asked for. */
  answer(reply: ReplyLine): void {
    if (!this.#gone) this.#worker.postMessage(ANSWER_MARK + replyLine(reply));
  }

  /** Takes the job back when it is answered. */
  settle(id: number): Job | undefined {
    const job = this.posted.get(id);
    const slot = this.#slotOf.get(id);
    if (!job || slot === undefined) return undefined;
    this.posted.delete(id);
    this.#slotOf.delete(id);
    this.#free.push(slot);
    this.#count(rankOf(job.request), -1);
    return job;
  }

  /** Asks the running or waiting job to stop; it answers by itself. */
  cancel(id: number): void {
    const slot = this.#slotOf.get(id);
    if (slot !== undefined) Atomics.store(this.#flags, slot, id);
  }

  /** `terminate` returns at once; code inside a native call may go on for a while, but is never heard again. */
  end(): void {
    this.#gone = true;
    this.#worker.terminate();
  }

  #count(rank: Rank, by: 1 | -1): void {
    this.#ranks[rank] = (this.#ranks[rank] ?? 0) + by;
  }

  #send(): void {
    const lines = this.#gathered;
    this.#gathered = [];
    if (this.#gone) return;
    this.#events.beforePost();
    Atomics.add(this.#flags, BATCHES, 1);
    this.#worker.postMessage(lines.join("\n"));
  }

  #leave(events: SlotEvents, reason: string): void {
    if (this.#gone) return;
    this.#gone = true;
    events.onGone(this, reason);
  }
}

export type WorkerEntry = "read" | "change" | "watch" | "highlight" | "supervise" | TestEntry;

/** The absolute address of a worker that misbehaves on purpose; nothing but the tests of this folder names one. */
type TestEntry = `file://${string}`;

const EMBEDDED = import.meta.url.includes("/$bunfs/") || import.meta.url.includes("~BUN");

export function workerUrl(entry: WorkerEntry): URL {
  if (entry.startsWith("file://")) return new URL(entry);
  return EMBEDDED
    ? new URL(`./workers/${entry}.js`, import.meta.url)
    : new URL(`../../workers/${entry}.ts`, import.meta.url);
}
