/**
 * Looks for journals whose owner has died, as cheaply as every read can bear: a folder that was empty and has not changed since
 * is not read again.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { monotonicMs } from "../base/index.ts";
import { isJournal } from "./journal.ts";
import { isSettled, lockState } from "./small-file.ts";

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
    if (names.length === 0 && isSettled(mtimeMs)) this.#emptyAtMs = mtimeMs;
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
