/**
 * What every applied transaction displaced, and the note of what it did: one folder a transaction. Objects come in by a
 * rename or a second link, so keeping costs only what was touched.
 *
 * Bounded by age, bytes and number; the oldest go first, and the newest is never the one that goes.
 */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Failure, limits, nowMs } from "../base/index.ts";
import type { Durability } from "./journal.ts";

const ID = /^t_[A-Za-z0-9_-]{22}$/;
const RECORD = "record.json";

export interface HistoryRecord {
  readonly transaction: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of what was kept. */
  readonly bytes: number;
}

export class HistoryStore<R extends HistoryRecord> {
  readonly #folder: string;
  /** The last that was asked for: it is asked for at every act. */
  #made = "";

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The device of the store: a rename keeps only what lies on it. */
  get device(): bigint {
    return statSync(this.#folder, { bigint: true }).dev;
  }

  /** Where the objects of a transaction are kept; made on first use. */
  folderOf(transaction: string): string {
    const folder = join(this.#folder, transaction);
    if (this.#made !== transaction) mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#made = transaction;
    return folder;
  }

  /** Also on the disk with it: the names of what was kept. */
  flush(transaction: string, durability: Durability): void {
    if (process.platform === "win32" || durability === "fast") return;
    for (const folder of [this.folderOf(transaction), this.#folder]) {
      const fd = openSync(folder, "r");
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    }
  }

  put(record: R): void {
    const path = join(this.folderOf(record.transaction), RECORD);
    writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  /** @throws Failure `not_found` for an unknown transaction, or one whose time is over */
  get(transaction: string): R {
    const record = ID.test(transaction) ? this.#read(transaction) : undefined;
    if (record) return record;
    throw new Failure("not_found", `Cannot find the transaction "${transaction.slice(0, 60)}": no such id`, {
      hint: "ringfence/history/list, or `ringfence history`, shows those that are kept.",
    });
  }

  /** Newest first. */
  list(): R[] {
    return this.#names()
      .map((name) => this.#read(name))
      .filter((record): record is R => record !== undefined)
      .sort((a, b) => b.at - a.at);
  }

  /** Everything of it but the note. */
  dropKept(transaction: string): void {
    const folder = this.folderOf(transaction);
    for (const name of readdirSync(folder))
      if (name !== RECORD) rmSync(join(folder, name), { recursive: true, force: true });
  }

  drop(transaction: string): void {
    this.#made = "";
    rmSync(join(this.#folder, transaction), { recursive: true, force: true });
  }

  /** Never fails: a full disk must not stop a start. */
  sweep(): void {
    try {
      this.#dropOld();
    } catch {
      // The next start tries again.
    }
  }

  #dropOld(): void {
    let [bytes, count] = [0, 0];
    const known = new Set<string>();
    for (const record of this.list()) {
      known.add(record.transaction);
      bytes += record.bytes;
      const isTooMuch =
        ++count > 1 && (bytes > limits.MAX_UNDO_BYTES || count > limits.MAX_UNDO_TRANSACTIONS);
      if (isTooMuch || nowMs() - record.at > limits.UNDO_TTL_MS) this.drop(record.transaction);
    }
    // Of a transaction that never came to an end; one that is under way is younger.
    for (const name of this.#names())
      if (!known.has(name) && nowMs() - lstatSync(join(this.#folder, name)).mtimeMs > limits.UNDO_TTL_MS)
        this.drop(name);
  }

  #names(): string[] {
    return readdirSync(this.#folder);
  }

  #read(transaction: string): R | undefined {
    try {
      return JSON.parse(readFileSync(join(this.#folder, transaction, RECORD), "utf8")) as R;
    } catch {
      return undefined;
    }
  }
}
