/**
 * Small files of the state folder that several processes write and read: each is written whole under another name and then
 * renamed, so that nobody ever reads half of it.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** @param temporary a name of its own, where several processes may write the file at once */
export function writeWhole(path: string, text: string, temporary: string = `${path}.new`): void {
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

/** @returns `undefined` for a file that is not there or cannot be read */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch {
    return undefined;
  }
}
