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
  return statEntries(directory, [name])[0];
}

/** The same for many names, in their order; several times as fast as one after the other. */
export function statEntries(directory: OpenDirectory, names: readonly string[]): (EntryStat | undefined)[] {
  if (fstatat === "not looked for") fstatat = loadFstatat();
  return directory.fd >= 0 && fstatat
    ? fstatat(directory.fd, names)
    : names.map((name) => statByPath(directory, name));
}

function statByPath(directory: OpenDirectory, name: string): EntryStat | undefined {
  const stat = lstatSync(fsName(`${directory.path}/${name}`), { throwIfNoEntry: false });
  if (!stat) return undefined;
  const { mode, size, blocks, nlink, mtimeMs, dev, ino } = stat;
  return { mode, size, blocks, nlink, mtimeMs, identity: nlink > 1 ? `${dev}:${ino}` : "" };
}
