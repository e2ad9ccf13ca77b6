/**
 * Whose turn it is in a worker. A job that takes long gives way between two pieces of its work when others wait, and two
 * rules say who goes on: the job that has had the least time, of the lightest rank; and, for a third of the time, the one
 * that has waited longest. So what is quick is soon done, however many long jobs there are, and each of those comes to
 * its end, however many quick ones there are.
 *
 * Jobs that do not ask for a pause are done one after the other, in the order in which they came.
 */
import type { JobTurn } from "../base/index.ts";

/** How long a job goes on while others wait; changing over costs some tens of microseconds. */
const SLICE_MS = 5;
/** For each millisecond of the job that has waited longest, so many for those that have had the least time. */
const LEAST_SHARE = 2;

export interface TurnJob {
  /** Lighter ones go first. */
  readonly rank: number;
  /** The job was told to stop, and should get the chance to do so. */
  readonly isStopped: () => boolean;
  /** Never fails. One pause at a time. */
  readonly work: (turn: JobTurn) => Promise<void>;
}

/** What the thread is to its jobs. */
export interface TurnThread<Job extends TurnJob> {
  readonly clock: () => number;
  /** Whether a message has come that nobody can see before a job gives way. */
  readonly hasMail: () => boolean;
  readonly readMail: () => Promise<void>;
  /** Before each turn. */
  readonly onTurn: (job: Job, isFirst: boolean) => void;
  /** No job can go on now. @param away those that wait for what is done elsewhere */
  readonly onRest: (away: number) => void;
}

interface Place<Job> extends JobTurn {
  readonly job: Job;
  hadMs: number;
  /** Ends its pause. */
  resume: (() => void) | undefined;
}

export class Turns<Job extends TurnJob> {
  readonly #thread: TurnThread<Job>;
  /** In the order in which they began to wait. */
  readonly #waiting: Place<Job>[] = [];
  #paused = 0;
  #away = 0;
  #isGoing = false;
  #sinceMs = 0;
  /** Until the job that has waited longest is due. */
  #leastMs = 0;
  /** Ends the turn. */
  #release: () => void = () => {};

  constructor(thread: TurnThread<Job>) {
    this.#thread = thread;
  }

  enter(jobs: readonly Job[]): void {
    for (const job of jobs) {
      const place: Place<Job> = {
        job,
        hadMs: 0,
        resume: undefined,
        pause: () => this.#pause(place),
        away: async (elsewhere) => await this.#leave(place, elsewhere),
      };
      this.#waiting.push(place);
    }
    this.#wake();
  }

  #wake(): void {
    if (!this.#isGoing) void this.#go();
  }

  async #go(): Promise<void> {
    this.#isGoing = true;
    while (this.#waiting.length > 0) {
      const isShared = this.#paused > 0;
      const isOfOldest = isShared && this.#leastMs <= 0;
      const place = this.#take(isOfOldest);
      this.#sinceMs = this.#thread.clock();
      await this.#give(place);
      const tookMs = this.#thread.clock() - this.#sinceMs;
      place.hadMs += tookMs;
      if (isOfOldest) this.#leastMs = tookMs * LEAST_SHARE;
      else if (isShared) this.#leastMs -= tookMs;
      if (place.resume) await this.#thread.readMail();
    }
    this.#isGoing = false;
    this.#thread.onRest(this.#away);
  }

  #take(isOfOldest: boolean): Place<Job> {
    const waiting = this.#waiting;
    const at = this.#paused === 0 ? 0 : isOfOldest ? oldest(waiting) : least(waiting);
    const [place] = at === 0 ? [waiting.shift()] : waiting.splice(at, 1);
    if (!place) throw new Error("nobody waits");
    return place;
  }

  /** Until it pauses, goes away or ends. */
  async #give(place: Place<Job>): Promise<void> {
    const { resume, job } = place;
    this.#thread.onTurn(job, resume === undefined);
    await new Promise<void>((resolve) => {
      this.#release = resolve;
      if (resume) {
        place.resume = undefined;
        this.#paused--;
        resume();
      } else void job.work(place).then(() => this.#release());
    });
  }

  #pause(place: Place<Job>): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#away === 0 && !this.#thread.hasMail()) return undefined;
    if (this.#thread.clock() - this.#sinceMs < SLICE_MS) return undefined;
    const turn = this.#queue(place);
    this.#release();
    return turn;
  }

  async #leave<T>(place: Place<Job>, elsewhere: Promise<T>): Promise<T> {
    this.#away++;
    this.#release();
    try {
      return await elsewhere;
    } finally {
      this.#away--;
      const turn = this.#queue(place);
      this.#wake();
      await turn;
    }
  }

  async #queue(place: Place<Job>): Promise<void> {
    // Sharing begins: nobody waits yet. A single job that pauses beside others that have not begun goes on sharing.
    if (this.#paused++ === 0 && this.#waiting.length === 0) this.#leastMs = SLICE_MS * LEAST_SHARE;
    this.#waiting.push(place);
    await new Promise<void>((resolve) => (place.resume = resolve));
  }
}

/** One that should stop need not wait for the others. */
function oldest(waiting: readonly Place<TurnJob>[]): number {
  const stopped = waiting.findIndex(({ job, resume }) => resume !== undefined && job.isStopped());
  return Math.max(0, stopped);
}

function least(waiting: readonly Place<TurnJob>[]): number {
  let best = 0;
  waiting.forEach((place, at) => {
    if (isBefore(place, waiting[best])) best = at;
  });
  return best;
}

function isBefore(a: Place<TurnJob>, b: Place<TurnJob> | undefined): boolean {
  return b !== undefined && (a.job.rank - b.job.rank || a.hadMs - b.hadMs) < 0;
}
