/**
 * The temporary folders of commands, below the state folder: one for each run, which goes with it. A launcher that ends removes
 * those of the runs that ended with it, and one that starts those that a killed launcher has left.
 *
 * Usual mistake: leaving it to whoever waits for a run. A process that exits waits for nobody.
 */
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newId, nowMs } from "../../base/index.ts";
import { fsName } from "../../sys/index.ts";

export interface RunFolder {
  /** Absolute. */
  readonly path: string;
  readonly remove: () => void;
}

/** A folder this old is abandoned, because no command runs longer than a day. */
const ABANDONED_MS = 2 * 24 * 60 * 60 * 1000;

export class RunFolders {
  readonly #folder: string;
  readonly #open = new Set<string>();

  /** Removes what a launcher that was killed has left. @param stateDir the state folder, opened before */
  constructor(stateDir: string) {
    this.#folder = join(stateDir, "run");
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat && nowMs() - stat.mtimeMs > ABANDONED_MS) remove(path);
    }
  }

  create(): RunFolder {
    const path = join(this.#folder, newId("run"));
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.#open.add(path);
    return {
      path,
      remove: () => {
        this.#open.delete(path);
        remove(path);
      },
    };
  }

  /** Removes those of runs that have ended and were not waited for. */
  removeAll(): void {
    for (const path of this.#open) remove(path);
    this.#open.clear();
  }
}

/** Lays files by their content and links by where they lead into the temporary folder of a command. */
export function layFolder(
  path: string,
  {
    files,
    links,
  }: {
    readonly files: Readonly<Record<string, string | Uint8Array>>;
    readonly links: Readonly<Record<string, string>>;
  },
): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(path, name), content, { mode: 0o600 });
  }
  for (const [name, to] of Object.entries(links)) symlinkSync(fsName(to), join(path, name));
}

/** Removes a folder. What a program has made unremovable stays, and is swept later. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // Of no use to anybody, and in nobody's way.
  }
}
