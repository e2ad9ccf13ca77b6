/**
 * What every applied transaction displaced, and the note of what it did, in one flat folder: `ID.note`, and `ID.0`,
 * `ID.1` ... by act. Objects come in by a rename or a second link and the note is the journal itself, so keeping costs
 * only what was touched.
 *
 * Bounded by age, bytes and number; the oldest go first, and the newest is never the one that goes.
 *
 * Invariant: nothing of a transaction that has a journal is dropped, whoever it belongs to and however old it is. What is kept
 * is the user's own file, so its time of modification says nothing about when it was kept.
 */
import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure, limits, nowMs } from "../base/index.ts";
import { mountAt } from "../scope/index.ts";
import { terminalCommand } from "../text/index.ts";
import { encodeRecord, Journal, lastRecord, syncFolder, type Durability } from "./journal.ts";
import { writeWhole } from "./small-file.ts";

const ID = /^t_[A-Za-z0-9_-]{22}$/;
const NOTE = "note";

export interface HistoryRecord {
  readonly transaction: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The size of what was kept. */
  readonly bytes: number;
}

/** The most that is kept. The newest transaction is kept in any case. */
export interface HistoryBounds {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** What is known without looking at the disk: what other hosts add is counted at the next sweep. */
interface Known {
  count: number;
  bytes: number;
  oldest: number;
}

/** The share of the bounds that a sweep makes free in advance, because it reads every note. */
const ROOM = 0.1;

interface Note<R> {
  readonly kind: "note";
  readonly record: R;
}

export class HistoryStore<R extends HistoryRecord> {
  readonly #folder: string;
  #mount: string | undefined;

  readonly #journals: string;
  readonly #bounds: HistoryBounds;
  readonly #now: () => number;
  #known: Known | undefined;

  /**
   * @param journals the folder of the journals: what they tell of is under way, or waits to be recovered
   * @param now milliseconds since 1970
   */
  constructor(
    folder: string,
    journals: string,
    bounds: HistoryBounds = { maxBytes: limits.MAX_UNDO_BYTES, maxAgeMs: limits.UNDO_TTL_MS },
    now: () => number = nowMs,
  ) {
    this.#folder = folder;
    this.#journals = journals;
    this.#bounds = bounds;
    this.#now = now;
  }

