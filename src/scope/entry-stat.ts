/**
 * What is known of a name in an open directory, the object itself and never what a link leads to.
 */
import { lstatSync } from "node:fs";
import type { OpenDirectory } from "./located.ts";
import { fsName } from "./names.ts";
import { loadFstatat, type Fstatat } from "./fstatat.ts";

export interface EntryStat {
  /** File type and permissions, as in st_mode. */
  readonly mode: number;
  /** Bytes; of a link, the length of its target's name. */
  readonly size: number;
  /** On disk, in units of 512 bytes. */
  readonly blocks: number;
  readonly nlink: number;
  readonly mtimeMs: number;
  /** Of the device and the object on it, equal for all names of an object; "" when it has only one name. */
  readonly identity: string;
}

let fstatat: Fstatat | undefined | "not looked for" = "not looked for";

/** @returns `undefined` when there is no such name. @throws the system's error */
export function statEntry(directory: OpenDirectory, name: string): EntryStat | undefined {
  const quick = fstatatOf(directory);
  return quick ? quick.one(directory.fd, name) : statByPath(directory, name);
}

/** Of several names, in their order; `undefined` where there is no such name or it cannot be looked at. */
export function statEntries(
  directory: OpenDirectory,
  names: readonly string[],
): readonly (EntryStat | undefined)[] {
  const quick = fstatatOf(directory);
  if (quick) return quick.many(directory.fd, names);
  return names.map((name) => {
    try {
      return statByPath(directory, name);
    } catch {
      return undefined;
    }
  });
}

function fstatatOf({ fd }: OpenDirectory): Fstatat | undefined {
  if (fstatat === "not looked for") fstatat = loadFstatat();
  return fd >= 0 ? fstatat : undefined;
}

function statByPath(directory: OpenDirectory, name: string): EntryStat | undefined {
  const stat = lstatSync(fsName(`${directory.path}/${name}`), { throwIfNoEntry: false });
  if (!stat) return undefined;
  const { mode, size, blocks, nlink, mtimeMs, dev, ino } = stat;
  return { mode, size, blocks, nlink, mtimeMs, identity: nlink > 1 ? `${dev}:${ino}` : "" };
}
