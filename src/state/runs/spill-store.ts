/**
 * The whole of outputs that were cut, so that they can still be read. Kept for a day and within a size; the newest is
 * kept whatever its size.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Failure, limits, newId, nowMs } from "../../base/index.ts";

export interface SpilledPart {
  readonly bytes: Uint8Array;
  /** The size of the whole output. */
  readonly size: number;
}

/** The form of an id, which is also the name of the file. */
export const SPILL_ID: RegExp = /^spill_[\w-]{22}$/;

/** Makes the folder in which outputs lie, each under its id. @param stateDir the state folder, opened before */
export function spillFolder(stateDir: string): string {
  const folder = join(stateDir, "spill");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

export class SpillStore {
  readonly #folder: string;

  /** @param stateDir the state folder, opened before */
  constructor(stateDir: string) {
    this.#folder = spillFolder(stateDir);
  }

  /** @returns its id */
  put(content: string | Uint8Array): string {
    this.sweep();
    const id = newId("spill");
    writeFileSync(join(this.#folder, id), content, { mode: 0o600 });
    return id;
  }

  /** Opens the file of an output whose end is not known yet. The caller writes and closes it, and sweeps then. */
  open(): { readonly id: string; readonly fd: number } {
    const id = newId("spill");
    return { id, fd: openSync(join(this.#folder, id), "wx", 0o600) };
  }

  /** @throws Failure `not_found` */
  read(id: string, offset: number, maxBytes: number): SpilledPart {
    const fd = this.#open(id);
    try {
      const { size } = fstatSync(fd);
      const bytes = new Uint8Array(Math.max(0, Math.min(maxBytes, size - offset)));
      const read = readSync(fd, bytes, 0, bytes.length, offset);
      return { bytes: bytes.subarray(0, read), size };
    } finally {
      closeSync(fd);
    }
  }

  has(id: string): boolean {
    return SPILL_ID.test(id) && statSync(join(this.#folder, id), { throwIfNoEntry: false }) !== undefined;
  }

  /** Whoever was told the id reads nothing more under it. */
  remove(id: string): void {
    if (SPILL_ID.test(id)) rmSync(join(this.#folder, id), { force: true });
  }

  #open(id: string): number {
    try {
      if (SPILL_ID.test(id)) return openSync(join(this.#folder, id), "r");
    } catch {
      // Swept, or never there.
    }
    throw new Failure("not_found", `Cannot find the output "${id.slice(0, 60)}": it never was, or it has expired`, {
      hint: "Make the call again that had this output.",
    });
  }

  /** Removes what is too old or too much; what cannot be removed is left to the next time. */
  sweep(): void {
    try {
      let total = 0;
      for (const { path, stat } of this.#newestFirst()) {
        total += stat?.size ?? 0;
        if (total > limits.MAX_SPILL_BYTES || nowMs() - (stat?.mtimeMs ?? 0) > limits.SPILL_TTL_MS)
          rmSync(path, { force: true });
      }
    } catch {
      // It must not end a launcher that has nobody to tell.
    }
  }

  #newestFirst() {
    return readdirSync(this.#folder)
      .map((name) => ({
        path: join(this.#folder, name),
        stat: statSync(join(this.#folder, name), { throwIfNoEntry: false }),
      }))
      .sort((a, b) => (b.stat?.mtimeMs ?? 0) - (a.stat?.mtimeMs ?? 0));
  }
}
