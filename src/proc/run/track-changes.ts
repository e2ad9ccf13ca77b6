/**
 * Which files a command changed: what lies in the writable roots before and after it, by size, times and inode, and by
 * content where that was known before and only the times differ. It is given up when it takes too long, and then says so;
 * what recursive tools skip (`.git`, `node_modules`) is left out.
 */
import type { TrackedChanges, TrackedFile } from "../run-answers.ts";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { monotonicMs } from "../../base/index.ts";

interface Look {
  readonly size: number;
  readonly mode: number;
  /** Size, times and inode: the same mark is the same file, because nobody can set ctime. */
  readonly mark: string;
  /** The hash of the content; absent where there was no time for it. */
  hash?: string | undefined;
}

export type Snapshot = ReadonlyMap<string, Look>;

/** Together for before and after, so that a small command stays small. */
const BUDGET_MS = 150;
/** The part of the budget for reading contents: the rest must be enough to look at every file. */
const HASH_MS = 60;
const YIELD_MS = 20;
const MAX_NAMED = 100;
const MAX_HASHED_BYTES: number = 256 * 1024;
/** Contents that are known by their marks, so that the next command need not read them again. */
const MAX_KNOWN = 20_000;

/** Lives as long as the launcher. */
export class Tracker {
  readonly #roots: readonly string[];
  readonly #first: string;
  readonly #skip: readonly string[];
  readonly #hashes = new Map<string, string>();

  /** @param first the root that names are relative to, which need not be writable */
  constructor(roots: readonly string[], first: string, skip: readonly string[]) {
    this.#roots = roots;
    this.#first = first;
    this.#skip = skip;
  }

  /** `undefined` when it takes too long. */
  async look(): Promise<Snapshot | undefined> {
    const began = monotonicMs();
    let turn = began;
    const found = new Map<string, Look>();
    const waiting = [...this.#roots];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const now = monotonicMs();
      if (now - began > BUDGET_MS) return undefined;
      if (now - turn > YIELD_MS) {
        await Bun.sleep(0);
        turn = monotonicMs();
      }
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name);
        if (!entry.isDirectory()) {
          const look = lookAt(path);
          if (look) found.set(path, look);
        } else if (!this.#skip.includes(entry.name)) waiting.push(path);
      }
    }
    this.#addHashes(found, began);
    return found;
  }

  compare(before: Snapshot, after: Snapshot): TrackedChanges {
    const created: TrackedFile[] = [];
    const changed: TrackedFile[] = [];
    const removed: TrackedFile[] = [];
    for (const [path, now] of after) {
      const was = before.get(path);
      const size_after = now.size;
      if (!was) created.push({ path: this.#show(path), size_after });
      else if (!isSame(path, was, now)) changed.push({ path: this.#show(path), size_before: was.size, size_after });
    }
    for (const [path, { size }] of before)
      if (!after.has(path)) removed.push({ path: this.#show(path), size_before: size });
    return {
      created: named(created),
      changed: named(changed),
      removed: named(removed),
      total: created.length + changed.length + removed.length,
    };
  }

  #addHashes(found: Snapshot, began: number): void {
    const until = Math.min(monotonicMs() + HASH_MS, began + BUDGET_MS);
    for (const [path, look] of found) {
      look.hash = this.#hashes.get(look.mark);
      if (look.hash !== undefined || look.size > MAX_HASHED_BYTES) continue;
      if (monotonicMs() > until) return;
      look.hash = contentOf(path);
      if (look.hash === undefined) continue;
      if (this.#hashes.size >= MAX_KNOWN) this.#hashes.clear();
      this.#hashes.set(look.mark, look.hash);
    }
  }

  #show(path: string): string {
    const rel = relative(this.#first, path);
    return rel === ".." || rel.startsWith("../") ? path : rel;
  }
}

/** Only its times are others: `touch`, or the same content written again. */
function isSame(path: string, was: Look, now: Look): boolean {
  if (was.mark === now.mark) return true;
  if (was.size !== now.size || was.mode !== now.mode || was.hash === undefined) return false;
  return was.hash === (now.hash ?? contentOf(path));
}

function named(files: readonly TrackedFile[]): TrackedFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MAX_NAMED);
}

function lookAt(path: string): Look | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stat) return undefined;
  const { size, mode, mtimeNs, ctimeNs, dev, ino } = stat;
  return {
    size: Number(size),
    mode: Number(mode),
    mark: `${size}:${mtimeNs}:${ctimeNs}:${dev}:${ino}`,
  };
}

/** The hash of a regular file that may be read. A pipe in its place is not waited for. */
function contentOf(path: string): string | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size > MAX_HASHED_BYTES) return undefined;
      return new Bun.CryptoHasher("sha256").update(readFileSync(fd)).digest("base64");
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
