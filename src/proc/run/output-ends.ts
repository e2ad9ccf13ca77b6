/**
 * The beginning and the end of what comes, in memory that does not grow, and how much came in all.
 */
export class OutputEnds {
  readonly #head: Buffer;
  /** The last bytes, which end where it ends. */
  readonly #tail: Buffer;
  #total = 0;

  /** @param shownBytes both ends together */
  constructor(shownBytes: number) {
    this.#head = Buffer.alloc(Math.ceil(shownBytes / 2));
    this.#tail = Buffer.alloc(this.#head.length);
  }

  get total(): number {
    return this.#total;
  }

  /** So much is kept of each end. */
  get size(): number {
    return this.#head.length;
  }

  push(bytes: Buffer): void {
    if (this.#total < this.size) bytes.copy(this.#head, this.#total);
    this.#tail.copyWithin(0, bytes.length);
    bytes.copy(this.#tail, Math.max(0, this.size - bytes.length), Math.max(0, bytes.length - this.size));
    this.#total += bytes.length;
  }

  /** Head and tail, of which the second is empty when the first is everything. @param most bytes of both */
  ends(most: number = 2 * this.size): [head: Buffer, tail: Buffer] {
    const headLength = Math.min(this.#total, this.size, this.#total <= most ? this.#total : Math.ceil(most / 2));
    const tailLength = Math.min(this.#total, most) - headLength;
    return [Buffer.from(this.#head.subarray(0, headLength)), this.last(tailLength)];
  }

  last(length: number): Buffer {
    return Buffer.from(this.#tail.subarray(this.size - length));
  }
}
