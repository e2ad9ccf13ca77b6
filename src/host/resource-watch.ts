/**
 * Files that clients want to hear of. Once a second all of them are looked at by one job of a worker, by handle and under
 * the rules of whoever asked: the system's own notices are told by path, are lost when the file is replaced, and say
 * nothing of what a rule or a narrowed root has closed since.
 *
 * A change is told once, a removal too. There are few, each costs one open a second, and nothing runs when there are none.
 */
import type { CallPolicy } from "./call.ts";
import { Failure, limits, type Timer, reportBug } from "../base/index.ts";
import type { ResourceInput } from "../jobs/index.ts";
import type { Services } from "./services.ts";
import { ruledJob } from "./ruled-job.ts";

const EVERY_MS = 1000;
/** Of one process. */
const MAX_WATCHED = 64;

interface Watched {
  readonly resource: ResourceInput;
  readonly under: CallPolicy;
  mark: string;
  /** By handshake at most once, by each subscription of the modern era once more. */
  subscribed: boolean;
  listeners: number;
}

export class ResourceWatch {
  readonly #host: Services;
  readonly #tell: (uri: string, subscribed: boolean) => void;
  readonly #watched: Map<string, Watched> = new Map();
  #timer: Timer | undefined;

  constructor(host: Services, tell: (uri: string, subscribed: boolean) => void) {
    this.#host = host;
    this.#tell = tell;
  }

  has(uri: string): boolean {
    return this.#watched.has(uri);
  }

  get isFull(): boolean {
    return this.#watched.size >= MAX_WATCHED;
  }

  /** @param mark of the file as it is now */
  add(resource: ResourceInput, under: CallPolicy, mark: string, kind: "subscribed" | "listening"): void {
    const { uri } = resource;
    const known = this.#watched.get(uri) ?? { resource, under, mark, subscribed: false, listeners: 0 };
    if (kind === "subscribed") known.subscribed = true;
    else known.listeners++;
    this.#watched.set(uri, known);
    this.#timer ??= this.#later();
  }

  remove(uri: string, kind: "subscribed" | "listening"): void {
    const known = this.#watched.get(uri);
    if (!known) return;
    if (kind === "subscribed") known.subscribed = false;
    else known.listeners--;
    if (!known.subscribed && known.listeners <= 0) this.#watched.delete(uri);
    if (this.#watched.size === 0) this.close();
  }

  close(): void {
    this.#watched.clear();
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  #later(): Timer {
    const timer = this.#host.clock.after(EVERY_MS, () => void this.#look());
    timer.unref();
    return timer;
  }

  async #look(): Promise<void> {
    // A client that does not read what it has gets nothing more to read.
    if (!this.#host.isOutputHeld()) {
      for (const group of groupsOf([...this.#watched.values()])) await this.#compare(group);
    }
    this.#timer = this.#watched.size > 0 ? this.#later() : undefined;
  }

  async #compare(group: readonly Watched[]): Promise<void> {
    const [first] = group;
    if (!first) return;
    try {
      const resources = group.map(({ resource }) => resource);
      const marks = await takeMarks(this.#host, resources, first.under);
      group.forEach((one, index) => this.#note(one, marks[index] ?? ""));
    } catch (thrown) {
      // A job that was not done in time is done the next time.
      if (!(thrown instanceof Failure)) reportBug(thrown);
    }
  }

  #note(watched: Watched, mark: string): void {
    if (mark === watched.mark) return;
    watched.mark = mark;
    const { uri } = watched.resource;
    // It may have been let go while it was looked at.
    if (this.#watched.get(uri) === watched) this.#tell(uri, watched.subscribed);
  }
}

export async function takeMarks(
  host: Services,
  resources: readonly ResourceInput[],
  under: CallPolicy,
): Promise<readonly string[]> {
  const job = {
    ...ruledJob(host, under, "watch", JSON.stringify({ resources })),
    timeoutMs: limits.DEFAULT_CALL_MS,
  };
  return JSON.parse((await host.readPool.run(job)).payload) as readonly string[];
}

/** Those that are looked at under the same rules. */
function groupsOf(all: readonly Watched[]): Iterable<Watched[]> {
  return Map.groupBy(all, ({ under: { facts, mode, granted } }) =>
    JSON.stringify([facts, mode, granted]),
  ).values();
}
