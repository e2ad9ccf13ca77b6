/**
 * The state folder: proposals, kept old versions, the record. Only its owner may enter it (0700), it is checked at
 * start, and no tool can see it even when it lies inside a root. Below it lie the temporary folders of commands, and the
 * keys: of placeholders for secrets, and of the signatures over the record.
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
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Failure, newId, nowMs } from "../base/index.ts";
import { fsName } from "../sys/index.ts";
import { withOpen } from "./small-file.ts";

/** The folders in the state folder. `checkpoints` holds signed heads of the record, kept apart from the record itself. */
const PARTS = ["proposals", "undo", "audit", "journal", "answers", "grants", "keys", "checkpoints", "review"] as const;

export type StateFolder = Readonly<Record<"path" | (typeof PARTS)[number], string>>;

/** @throws Failure `denied` when it cannot be made, is not ours, or is open to others and cannot be closed */
export function openStateFolder(path: string): StateFolder {
  const parts = PARTS.map((part) => [part, join(path, part)] as const);
  const folder = { path, ...Object.fromEntries(parts) } as StateFolder;
  try {
    const found = foldersIn(path);
    for (const part of Object.values(folder)) if (!found.has(part)) mkdirSync(part, { recursive: true, mode: 0o700 });
    if (process.platform !== "win32") closeToOthers(path);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw refused(path, thrown instanceof Error ? thrown.message : String(thrown));
  }
  return folder;
}

/** Lists the folders that are there, nearly always all of them, with one call instead of one for each. */
function foldersIn(path: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name)));
  } catch {
    // What stands in the way is said when it is made.
    return new Set();
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

/** A folder this old is abandoned, because no command runs longer than a day. */
const ABANDONED_MS = 2 * 24 * 60 * 60 * 1000;

/** Makes the temporary folder of one command. @param stateDir the state folder, opened before */
export function createRunFolder(stateDir: string): { readonly path: string; readonly remove: () => void } {
  const path = join(stateDir, "run", newId("run"));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return { path, remove: () => remove(path) };
}

/** Makes a folder in the temporary folder of a command: files by their content, and links by where they lead. */
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

/** Removes what a launcher that was killed has left. @param stateDir the state folder, opened before */
export function sweepRunFolders(stateDir: string): void {
  const folder = join(stateDir, "run");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stat && nowMs() - stat.mtimeMs > ABANDONED_MS) remove(join(folder, name));
  }
}

/** Removes a folder. What a program has made unremovable stays, and is swept later. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // Of no use to anybody, and in nobody's way.
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
