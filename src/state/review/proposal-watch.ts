/**
 * Which proposals wait, for reviewers that stay: it looks when the folder says that something changed, and every second where
 * the system does not say it. A look reads names and times, and never what a proposal holds.
 */
import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { logLine } from "../../base/index.ts";

/** Folders of other machines, and systems without room for one more watch, tell of nothing. */
const LOOK_EVERY_MS = 1000;

export class ProposalWatch implements Disposable {
  readonly #folder: string;
  readonly #listeners: Set<() => void> = new Set();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #watcher: FSWatcher | undefined;

  /** @param folder `proposals` in the state folder */
  constructor(folder: string) {
    this.#folder = folder;
    this.#timer = setInterval(() => this.#tell(), LOOK_EVERY_MS);
    this.#watcher = this.#open();
  }

  /** Gives the proposals that wait, by id, each with a stamp that is another one when the file was written again. */
  waiting(): ReadonlyMap<string, string> {
    const names = new Set(readdirSync(this.#folder));
    const found = new Map<string, string>();
    for (const name of names) {
      if (!name.endsWith(".json")) continue;
      const id = name.slice(0, -".json".length);
      const stat = names.has(`${id}.done`) ? undefined : statSync(join(this.#folder, name), MAY_BE_GONE);
      if (stat) found.set(id, `${stat.ino} ${stat.mtimeNs} ${stat.size}`);
    }
    return found;
  }

  /** Whether a process applies one just now, or died while it did. */
  hasTaken(): boolean {
    return readdirSync(this.#folder).some((name) => name.endsWith(".taken"));
  }

  /** Calls back after something may have changed. @returns what takes the listener off */
  onLook(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
    this.#listeners.clear();
  }

  #open(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#folder, () => this.#tell());
      watcher.on("error", (error) => logLine(`cannot watch the proposals: ${error.message}`));
      return watcher;
    } catch (thrown) {
      logLine(`cannot watch the proposals: ${String(thrown)}`);
      return undefined;
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const MAY_BE_GONE = { bigint: true, throwIfNoEntry: false } as const;
