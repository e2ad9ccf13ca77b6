/**
 * The pieces with the highest scores of many, without an order of all of them. What has no score above zero is never among them.
 */

/** A piece and how near it is. */
export interface NearPiece {
  readonly id: number;
  readonly score: number;
}

/** The highest scores, kept as a heap with the least of them on top. */
export class Nearest {
  readonly #most: number;
  readonly #heap: NearPiece[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get least(): number {
    return this.#heap.length < this.#most ? 0 : (this.#heap[0]?.score ?? 0);
  }

  /** @param score above `least` */
  offer(id: number, score: number): void {
    const heap = this.#heap;
    if (heap.length === this.#most) {
      heap[0] = { id, score };
      this.#sink();
      return;
    }
    heap.push({ id, score });
    for (let at = heap.length - 1; at > 0;) {
      const above = (at - 1) >> 1;
      if ((heap[above]?.score ?? 0) <= (heap[at]?.score ?? 0)) break;
      this.#swap(at, above);
      at = above;
    }
  }

  ranked(): readonly NearPiece[] {
    return this.#heap.toSorted((a, b) => b.score - a.score || a.id - b.id);
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ;) {
      const [left, right] = [at * 2 + 1, at * 2 + 2];
      const scoreOf = (index: number): number => heap[index]?.score ?? Infinity;
      const least = scoreOf(left) < scoreOf(right) ? left : right;
      if (scoreOf(least) >= scoreOf(at)) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    const [one, other] = [heap[a], heap[b]];
    if (!one || !other) return;
    heap[a] = other;
    heap[b] = one;
  }
}
