/**
 * Brings the index up to what the disk has: before each search all notes are looked at by size and time, and what differs is
 * read, compared by its hash, and cut into pieces anew. Pieces that stayed keep their rows, so a new entry in a long note costs
 * as much as an entry.
 *
 * Usual mistake: to index a document that could not be read as an empty one, which is then never looked at again.
 *
 * Invariant: the index is about what lies there, and not about who asks. What rules close to a tool is left out of its answers
 * (`search-memory.ts`), so that two tools with other rules do not take turns in making it anew.
 */
import type { Database } from "bun:sqlite";
import { type Cancel, Failure, nowMs, sha256, throwIfStopped } from "../../base/index.ts";
import { write } from "./open-index.ts";
import { chunkText, type Chunk } from "./chunk-text.ts";
import { indexedText } from "./query-words.ts";

/** Something that is searched, as the disk has it. */
export interface Document {
  /** The key in the index: `note:NAMESPACE` or `file:PATH`. */
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** `undefined` for what is no text. @throws Failure for what cannot be read now */
  readonly read: () => string | undefined;
}

export interface Updated {
  /** Names of documents that could not be looked at before the time was over. */
  readonly pending: readonly string[];
  /** Names of documents that could not be read. The next update looks at them again. */
  readonly unread: readonly string[];
}

interface Known {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly mtime: number;
  readonly hash: string;
  readonly seen: number;
}

/** A file that was written so lately may be written again without a difference in its time. */
const RACY_MS = 2000;
/** One transaction, so that others get their turn. */
const BATCH_DOCUMENTS = 200;
const BATCH_CHARS: number = 4 * 1024 * 1024;

/** @param isWhole whether what is not among the documents is gone @param until when to stop, in monotonic time */
export function updateIndex(
  db: Database,
  documents: readonly Document[],
  { isWhole, cancel, isOver }: { readonly isWhole: boolean; readonly cancel: Cancel; readonly isOver: () => boolean },
): Updated {
  const known = knownDocuments(db);
  // First, because it takes no time: what is gone is not left there by an update that is cut.
  if (isWhole) removeGone(db, documents, known);
  const changed = documents.filter((document) => !isCurrent(document, known.get(document.name)));
  const unread: string[] = [];
  for (let at = 0; at < changed.length;) {
    throwIfStopped(cancel, "indexing the memory");
    if (isOver()) return { pending: changed.slice(at).map(({ name }) => name), unread };
    const batch: { readonly document: Document; readonly text: string }[] = [];
    let chars = 0;
    for (; at < changed.length && batch.length < BATCH_DOCUMENTS && chars < BATCH_CHARS; at++) {
      const document = changed[at];
      if (!document) break;
      const text = textOf(document);
      if (text === undefined) {
        unread.push(document.name);
        continue;
      }
      chars += text.length;
      batch.push({ document, text });
    }
    write(db, () => {
      for (const { document, text } of batch) putDocument(db, document, text);
    });
    forgetKnown();
  }
  return { pending: [], unread };
}

