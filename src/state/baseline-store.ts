/**
 * What clients have seen of files, kept for the next host of the same client on the same roots: hashes, never contents. Every
 * process has a file of its own and holds its lock while it lives. The next one takes over what a process left that has
 * ended, and nobody takes what belongs to one that lives: a read of another process is no read of this client.
 *
 * Invariant: nothing here is believed. A hash counts only when the file still has it, which the change worker looks at.
 * Nothing fails because of it either: what cannot be kept or read was not kept.
 */
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isObject, limits, newId, nowMs, sha256 } from "../base/index.ts";
import { lockOwnFile, readJson, tryLockFile, writeWhole } from "./small-file.ts";

export interface KeptBaseline {
  readonly path: string;
  /** Every content of it that the client knows, the newest first. */
  readonly hashes: readonly { readonly hash: string; readonly isWhole: boolean }[];
  /** When it was seen, in ms since 1970. */
  readonly atMs: number;
}

const FILE = /^b_[A-Za-z0-9_-]{22}\.json$/;
/** More than the most entries take with usual paths. */
const MAX_FILE_BYTES: number = 4 * 1024 * 1024;

export class BaselineStore implements Disposable {
  readonly #folder: string;
  readonly #id: string = newId("b");
  readonly #lock: Disposable;

  private constructor(folder: string, lock: (path: string) => Disposable) {
    this.#folder = folder;
    this.#lock = lock(join(folder, `${this.#id}.lock`));
  }

  /** @param roots canonical @returns `undefined` where there are no locks, which would tell who lives */
  static open(stateDir: string, client: string, roots: readonly string[]): BaselineStore | undefined {
    if (process.platform === "win32") return undefined;
    try {
      const all = join(stateDir, "baselines");
      const folder = join(all, sha256(JSON.stringify([client, ...roots])).slice(0, 32));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      sweep(all);
      return new BaselineStore(folder, (path) => {
        const lock = lockOwnFile(path);
        if (!lock) throw new Error("a new name is in use");
        return lock;
      });
    } catch {
      return undefined;
    }
  }

  /** What processes that have ended left, the newest first. It is gone from the folder then. */
  take(): KeptBaseline[] {
    try {
      const names = readdirSync(this.#folder).filter((name) => FILE.test(name));
      const found = names.flatMap((name) => this.#takeFile(name));
      return newest(found.filter(({ atMs }) => atMs > nowMs() - limits.BASELINES_TTL_MS));
    } catch {
      return [];
    }
  }

  keep(baselines: readonly KeptBaseline[]): void {
    try {
      writeWhole(join(this.#folder, `${this.#id}.json`), JSON.stringify(newest(baselines)));
    } catch {
      // The next host asks to read again.
    }
  }

  /** Nothing is left for the next host. */
  drop(): void {
    rmSync(join(this.#folder, `${this.#id}.json`), { force: true });
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }

  #takeFile(name: string): KeptBaseline[] {
    const path = join(this.#folder, name);
    using lock = tryLockFile(path.replace(/\.json$/, ".lock"));
    if (!lock) return [];
    const text = statSync(path).size > MAX_FILE_BYTES ? undefined : readJson(path);
    rmSync(path, { force: true });
    return Array.isArray(text) ? text.filter(isKept) : [];
  }
}

function newest(baselines: readonly KeptBaseline[]): KeptBaseline[] {
  return baselines.toSorted((a, b) => b.atMs - a.atMs).slice(0, limits.MAX_KEPT_BASELINES);
}

const HASH = /^[0-9a-f]{64}$/;

function isKept(value: unknown): value is KeptBaseline {
  if (!isObject(value)) return false;
  const { path, hashes, atMs } = value;
  return typeof path === "string" && typeof atMs === "number" && Array.isArray(hashes) && hashes.every(isHash);
}

function isHash(one: unknown): boolean {
  return isObject(one) && typeof one["isWhole"] === "boolean" && HASH.test(String(one["hash"]));
}

/** Removes what clients have left that did not come back. */
function sweep(all: string): void {
  for (const name of readdirSync(all)) {
    const folder = join(all, name);
    for (const file of readdirSync(folder)) {
      const path = join(folder, file);
      if (FILE.test(file) && statSync(path).mtimeMs < nowMs() - limits.BASELINES_TTL_MS) rmSync(path, { force: true });
    }
    removeEmpty(folder);
  }
}

function removeEmpty(folder: string): void {
  try {
    if (statSync(folder).mtimeMs < nowMs() - limits.BASELINES_TTL_MS) rmdirSync(folder);
  } catch {
    // Something is in it.
  }
}
