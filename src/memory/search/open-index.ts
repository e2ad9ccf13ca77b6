/**
 * The index over the notes: a file of SQLite in the state folder with nothing in it that is not made of the notes, so it can be
 * removed at any time. Several hosts and several workers of each have it open; a writer waits for the one before it.
 *
 * Usual mistake: to trust the file. Whatever is wrong with it, it goes, and is made anew.
 */
import { statSync } from "node:fs";
import type { Database } from "bun:sqlite";
import { Failure, logLine } from "../../base/index.ts";
import { holdMemoryIndex, removeMemoryIndex } from "../../state/index.ts";

/** Another form of the tables is another number, and so is another way to cut a text or to make its vectors. */
const FORM = 5;

/** How long a writer waits for another one. */
const BUSY_MS = 5000;

const PRAGMAS = [
  `PRAGMA busy_timeout = ${BUSY_MS}`,
  "PRAGMA journal_mode = WAL",
  // What a power cut takes away is made again of the notes.
  "PRAGMA synchronous = OFF",
  "PRAGMA cache_size = -4000",
  "PRAGMA temp_store = MEMORY",
];

const TABLES = [
  "CREATE TABLE docs (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime REAL NOT NULL, hash TEXT NOT NULL, seen REAL NOT NULL)",
  "CREATE TABLE chunks (id INTEGER PRIMARY KEY AUTOINCREMENT, doc INTEGER NOT NULL, line INTEGER NOT NULL, hash BLOB NOT NULL, about TEXT NOT NULL, text TEXT NOT NULL, origin TEXT)",
  "CREATE INDEX chunks_of ON chunks (doc)",
  `CREATE VIRTUAL TABLE words USING fts5 (about, text, content = '', contentless_delete = 1, tokenize = "porter unicode61 remove_diacritics 2")`,
  "CREATE VIRTUAL TABLE parts USING fts5 (text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram')",
  "CREATE TABLE vectors (seq INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL, chunk INTEGER NOT NULL, vector BLOB NOT NULL, UNIQUE (chunk, model))",
  "CREATE INDEX vectors_of ON vectors (model)",
  "CREATE TABLE models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, used REAL NOT NULL, file TEXT NOT NULL)",
];

export interface OpenIndex {
  readonly file: string;
  readonly db: Database;
  /** Which file it is: another one at its path means that somebody has removed it. */
  readonly identity: string;
}

let open: OpenIndex | undefined;

/** The index of this thread. @throws Failure `unsupported` where the runtime has no full text engine */
export async function openIndex(file: string): Promise<OpenIndex> {
  if (open?.file === file && identityOf(file) === open.identity) return open;
  closeIndex();
  const { Database: Engine } = await import("bun:sqlite");
  try {
    open = openReady(Engine, file) ?? makeIndex(Engine, file);
  } catch (thrown) {
    throw thrown instanceof Failure ? thrown : indexFailure(thrown);
  }
  return open;
}

/** @returns `undefined` where there is no index yet, and for one that another host is making or that cannot be read */
function openReady(Engine: typeof Database, file: string): OpenIndex | undefined {
  if (sizeOf(file) === 0) return undefined;
  const identity = identityOf(file);
  let db: Database | undefined;
  try {
    db = new Engine(file, { readwrite: true, strict: true });
    setUp(db);
    // Another one may have come in its place before it was open.
    if (formOf(db) === FORM && identityOf(file) === identity) return { file, db, identity };
  } catch {
    // Whoever makes it says what is wrong.
  }
  db?.close();
  return undefined;
}

/** Makes the index, or opens the one that another host has made meanwhile. */
function makeIndex(Engine: typeof Database, file: string): OpenIndex {
  using _held = holdMemoryIndex(file);
  for (let tries = 0; ; tries++) {
    let db: Database | undefined;
    try {
      db = new Engine(file, { create: true, strict: true });
      setUp(db);
      makeTables(db);
      return { file, db, identity: identityOf(file) };
    } catch (thrown) {
      db?.close();
      // One that was emptied under another host stays locked by what that host has beside it.
      if (!(isBroken(thrown) || sizeOf(file) === 0) || tries > 0) throw thrown;
      logLine(`the index of the memory cannot be read and is made anew: ${String(thrown)}`);
      removeMemoryIndex(file);
    }
  }
}

/**
 * Does something with the index. When the file turns out to be broken it is made anew, or another host has done so already,
 * and it is done once more.
 */
export async function withIndex<T>(file: string, use: (index: OpenIndex) => T | Promise<T>): Promise<T> {
  const index = await openIndex(file);
  try {
    return await use(index);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    if (!isBroken(thrown) && identityOf(file) === index.identity) throw indexFailure(thrown);
    logLine(`the index of the memory is broken and is made anew: ${String(thrown)}`);
    closeIndex();
    dropIndex(index);
    return await use(await openIndex(file));
  }
}

/** Unless another host has already put another one in its place. */
function dropIndex({ file, identity }: OpenIndex): void {
  using _held = holdMemoryIndex(file);
  if (identityOf(file) === identity) removeMemoryIndex(file);
}

export function closeIndex(): void {
  open?.db.close();
  open = undefined;
}

function setUp(db: Database): void {
  for (const pragma of PRAGMAS) db.run(pragma);
}

function makeTables(db: Database): void {
  const form = formOf(db);
  if (form === FORM) return;
  if (form !== 0) throw new Error("SQLITE_NOTADB: the index has another form");
  write(db, () => {
    for (const table of TABLES) db.run(table);
    db.run(`PRAGMA user_version = ${FORM}`);
  });
}

function formOf(db: Database): number {
  return (db.query("PRAGMA user_version").get() as { user_version: number }).user_version;
}

/** One transaction. It takes the lock at its beginning, so that two writers never meet in the middle. */
export function write<T>(db: Database, work: () => T): T {
  db.run("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.run("COMMIT");
    return result;
  } catch (thrown) {
    if (db.inTransaction) db.run("ROLLBACK");
    throw thrown;
  }
}

/** PROTOCOL: the locks are those of a file that was removed, which another process holds beside the new one. */
const BROKEN =
  /SQLITE_(?:CORRUPT|NOTADB|SCHEMA|PROTOCOL|IOERR_SHORT_READ|READONLY_DBMOVED)|locking protocol|malformed|not a database|no such (?:table|column)|disk image/i;

function isBroken(thrown: unknown): boolean {
  return thrown instanceof Error && BROKEN.test(`${"code" in thrown ? String(thrown.code) : ""} ${thrown.message}`);
}

/** What to say of an index that cannot be used. Everything else is given back as it is, and so is what a new index mends. */
export function unusableIndex(thrown: unknown): unknown {
  return thrown instanceof Failure || isBroken(thrown) ? thrown : indexFailure(thrown);
}

function indexFailure(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !("code" in thrown || /sqlite|fts5/i.test(thrown.message))) return thrown;
  if (/no such module/.test(thrown.message))
    return new Failure("unsupported", "Cannot search the memory: this runtime has no full text engine", {
      hint: "memory_read and memory_list work without it.",
    });
  const isBusy = "code" in thrown && String(thrown.code).startsWith("SQLITE_BUSY");
  return new Failure(isBusy ? "busy" : "unsupported", `Cannot search the memory: its index says "${thrown.message}"`, {
    hint: isBusy ? "Another host is writing it. Try again." : "memory_read and memory_list work without it.",
  });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function identityOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  // With its birth: the number of a file that was removed is given to the next one.
  return stat ? `${stat.dev}:${stat.ino}:${stat.birthtimeNs}` : "";
}
