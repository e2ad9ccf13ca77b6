/**
 * The journal of one transaction: what it is about to do, and how far it came, each as one line with its checksum. Whoever
 * finds a journal whose owner is gone can finish or take back what it tells of.
 *
 * The owner holds a lock on the file, which the kernel lets go when it dies. A line that is torn or missing at the end was
 * not written: nothing that depends on it has happened, because it is flushed before.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/index.ts";
import { tryLock } from "./flock.ts";

const SUFFIX = ".journal";
/** Not yet under the name that others look for: they must never find it without its lock. */
const NEW = ".new";
const MAX_TRIES = 10;

/** How much a crash of the machine may take: nothing that was answered, or what the kernel had not written yet. */
export type Durability = "full" | "fast";

export class Journal {
  readonly #path: string;
  readonly #fd: number;
  readonly #durability: Durability;
  /** Written by this process; what is read back from the disk is for others. */
  readonly #records: object[] = [];

  private constructor(path: string, fd: number, durability: Durability) {
    this.#path = path;
    this.#fd = fd;
    this.#durability = durability;
  }

  /**
   * @param isHint only what the kernel keeps when a process dies
   * @throws the system's error; nothing is left then
   */
  static begin(folder: string, transaction: string, durability: Durability, isHint: boolean): Journal {
    const path = join(folder, transaction + SUFFIX);
    const fd = openLocked(path);
    const journal = new Journal(path, fd, durability);
    if (!isHint && durability === "full") syncFolder(folder);
    return journal;
  }

  /** Journals whose owner has died, each locked by us now. Must be closed or kept. */
  static abandoned(folder: string): { readonly transaction: string; readonly journal: Journal }[] {
    const found = readdirSync(folder);
    // Of an owner that died before it had begun: nothing was done.
    for (const name of found.filter((one) => one.endsWith(NEW))) adopt(join(folder, name))?.finish();
    const names = found.filter((name) => name.endsWith(SUFFIX));
    return names.flatMap((name) => {
      const journal = adopt(join(folder, name));
      return journal ? [{ transaction: name.slice(0, -SUFFIX.length), journal }] : [];
    });
  }

  static adopted(path: string, fd: number): Journal {
    return new Journal(path, fd, "full");
  }

  /** On the disk when it returns, unless `isHint`: then only what the kernel keeps when a process dies. */
  write(record: object, isHint = false): void {
    const bytes = Buffer.from(encode(JSON.stringify(record)), "utf8");
    for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
    if (!isHint && this.#durability === "full") fsyncSync(this.#fd);
    this.#records.push(record);
  }

  /** What this process has written, in order. */
  get written(): readonly object[] {
    return this.#records;
  }

  /** What was written whole, in order. */
  read(): unknown[] {
    const records: unknown[] = [];
    for (const line of readFileSync(this.#path, "utf8").split("\n")) {
      const text = decode(line);
      if (text === undefined) break;
      records.push(JSON.parse(text));
    }
    return records;
  }

  /** The transaction is over, and nothing of it is left to be done. */
  finish(): void {
    unlinkSync(this.#path);
    closeSync(this.#fd);
  }

  /** Lets it stand for somebody else. */
  leave(): void {
    closeSync(this.#fd);
  }
}

function isHeld(path: string, fd: number): boolean {
  return tryLock(fd) && statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino;
}

/** The name of a new file is on the disk only when its folder is. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A new file under its name, locked. Who sweeps may take it in the moment before it is locked: then another is made. */
function openLocked(path: string): number {
  for (let tries = 0; ; tries++) {
    const fd = openSync(path + NEW, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      if (isHeld(path + NEW, fd)) {
        renameSync(path + NEW, path);
        return fd;
      }
    } catch (thrown) {
      closeSync(fd);
      throw thrown;
    }
    closeSync(fd);
    if (tries >= MAX_TRIES) throw new Error("the journal cannot be locked");
  }
}

/** Locked, and still there: the owner may have ended between the listing and the lock. */
function adopt(path: string): Journal | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR);
  } catch {
    return undefined;
  }
  if (isHeld(path, fd)) return Journal.adopted(path, fd);
  closeSync(fd);
  return undefined;
}

function encode(text: string): string {
  return `${checksum(text)}\t${text}\n`;
}

function decode(line: string): string | undefined {
  const text = line.slice(line.indexOf("\t") + 1);
  return line.includes("\t") && line === `${checksum(text)}\t${text}` ? text : undefined;
}

function checksum(text: string): string {
  return Bun.hash.crc32(text).toString(16).padStart(8, "0");
}

/** For callers that must not go on without one. */
export function journalFailure(thrown: unknown): Failure {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new Failure("disk_full", `Cannot begin the change: the journal cannot be written: ${why}`, {
    hint: "Nothing was changed. Make room in the state folder, or give another with --state-dir DIR.",
  });
}
