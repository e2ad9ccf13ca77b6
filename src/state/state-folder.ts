/**
 * The state folder: proposals, kept old versions, the record. Only its owner may enter it (0700), it is checked at
 * start, and no tool can see it even when it lies inside a root. Below it lie the keys: of
 * placeholders for secrets, and of the signatures over the record.
 */
import {
  chmodSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  type Dirent,
} from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/index.ts";
import { withOpen } from "./small-file.ts";

/** The folders in the state folder. `checkpoints` holds signed heads of the record, kept apart from the record itself. */
const PARTS = ["proposals", "undo", "audit", "journal", "answers", "grants", "keys", "checkpoints", "review"] as const;

/** What stores make beside them, when something is first kept there. */
const OTHERS = [
  "sessions",
  "upstream",
  "memory",
  "memory-index",
  "spill",
  "run",
  "baselines",
  "setups.json",
  "setups.json.new",
  // A disk of its own has the first, and a file manager leaves the second.
  "lost+found",
  ".DS_Store",
];

const KNOWN: ReadonlySet<string> = new Set([...PARTS, ...OTHERS]);

/** Folders that every state folder has since there are any. */
const OLDEST = ["proposals", "undo", "audit"] as const;

export type StateFolder = Readonly<Record<"path" | (typeof PARTS)[number], string>>;

/** Gives the folders for reading, and makes none: any of them may be missing. */
export function findStateFolder(path: string): StateFolder {
  return { path, ...Object.fromEntries(PARTS.map((part) => [part, join(path, part)])) } as StateFolder;
}

/**
 * @throws Failure `denied` when it cannot be made, is not ours, holds what is not ours, or is open to others and cannot be closed
 */
export function openStateFolder(path: string): StateFolder {
  const folder = findStateFolder(path);
  try {
    const found = foldersIn(path);
    for (const part of Object.values(folder)) if (!found.has(part)) mkdirSync(part, { recursive: true, mode: 0o700 });
    if (process.platform !== "win32") closeToOthers(path);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    const { code, message } = thrown as NodeJS.ErrnoException;
    throw refused(path, code === "EEXIST" || code === "ENOTDIR" ? "it is a file, or lies below one" : message);
  }
  return folder;
}

/**
 * Lists the folders that are there, nearly always all of them, with one call instead of one for each.
 * @throws Failure for a directory of somebody else, which would be littered and closed to those who use it
 */
function foldersIn(path: string): ReadonlySet<string> {
  const entries = entriesOf(path);
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name)));
  // One that was begun and not finished has only some of them, and nothing else.
  if (OLDEST.every((part) => folders.has(join(path, part))) || entries.every(({ name }) => KNOWN.has(name)))
    return folders;
  throw refused(path, "it holds other things, and is no state folder of ringfence");
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // What stands in the way is said when it is made.
    return [];
  }
}

function closeToOthers(path: string): void {
  const stat = statSync(path);
  const me = process.getuid?.();
  if (me !== undefined && stat.uid !== me) throw refused(path, "it belongs to another user");
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

function refused(path: string, why: string): Failure {
  return new Failure("denied", `Cannot use the state folder "${path}": ${why}`, {
    hint: "Give another one with --state-dir DIR.",
  });
}

const PROBE_BYTES: number = 64 * 1024;

/** Writes a little as a change would, and takes it away again. @throws Failure `disk_full`, `denied` */
export function probeStateFolder(folder: string): void {
  const probe = join(folder, "review", `doctor-${process.pid}`);
  try {
    writeFileSync(probe, new Uint8Array(PROBE_BYTES), { mode: 0o600, flush: true });
  } catch (thrown) {
    const { code = "", message } = thrown as NodeJS.ErrnoException;
    const isFull = code === "ENOSPC" || code === "EDQUOT";
    throw new Failure(
      isFull ? "disk_full" : "denied",
      `Cannot write in the state folder "${folder}": ${isFull ? "there is no space left" : message}`,
      { hint: "No change can be made before that. Free some space, or give another folder with --state-dir DIR." },
    );
  } finally {
    rmSync(probe, { force: true });
  }
}

export function hasKey(folder: string, name: string): boolean {
  return existsSync(join(folder, name));
}

/** Only the owner can read a key. @param make called once for a state folder, whichever of several hosts comes first */
export function loadKey(folder: string, name: string, make: () => string): string {
  const path = join(folder, name);
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
  }
  const fresh = `${path}.${process.pid}`;
  const write = (fd: number): void => {
    writeSync(fd, make());
    fsyncSync(fd);
  };
  withOpen(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, write, 0o600);
  putFirst(fresh, path);
  return readFileSync(path, "utf8");
}

/** Puts the key in place by a link, which fails when another host was first; where there are no links, by a rename. */
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
