/**
 * Which worker gets a job. Long jobs share all workers but one, which is left for short jobs and for parts of long ones;
 * they give way to each other. Where there is only one worker, it has everything.
 */
import { monotonicMs } from "../base/index.ts";
import type { Rank } from "./job.ts";
import type { WorkerSlot } from "./worker-slot.ts";

/**
 * Another worker is started when a short job has waited this long on the least busy one. A burst of small reads is done
 * sooner by one warm worker than by two that share its caches and cores.
 */
const SLOW_MS = 2;
/** One that runs, and others so that it never waits. */
const MAX_PARTS_AHEAD = 3;

export interface Slots {
  readonly all: ReadonlySet<WorkerSlot>;
  /** How many there should be. */
  readonly size: number;
  readonly start: () => WorkerSlot;
}

/** `undefined`: the job has to wait. */
export function chooseSlot(slots: Slots, rank: Rank): WorkerSlot | undefined {
  const open = [...slots.all].filter((slot) => slot.hasRoomFor(rank));
  const free = open.filter((slot) => slot.longs === 0);
  if (rank > 0) return chooseForLong(slots, open, free);
  // The first that keeps up, so that a burst stays on one warm worker.
  const quick = free.find((slot) => waitedMs(slot) <= SLOW_MS);
  if (quick) return quick;
  if (canStart(slots)) return slots.start();
  // Where there is no other, long jobs give way.
  return fewest(free, jobs) ?? fewest(open, jobs);
}

/**
 * Only a worker without a long job, and only a few parts ahead, so that a short read waits for a few milliseconds at most.
 * `undefined`: nobody has time.
 */
export function chooseForPart(slots: Slots): WorkerSlot | undefined {
  const free = [...slots.all].find((slot) => slot.longs === 0 && !slot.isWorn && slot.posted.size < MAX_PARTS_AHEAD);
  return free ?? (canStart(slots) ? slots.start() : undefined);
}

function chooseForLong(slots: Slots, open: readonly WorkerSlot[], free: readonly WorkerSlot[]): WorkerSlot | undefined {
  const taken = [...slots.all].filter((slot) => slot.longs > 0 && !slot.isWorn);
  if (taken.length >= Math.max(1, slots.size - 1)) {
    const shared = open.filter((slot) => slot.longs > 0);
    return fewest(shared, (slot) => slot.longs);
  }
  const idle = free.find((slot) => slot.posted.size === 0);
  return idle ?? (canStart(slots) ? slots.start() : fewest(free, jobs));
}

/** One that is worn ends with its jobs, which may take long; but only one is replaced before that. */
function canStart({ all, size }: Slots): boolean {
  const isReplacing = [...all].some((slot) => slot.isWorn);
  return all.size < size + (isReplacing ? 1 : 0);
}

function fewest(slots: readonly WorkerSlot[], count: (slot: WorkerSlot) => number): WorkerSlot | undefined {
  return slots.reduce<WorkerSlot | undefined>(
    (best, slot) => (best && count(best) <= count(slot) ? best : slot),
    undefined,
  );
}

function jobs(slot: WorkerSlot): number {
  return slot.posted.size;
}

/** How long the oldest job of a worker has been there. */
function waitedMs(slot: WorkerSlot): number {
  const [oldest] = slot.posted.values();
  return oldest ? monotonicMs() - (oldest.deadlineMs - oldest.request.timeoutMs) : 0;
}