/** Empty for what is no text, `undefined` for what cannot be read now. */
function textOf({ read }: Document): string | undefined {
  try {
    return read() ?? "";
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

let cache: { readonly db: Database; readonly version: number; readonly known: ReadonlyMap<string, Known> } | undefined;

/** Ten thousand rows take longer to read than to compare, and seldom change. */
function knownDocuments(db: Database): ReadonlyMap<string, Known> {
  // It moves with every commit of another connection.
  const { data_version: version } = db.query("PRAGMA data_version").get() as { data_version: number };
  if (cache?.db !== db || cache.version !== version) {
    const rows = db.query("SELECT id, name, size, mtime, hash, seen FROM docs").all() as Known[];
    cache = { db, version, known: new Map(rows.map((row) => [row.name, row])) };
  }
  return cache.known;
}

export function forgetKnown(): void {
  cache = undefined;
}

function isCurrent({ size, mtimeMs }: Document, known: Known | undefined): boolean {
  return known?.size === size && known.mtime === mtimeMs && known.seen - mtimeMs > RACY_MS;
}

function putDocument(db: Database, { name, size, mtimeMs }: Document, text: string): void {
  const hash = sha256(text);
  const now = nowMs();
  const had = db.query("SELECT id, hash FROM docs WHERE name = ?").get(name) as Pick<Known, "id" | "hash"> | null;
  if (had?.hash === hash) {
    db.query("UPDATE docs SET size = ?, mtime = ?, seen = ? WHERE id = ?").run(size, mtimeMs, now, had.id);
    return;
  }
  if (had)
    db.query("UPDATE docs SET size = ?, mtime = ?, seen = ?, hash = ? WHERE id = ?").run(
      size,
      mtimeMs,
      now,
      hash,
      had.id,
    );
  else
    db.query("INSERT INTO docs (name, size, mtime, hash, seen) VALUES (?, ?, ?, ?, ?)").run(
      name,
      size,
      mtimeMs,
      hash,
      now,
    );
  const { id } = db.query("SELECT id FROM docs WHERE name = ?").get(name) as { id: number };
  putChunks(db, id, name, chunkText(text));
}

function putChunks(db: Database, doc: number, name: string, chunks: readonly Chunk[]): void {
  const left = new Map<string, { readonly id: number; readonly line: number }[]>();
  for (const { id, line, hash } of db.query("SELECT id, line, hash FROM chunks WHERE doc = ?").all(doc) as ChunkRow[]) {
    const key = Buffer.from(hash).toString("hex");
    left.set(key, [...(left.get(key) ?? []), { id, line }]);
  }
  for (const chunk of chunks) {
    const key = chunkHash(chunk);
    const same = left.get(key)?.shift();
    if (same === undefined) insertChunk(db, doc, name, chunk, key);
    else if (same.line !== chunk.line) db.query("UPDATE chunks SET line = ? WHERE id = ?").run(chunk.line, same.id);
  }
  for (const { id } of [...left.values()].flat()) removeChunk(db, id);
}

interface ChunkRow {
  readonly id: number;
  readonly line: number;
  readonly hash: Uint8Array;
}

function chunkHash({ text, about, origin }: Chunk): string {
  return sha256(JSON.stringify([text, about, origin])).slice(0, 32);
}

function insertChunk(
  db: Database,
  doc: number,
  name: string,
  { line, text, about, origin }: Chunk,
  hash: string,
): void {
  const { lastInsertRowid: id } = db
    .query("INSERT INTO chunks (doc, line, hash, about, text, origin) VALUES (?, ?, ?, ?, ?, ?)")
    .run(doc, line, Buffer.from(hash, "hex"), about, text, origin ? JSON.stringify(origin) : null);
  const names = name.slice(name.indexOf(":") + 1).replaceAll(/[/._-]+/g, " ");
  db.query("INSERT INTO words (rowid, about, text) VALUES (?, ?, ?)").run(
    id,
    indexedText(`${names} ${about}`),
    indexedText(text),
  );
  db.query("INSERT INTO parts (rowid, text) VALUES (?, ?)").run(id, text.normalize("NFKC"));
}

function removeChunk(db: Database, id: number): void {
  for (const table of ["words", "parts"]) db.query(`DELETE FROM ${table} WHERE rowid = ?`).run(id);
  db.query("DELETE FROM vectors WHERE chunk = ?").run(id);
  db.query("DELETE FROM chunks WHERE id = ?").run(id);
}

function removeGone(db: Database, documents: readonly Document[], known: ReadonlyMap<string, Known>): void {
  const there = new Set(documents.map(({ name }) => name));
  const gone = [...known.values()].filter(({ name }) => !there.has(name));
  if (gone.length === 0) return;
  write(db, () => {
    for (const { id } of gone) {
      for (const chunk of db.query("SELECT id FROM chunks WHERE doc = ?").all(id) as { id: number }[])
        removeChunk(db, chunk.id);
      db.query("DELETE FROM docs WHERE id = ?").run(id);
    }
  });
  forgetKnown();
}
