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
  ftruncateSync,
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
import { lockState, tryLock, withOpen } from "./small-file.ts";

const SUFFIX = ".journal";
/** The suffix of a journal that is not locked yet: others look for the other name, and must never find it without its lock. */
const NEW = ".new";
/** How often a lock is tried: others hold it for a moment to ask whether it is free, which takes longer on a busy machine. */
const MAX_TRIES = 500;
const TRY_AGAIN_MS = 2;

/** How much a crash of the machine may take: nothing that was answered, or what the kernel had not written yet. */
export type Durability = "full" | "fast";

export class Journal {
  readonly #path: string;
  readonly #fd: number;
  readonly #durability: Durability;
  readonly #isHint: boolean;
  /** Where the next line goes, and where the last one began. */
  #end: number;
  #lastAt: number;
  /** A part of a line that could not be written whole may stand behind the end. */
  #isTorn = false;
  #isClosed = false;
  /** A dead owner may have left a torn line, so ours begin with a break. */
  #isAdopted = false;
  /** The records that this process has written. Other processes read them back from the disk. */
  readonly #records: object[] = [];

  private constructor(path: string, fd: number, durability: Durability, isHint: boolean) {
    this.#path = path;
    this.#fd = fd;
    this.#durability = durability;
    this.#isHint = isHint;
    this.#end = fstatSync(fd).size;
    this.#lastAt = this.#end;
  }

  /**
   * @param isHint only what the kernel keeps when a process dies
   * @throws the system's error; nothing is left then
   */
  static begin(folder: string, transaction: string, durability: Durability, isHint: boolean): Journal {
    const path = join(folder, transaction + SUFFIX);
    const fd = openLocked(path);
    const journal = new Journal(path, fd, durability, isHint);
    if (!isHint && durability === "full") syncFolder(folder);
    return journal;
  }

  /** Finds the journals whose owner has died, and locks one after the other. Each must be closed before the next is asked for. */
  static *abandoned(folder: string): Generator<{ readonly transaction: string; readonly journal: Journal }> {
    const found = readdirSync(folder);
    // Of an owner that died before it had begun: nothing was done.
    for (const name of found.filter((one) => one.endsWith(NEW))) adopt(join(folder, name))?.finish();
    for (const name of found.filter(isJournal)) {
      const journal = adopt(join(folder, name));
      if (journal) yield { transaction: name.slice(0, -SUFFIX.length), journal };
    }
  }

  /** Every journal with what it begins with, which may be nothing yet, and whether its owner may be at work. */
  static all(folder: string): JournalSeen[] {
    return readdirSync(folder)
      .filter(isJournal)
      .flatMap((name) => {
        const path = join(folder, name);
        const state = lockState(path);
        return state === "gone" ? [] : [{ name, isHeld: state === "held", first: firstRecord(path) }];
      });
  }

  /** The transactions that have a journal, whether their owners live or not. */
  static transactions(folder: string): string[] {
    return readdirSync(folder).flatMap((name) => (isJournal(name) ? [name.slice(0, -SUFFIX.length)] : []));
  }

  static adopted(path: string, fd: number): Journal {
    const journal = new Journal(path, fd, "full", false);
    journal.#isAdopted = true;
    return journal;
  }

  /** Writes a line, which is on the disk on return. A hint is only with the kernel, which keeps it when a process dies. */
  write(record: object, isHint = false): void {
    this.#append(this.#isAdopted ? `\n${encodeRecord(record)}` : encodeRecord(record));
    if (!isHint && this.#durability === "full") fsyncSync(this.#fd);
    this.#records.push(record);
  }

  /**
   * Takes the last line back, whether it was written or only tried to be: who reads the journal does not find it.
   * @throws the system's error; then the line may be there or not
   */
  unsay(): void {
    ftruncateSync(this.#fd, this.#lastAt);
    this.#end = this.#lastAt;
    this.#isTorn = false;
    try {
      if (this.#durability === "full") fsyncSync(this.#fd);
    } catch {
      // A disk that flushes nothing keeps no promise after a crash, also none about this line.
    }
  }

  #append(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    this.#lastAt = this.#end;
    this.#isTorn = true;
    for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at, bytes.length - at, this.#lastAt + at);
    this.#end += bytes.length;
    this.#isTorn = false;
  }

  /** The records that this process has written, in order. */
  get written(): readonly object[] {
    return this.#records;
  }

  /** Reads the records that were written whole, in order. */
  read(): unknown[] {
    const lines = readFileSync(this.#path, "utf8").split("\n");
    return lines.flatMap((line) => {
      const text = decode(line);
      return text === undefined ? [] : [JSON.parse(text) as unknown];
    });
  }

  /**
   * The transaction is over: the journal ends with `record` and goes to `path` as its note. One file for both costs one
   * inode less at every commit.
   */
  endAs(record: object, path: string): void {
    if (this.#isTorn) ftruncateSync(this.#fd, this.#end);
    this.#append(`\n${encodeRecord(record)}`);
    if (this.#durability === "full" && !this.#isHint) fsyncSync(this.#fd);
    renameSync(this.#path, path);
  }

  /** Removes the journal, when nothing of the transaction is left to be told. */
  finish(): void {
    try {
      unlinkSync(this.#path);
    } finally {
      this.leave();
    }
  }

  /** Closes the journal and leaves its file to whoever looks for journals next, which may be this process. */
  leave(): void {
    if (!this.#isClosed) closeSync(this.#fd);
    this.#isClosed = true;
  }
}

export interface JournalSeen {
  readonly name: string;
  readonly isHeld: boolean;
  readonly first: unknown;
}

function firstRecord(path: string): unknown {
  try {
    const text = decode(readFileSync(path, "utf8").split("\n", 1)[0] ?? "");
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // Its owner has ended it meanwhile.
    return undefined;
  }
}

export function isJournal(name: string): boolean {
  return name.endsWith(SUFFIX);
}

function isHeld(path: string, fd: number): boolean {
  return tryLock(fd) && statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino;
}

/** Flushes a folder: the name of a new file is on the disk only when its folder is. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  withOpen(folder, constants.O_RDONLY, fsyncSync);
}

/** Makes a locked file under its name. A sweep may take it in the moment before it is locked, and then another is made. */
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
    if (tries > 0) Bun.sleepSync(TRY_AGAIN_MS);
  }
}

/** Locks a journal that was found, if it is still there: its owner may have ended since the listing. */
function adopt(path: string): Journal | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR);
  } catch {
    return undefined;
  }
  let isOurs = false;
  try {
    // Whoever only asks whether it is free holds it for a moment.
    if (!tryLock(fd)) Bun.sleepSync(1);
    isOurs = isHeld(path, fd);
  } finally {
    if (!isOurs) closeSync(fd);
  }
  return isOurs ? Journal.adopted(path, fd) : undefined;
}

/** Writes one record as a line with its checksum. */
export function encodeRecord(record: object): string {
  return encode(JSON.stringify(record));
}

/** Reads the last record of a journal that is over. @throws when its last line is not whole */
export function lastRecord(lines: string): unknown {
  const text = decode(lines.slice(lines.lastIndexOf("\n", lines.length - 2) + 1, -1));
  if (text === undefined) throw new Error("the last line of the journal is torn");
  return JSON.parse(text);
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

/** The failure of a change whose journal could not be begun. */
export function journalFailure(thrown: unknown): Failure {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new Failure("disk_full", `Cannot begin the change: the journal cannot be written: ${why}`, {
    hint: "Nothing was changed. Make room in the state folder, or give another with --state-dir DIR.",
  });
}
