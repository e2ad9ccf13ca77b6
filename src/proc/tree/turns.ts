/**
 * Waiting for one's turn, and waiting for something but not for ever.
 *
 * Usual mistake: to race a promise with a sleep, which goes on after the race is over.
 */

export class Turns {
  readonly #most: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

/** @returns whether it came in time */
export async function within(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}
