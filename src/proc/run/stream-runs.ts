/**
 * Which bytes of an output came from which of the two streams, as the lengths of the runs in their order. A program that
 * changes the stream with every byte could make this as long as its output, so the number of runs is bounded: what lies
 * behind the last of them cannot be told apart any more.
 */
export type OutputStream = "stdout" | "stderr";

export interface StreamTexts<T> {
  readonly stdout: T;
  readonly stderr: T;
}

const MAX_RUNS = 65_536;

export class StreamRuns {
  /** Where each run ends; the first is of stdout, and they take turns. */
  readonly #ends: number[] = [0];
  #isFull = false;

  add(stream: OutputStream, length: number): void {
    const isOdd = this.#ends.length % 2 === 1;
    const end = (this.#ends.at(-1) ?? 0) + length;
    if (isOdd === (stream === "stdout")) {
      if (!this.#isFull) this.#ends[this.#ends.length - 1] = end;
    } else if (this.#ends.length < MAX_RUNS) this.#ends.push(end);
    else this.#isFull = true;
  }

  /** @param from where the bytes begin in the output. @returns `undefined` where it cannot be told any more */
  split(from: number, bytes: Buffer): StreamTexts<Buffer> | undefined {
    const to = from + bytes.length;
    if (to > (this.#ends.at(-1) ?? 0)) return undefined;
    const parts: [Buffer[], Buffer[]] = [[], []];
    for (let run = this.#runAt(from), at = from; at < to; run++) {
      const end = Math.min(to, this.#ends[run] ?? to);
      if (end > at) parts[run % 2 === 0 ? 0 : 1].push(bytes.subarray(at - from, end - from));
      at = Math.max(at, end);
    }
    return { stdout: Buffer.concat(parts[0]), stderr: Buffer.concat(parts[1]) };
  }

  /** The first that ends behind a place. */
  #runAt(place: number): number {
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] ?? 0) > place) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
