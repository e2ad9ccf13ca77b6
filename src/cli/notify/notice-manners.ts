/**
 * When a person is told that something waits for them: once for a burst, again after 5 and after 15 minutes, 10 minutes before the
 * first of it expires, and once when nothing waits any more. Whatever was decided is not mentioned again.
 *
 * Pure: the time and what waits are arguments, so that a day can be tried in a moment. Usual mistake: a timer for each proposal,
 * which tells of twenty proposals twenty times.
 */

/** Something that waits for a person. */
export interface WaitingAsk {
  readonly id: string;
  /** One line: `Edit src/a.ts`. */
  readonly change: string;
  readonly risk: string;
  /** The name that the client which proposed it gives itself. */
  readonly client?: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresMs: number;
}

/**
 * `new`: it came since the last notice. `again`: it was mentioned before and still waits. `expiring`: it ends soon. `done`: all that
 * was mentioned is decided.
 */
export type NoticeKind = "new" | "again" | "expiring" | "done";

export interface Notice {
  readonly kind: NoticeKind;
  /** All that waits now; the ones that the notice is about stand first. */
  readonly waiting: readonly WaitingAsk[];
}

/** What comes within this time is one burst. */
export const BURST_MS = 2000;
const MINUTE_MS = 60_000;
const AGAIN_AFTER_MS: readonly number[] = [5 * MINUTE_MS, 15 * MINUTE_MS];
const BEFORE_EXPIRY_MS: number = 10 * MINUTE_MS;
/** Reminders that would come within this time of each other are one. */
const TOGETHER_MS = MINUTE_MS;

interface Reminder {
  readonly atMs: number;
  readonly kind: "again" | "expiring";
}

export class NoticeManners {
  /** The reminders that are left, by what was mentioned, the next one first. */
  readonly #told = new Map<string, readonly Reminder[]>();
  /** When the burst began that nobody was told of yet. */
  #burstMs: number | undefined;

  /** @param waiting all that waits. @returns what the person is told now */
  look(nowMs: number, waiting: readonly WaitingAsk[]): Notice | undefined {
    for (const id of this.#told.keys()) if (!waiting.some((one) => one.id === id)) this.#told.delete(id);
    const fresh = waiting.filter(({ id }) => !this.#told.has(id));
    if (fresh.length === 0) this.#burstMs = undefined;
    else this.#burstMs ??= nowMs;
    if (waiting.length === 0) return this.#end();
    if (this.#burstMs !== undefined && nowMs - this.#burstMs >= BURST_MS) return this.#tell(nowMs, fresh, waiting);
    return this.#remind(nowMs, waiting);
  }

  /** Whether anything was mentioned since the last end. */
  #isPending = false;

  #end(): Notice | undefined {
    if (!this.#isPending) return undefined;
    this.#isPending = false;
    return { kind: "done", waiting: [] };
  }

  #tell(nowMs: number, fresh: readonly WaitingAsk[], waiting: readonly WaitingAsk[]): Notice {
    this.#burstMs = undefined;
    this.#isPending = true;
    for (const { id, expiresMs } of fresh) this.#told.set(id, remindersOf(nowMs, expiresMs));
    return { kind: "new", waiting: firstOf(fresh, waiting) };
  }

  #remind(nowMs: number, waiting: readonly WaitingAsk[]): Notice | undefined {
    const isDue =
      (withinMs: number) =>
      ({ id }: WaitingAsk) =>
        (this.#told.get(id)?.[0]?.atMs ?? Infinity) <= nowMs + withinMs;
    if (!waiting.some(isDue(0))) return undefined;
    const due = waiting.filter(isDue(TOGETHER_MS));
    const isExpiring = due.some(({ id }) => this.#told.get(id)?.[0]?.kind === "expiring");
    for (const { id } of due) {
      const left = this.#told.get(id) ?? [];
      // A machine that slept may have missed several.
      this.#told.set(
        id,
        left.filter(({ atMs }) => atMs > nowMs + TOGETHER_MS),
      );
    }
    return { kind: isExpiring ? "expiring" : "again", waiting: firstOf(due, waiting) };
  }
}

function remindersOf(nowMs: number, expiresMs: number): Reminder[] {
  const again = AGAIN_AFTER_MS.map((ms): Reminder => ({ atMs: nowMs + ms, kind: "again" }));
  const expiring: Reminder = { atMs: expiresMs - BEFORE_EXPIRY_MS, kind: "expiring" };
  return [...again, expiring].filter(({ atMs }) => atMs > nowMs && atMs < expiresMs).sort((a, b) => a.atMs - b.atMs);
}

function firstOf(some: readonly WaitingAsk[], all: readonly WaitingAsk[]): WaitingAsk[] {
  return [...some, ...all.filter((one) => !some.includes(one))];
}
