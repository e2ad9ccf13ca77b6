/**
 * How long work lets others have its thread. JavaScript runs one piece of code until that lets go, so a job that takes
 * seconds asks between two pieces whether others wait; while none do, that costs nearly nothing.
 *
 * Usual mistake: to keep something across a pause that others use meanwhile, such as the memory of the shared scanner.
 */
export interface Turn {
  /** `undefined`: the work may go on at once. Else a promise of its next turn. */
  pause(): Promise<void> | undefined;
  /** While the work waits for what is done elsewhere, others have the thread. */
  away<T>(elsewhere: Promise<T>): Promise<T>;
}

/** Work in pieces: it yields the promise of its next turn wherever it pauses. A generator costs less than an async function. */
export type InTurns<T> = Generator<Promise<void>, T, void>;

/** Does the work to its end. */
export async function toEnd<T>(work: InTurns<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}
