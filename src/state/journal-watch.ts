/**
 * Whether a dead owner has left a journal, for those who only read: asked before every call, so an idle folder costs one
 * `stat` in two milliseconds. Journals come and go under new names, which changes the time of their folder; only while there are some are
 * their locks tried, because an owner dies without a trace in the file system.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { monotonicMs, nowMs } from "../base/index.ts";
import { isJournal } from "./journal.ts";
import { lockState } from "./small-file.ts";

/** Two changes within this time may leave the same time stamp: a tick of the kernel, or the seconds of old file systems. */
const TICK_MS = 50;
const SECONDS_MS = 2500;
/** How long an answer holds: calls come much faster than a process can die and be missed. */
const FRESH_MS = 2;
/** How long a read leaves alone a journal that could not be recovered, as when its root is not mounted. */
const RETRY_MS = 1000;

export class JournalWatch {
  readonly #folder: string;
  #emptyAtMs: number | undefined;
  readonly #freshMs: number;
  #askedMs = Number.NEGATIVE_INFINITY;
  /** When each abandoned journal was last reported. */
  #toldMs: Map<string, number> = new Map();

  /** @param freshMs for how long an answer holds */
  constructor(folder: string, freshMs: number = FRESH_MS) {
    this.#folder = folder;
    this.#freshMs = freshMs;
  }

  /** Tells whether there is an abandoned journal that was not reported lately. Never fails. */
  hasAbandoned(): boolean {
    const askedMs = monotonicMs();
    if (askedMs - this.#askedMs < this.#freshMs) return false;
    this.#askedMs = askedMs;
    try {
      const { mtimeMs } = statSync(this.#folder);
      return mtimeMs !== this.#emptyAtMs && this.#look(mtimeMs);
    } catch {
      return false;
    }
  }

  #look(mtimeMs: number): boolean {
    const names = readdirSync(this.#folder).filter(isJournal);
    const grainMs = mtimeMs % 1000 === 0 ? SECONDS_MS : TICK_MS;
    if (names.length === 0 && nowMs() - mtimeMs > grainMs) this.#emptyAtMs = mtimeMs;
    const now = monotonicMs();
    const told = new Map([...this.#toldMs].filter(([name]) => names.includes(name)));
    this.#toldMs = told;
    const found = names.filter(
      (name) => now - (told.get(name) ?? -RETRY_MS) >= RETRY_MS && lockState(join(this.#folder, name)) === "free",
    );
    for (const name of found) told.set(name, now);
    return found.length > 0;
  }
}
