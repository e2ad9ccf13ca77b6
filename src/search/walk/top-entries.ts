/**
 * The first `limit` of many entries in some order, without holding the others: memory stays bounded when a directory
 * has a million entries and a thousand are wanted.
 *
 * `Order` is what of an entry its place depends on.
 */
export class TopEntries<Entry extends Order, Order = Entry> {
  readonly #limit: number;
  readonly #compare: (a: Order, b: Order) => number;
  #entries: Entry[] = [];
  /** The last that would be given, once there are enough: what comes behind it need not be kept. */
  last: Order | undefined;
  /** Everything that was offered. */
  seen = 0;

  /** @param last of entries elsewhere, when there are enough of them before it */
  constructor(limit: number, compare: (a: Order, b: Order) => number, last?: Order) {
    this.last = last;
    this.#limit = limit;
    this.#compare = compare;
  }

  offer(entry: Entry): void {
    this.seen++;
    if (this.last !== undefined && this.#compare(entry, this.last) > 0) return;
    this.#entries.push(entry);
    if (this.#entries.length >= this.#limit * 2 + 1000) this.#cut();
  }

  take(): Entry[] {
    this.#cut();
    return this.#entries;
  }

  #cut(): void {
    this.#entries = this.#entries.sort(this.#compare).slice(0, this.#limit);
    if (this.#entries.length === this.#limit) this.last = this.#entries.at(-1);
  }
}