  /** The mount of the store: only what lies on it can be kept by a rename. It stays the same while the process lives. */
  get mount(): string {
    return (this.#mount ??= mountAt(this.#folder));
  }

  /** Where what an act of a transaction displaced is kept. */
  objectOf(transaction: string, act: number | string): string {
    return join(this.#folder, `${transaction}.${act}`);
  }

  /** Flushes the names of what was kept to the disk. */
  flush(durability: Durability): void {
    if (durability === "full") syncFolder(this.#folder);
  }

  /** The journal of a transaction that is over becomes its note. */
  keep(journal: Journal, record: R): void {
    journal.endAs({ kind: "note", record } satisfies Note<R>, this.#notePath(record.transaction));
    this.#count(record);
  }

  /** Adds what somebody else has changed and was kept before: there is no journal of that. */
  add(record: R): void {
    this.put(record);
    this.#count(record);
  }

  put(record: R): void {
    const note: Note<R> = { kind: "note", record };
    writeWhole(this.#notePath(record.transaction), encodeRecord(note));
  }

  has(transaction: string): boolean {
    return ID.test(transaction) && this.#read(transaction) !== undefined;
  }

  /** @throws Failure `not_found` for an unknown transaction, or one whose time is over */
  get(transaction: string): R {
    const record = ID.test(transaction) ? this.#read(transaction) : undefined;
    if (record) return record;
    throw new Failure("not_found", `Cannot find the transaction "${transaction.slice(0, 60)}": no such id`, {
      hint: `ringfence/history/list, or \`${terminalCommand(["history"], dirname(this.#folder))}\`, shows those that are kept.`,
    });
  }

  /** Lists the notes, newest first. */
  list(): R[] {
    return this.#transactions()
      .map((transaction) => this.#read(transaction))
      .filter((record): record is R => record !== undefined)
      .sort((a, b) => b.at - a.at);
  }

  /** Drops everything that is kept of a transaction but the note. */
  dropKept(transaction: string): void {
    this.#remove((name) => name.startsWith(`${transaction}.`) && name !== `${transaction}.${NOTE}`);
  }

  drop(transaction: string): void {
    this.#remove((name) => name.startsWith(`${transaction}.`));
  }

  /** Drops what is over the bounds. Never fails, because a full disk must not stop a start. */
  sweep(): void {
    this.#sweep(0);
  }

  /** Sweeps after a change when, by what is known, there is too much. Costs nothing otherwise. */
  sweepWhenFull(): void {
    if (!this.#known) return;
    const { count, bytes, oldest } = this.#known;
    const isFull = count > limits.MAX_UNDO_TRANSACTIONS || (count > 1 && bytes > this.#bounds.maxBytes);
    if (isFull || this.#now() - oldest > this.#bounds.maxAgeMs) this.#sweep(isFull ? ROOM : 0);
  }

  #count({ bytes, at }: R): void {
    if (!this.#known) return;
    this.#known.count++;
    this.#known.bytes += bytes;
    this.#known.oldest = Math.min(this.#known.oldest, at);
  }

  #sweep(room: number): void {
    try {
      this.#dropOld(1 - room);
    } catch {
      // The next sweep tries again; not at every change, because what fails now will fail then too.
      this.#known = { count: 0, bytes: 0, oldest: this.#now() };
    }
  }

  /** @param share of the bounds that may be left */
  #dropOld(share: number): void {
    let [bytes, count] = [0, 0];
    const known: Known = { count: 0, bytes: 0, oldest: this.#now() };
    const maxBytes = this.#bounds.maxBytes * share;
    const maxCount = limits.MAX_UNDO_TRANSACTIONS * share;
    // Before the notes: a journal that has become a note meanwhile is found by one of its names.
    const kept = new Set(Journal.transactions(this.#journals));
    const gone = new Set<string>();
    for (const { transaction, at, bytes: size } of this.list()) {
      bytes += size;
      const isTooMuch = ++count > 1 && (bytes > maxBytes || count > maxCount);
      if (kept.has(transaction)) continue;
      if (isTooMuch || this.#now() - at > this.#bounds.maxAgeMs) {
        gone.add(transaction);
        continue;
      }
      kept.add(transaction);
      known.count++;
      known.bytes += size;
      known.oldest = Math.min(known.oldest, at);
    }
    this.#known = known;
    this.#remove((name) => {
      const transaction = name.slice(0, name.indexOf("."));
      // Left by a transaction that has no journal any more, or not yet.
      return gone.has(transaction) || (!kept.has(transaction) && this.#isOld(name));
    });
  }

  /** Told by the time of the last rename or link, which is when it was kept. */
  #isOld(name: string): boolean {
    const stat = lstatSync(join(this.#folder, name), { throwIfNoEntry: false });
    return stat !== undefined && this.#now() - stat.ctimeMs > limits.UNDO_TTL_MS;
  }

  #remove(isGone: (name: string) => boolean): void {
    for (const name of readdirSync(this.#folder))
      if (isGone(name)) rmSync(join(this.#folder, name), { recursive: true, force: true });
  }

  #transactions(): string[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(`.${NOTE}`))
      .map((name) => name.slice(0, -NOTE.length - 1));
  }

  #notePath(transaction: string): string {
    return this.objectOf(transaction, NOTE);
  }

  #read(transaction: string): R | undefined {
    try {
      return (lastRecord(readFileSync(this.#notePath(transaction), "utf8")) as Note<R>).record;
    } catch {
      return undefined;
    }
  }
}
