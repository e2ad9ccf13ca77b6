/**
 * Which files a command changed: what lies in the writable roots before and after it, by size, time and inode. It is given
 * up when it takes too long, and then says so; what recursive tools skip (`.git`, `node_modules`) is left out.
 */
import { lstatSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { monotonicMs } from "../base/index.ts";

export interface TrackedChanges {
  /** Relative to the first root, absolute in the others; at most `MAX_NAMED` each. */
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Of all of them. */
  readonly total: number;
}

export type Snapshot = ReadonlyMap<string, string>;

/** Together for before and after, so that a small command stays small. */
const BUDGET_MS = 150;
const YIELD_MS = 20;
const MAX_NAMED = 100;

/** `undefined` when it takes too long. */
export async function takeSnapshot(
  roots: readonly string[],
  skip: readonly string[],
): Promise<Snapshot | undefined> {
  const began = monotonicMs();
  let turn = began;
  const found = new Map<string, string>();
  const waiting = [...roots];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const now = monotonicMs();
    if (now - began > BUDGET_MS) return undefined;
    if (now - turn > YIELD_MS) {
      await Bun.sleep(0);
      turn = monotonicMs();
    }
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skip.includes(entry.name)) waiting.push(path);
      } else {
        const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
        if (stat) found.set(path, `${stat.size}:${stat.mtimeNs}:${stat.ino}`);
      }
    }
  }
  return found;
}

export function compareSnapshots(before: Snapshot, after: Snapshot, firstRoot: string): TrackedChanges {
  const show = (path: string): string => {
    const rel = relative(firstRoot, path);
    return rel.startsWith("..") ? path : rel;
  };
  const created = [...after.keys()].filter((path) => !before.has(path));
  const changed = [...after].filter(([path, mark]) => before.has(path) && before.get(path) !== mark);
  const removed = [...before.keys()].filter((path) => !after.has(path));
  const named = (paths: readonly string[]): string[] => paths.map(show).sort().slice(0, MAX_NAMED);
  return {
    created: named(created),
    changed: named(changed.map(([path]) => path)),
    removed: named(removed),
    total: created.length + changed.length + removed.length,
  };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
