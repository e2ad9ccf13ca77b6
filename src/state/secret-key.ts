/**
 * Keys of one state folder, made when they are first needed and readable by their owner alone: of placeholders for
 * secrets, and of the signatures over the record.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
  linkSync,
} from "node:fs";
import { join } from "node:path";

export function hasKey(folder: string, name: string): boolean {
  return existsSync(join(folder, name));
}

/** @param make called once for a state folder, whoever of several hosts comes first */
export function loadKey(folder: string, name: string, make: () => string): string {
  const path = join(folder, name);
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
  }
  const fresh = `${path}.${process.pid}`;
  const fd = openSync(fresh, "w", 0o600);
  try {
    writeSync(fd, make());
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  putFirst(fresh, path);
  return readFileSync(path, "utf8");
}

/** By a link, which fails when another host was first; where there are no links, by a rename. */
function putFirst(fresh: string, path: string): void {
  try {
    linkSync(fresh, path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") {
      renameSync(fresh, path);
      return;
    }
  }
  rmSync(fresh, { force: true });
}
