/**
 * So many at once and no more; who comes later waits for its turn.
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
