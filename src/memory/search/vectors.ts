/**
 * The vectors of the pieces: which are missing, keeping new ones, and the pieces whose meaning is nearest to that of a question.
 * All of them are compared, by a product of bytes: that takes some milliseconds for fifty thousand, and never misses one. They are
 * read from a file beside the index for each question (`vector-file.ts`), so that no thread holds them.
 *
 * Vectors of another model stay until the new one has all of its own and nobody has used the old one for a while.
 */
import type { Database } from "bun:sqlite";
import { Failure, newId, nowMs } from "../../base/index.ts";
import { sweepVectorFiles, VectorFile } from "../../state/index.ts";
import { write, type OpenIndex } from "./open-index.ts";
import type { PiecesWithin } from "./find-words.ts";
import { Nearest, type NearPiece } from "./nearest.ts";
import { multiplyRows } from "./products.ts";

/** Which piece a vector is for. An index that was made anew has the same numbers for other pieces, so the hash goes with them. */
export interface PieceKey {
  readonly id: number;
  readonly hash: string;
}

/** A piece without a vector. */
export interface Pending extends PieceKey {
  readonly text: string;
}

export interface Vector extends PieceKey {
  readonly vector: Int8Array;
}

/** A model as the index knows it. */
export interface IndexedModel {
  readonly number: number;
  /** The name of the file with its vectors, which no other index has. */
  readonly file: string;
}

const DAY_MS: number = 24 * 60 * 60 * 1000;
const UNUSED_MS: number = 7 * DAY_MS;

export function indexedModel({ db, file }: OpenIndex, name: string): IndexedModel {
  const find = (): IndexedModel | null =>
    db.query("SELECT id AS number, file FROM models WHERE name = ?").get(name) as IndexedModel | null;
  const known = find();
  if (known) return known;
  return write(db, () => {
    const made = { number: 0, file: newId("v") };
    db.query("INSERT OR IGNORE INTO models (name, used, file) VALUES (?, ?, ?)").run(name, nowMs(), made.file);
    sweep(db, file);
    return find() ?? made;
  });
}

/** A search is a use as well. It writes once a day at most. */
export function noteUse(db: Database, { number }: IndexedModel): void {
  const now = nowMs();
  const [used] = db.query("SELECT used FROM models WHERE id = ?").values(number)[0] ?? [];
  if (Number(used) > now - DAY_MS) return;
  write(db, () => db.query("UPDATE models SET used = ? WHERE id = ?").run(now, number));
}

function sweep(db: Database, file: string): void {
  const known = new Set((db.query("SELECT file FROM models").values() as [string][]).map(([name]) => name));
  sweepVectorFiles(file, (name) => known.has(name));
}

const MISSING = "FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.chunk = c.id AND v.model = ?)";

export function countPending(db: Database, { number }: IndexedModel): number {
  // No vector outlives its piece.
  const rows = db.query("SELECT (SELECT count(*) FROM chunks) - (SELECT count(*) FROM vectors WHERE model = ?)");
  return Number((rows.values(number)[0] ?? [0])[0]);
}

/** What `pendingPiece` reads, from the table `chunks` under the name `c`. */
export const PENDING_COLUMNS = "c.id, hex(c.hash) AS hash, c.about, c.text";

/** The newest first: they are what will be asked for. */
export function pendingPieces(db: Database, model: IndexedModel, limit: number): Pending[] {
  // The engine would look through all pieces for one more than there are.
  const most = Math.min(limit, countPending(db, model));
  if (most <= 0) return [];
  const rows = db
    .query(`SELECT ${PENDING_COLUMNS} ${MISSING} ORDER BY c.id DESC LIMIT ?`)
    .all(model.number, most) as PendingRow[];
  return rows.map(pendingPiece);
}

/** A row of `PENDING_COLUMNS`. */
export interface PendingRow extends Pending {
  readonly about: string;
}

export function pendingPiece({ id, hash, about, text }: PendingRow): Pending {
  return { id, hash, text: about === "" ? text : `${about}\n${text}` };
}

export function keepVectors(index: OpenIndex, model: IndexedModel, vectors: readonly Vector[]): void {
  const { db, file } = index;
  const [first] = vectors;
  // Rows that the index lost in a power cut go before it gives their numbers to others.
  if (first) openRows(index, model, first.vector.length)?.[Symbol.dispose]();
  write(db, () => {
    const put = db.query(
      "INSERT OR IGNORE INTO vectors (chunk, model, vector) SELECT ?1, ?2, ?4 WHERE EXISTS (SELECT 1 FROM chunks WHERE id = ?1 AND hex(hash) = ?3)",
    );
    for (const { id, hash, vector } of vectors)
      put.run(id, model.number, hash, Buffer.from(vector.buffer, vector.byteOffset, vector.length));
    const now = nowMs();
    db.query("UPDATE models SET used = ? WHERE id = ?").run(now, model.number);
    if (countPending(db, model) > 0) return;
    const unused = db.query("SELECT id FROM models WHERE used < ?").all(now - UNUSED_MS) as { id: number }[];
    for (const { id } of unused) {
      db.query("DELETE FROM vectors WHERE model = ?").run(id);
      db.query("DELETE FROM models WHERE id = ?").run(id);
    }
    if (unused.length > 0) sweep(db, file);
  });
  // Behind the commit: a row of the file is in the index, whatever happens.
  if (first) openRows(index, model, first.vector.length)?.[Symbol.dispose]();
}

/** What is less near than this part of the nearest is not about the question. */
const NEAR = 0.6;

export function findByMeaning(
  index: OpenIndex,
  { model, vector }: { readonly model: IndexedModel; readonly vector: Int8Array },
  { sql, values }: PiecesWithin,
  limit: number,
  isWanted: (id: number) => boolean,
): number[] {
  const { db } = index;
  const within = `SELECT c.id FROM chunks c JOIN docs d ON d.id = c.doc WHERE ${sql}`;
  const only = sql === "" ? undefined : new Set((db.query(within).values(...values) as [number][]).map(([id]) => id));
  // Rows of pieces that have gone stay in the file for a while.
  const isThere = db.query("SELECT 1 FROM vectors WHERE chunk = ? AND model = ?");
  const mayBeFound = (id: number): boolean =>
    only?.has(id) !== false && isWanted(id) && isThere.values(id, model.number).length > 0;
  const ranked = rankPieces(index, { model, vector }, limit, mayBeFound);
  const nearest = ranked[0]?.score ?? 0;
  return ranked.filter(({ score }) => score >= nearest * NEAR).map(({ id }) => id);
}

/** Only what may be found takes a place. That takes longer to ask than a product, so it is asked of what would get one. */
function rankPieces(
  index: OpenIndex,
  { model, vector }: { readonly model: IndexedModel; readonly vector: Int8Array },
  limit: number,
  mayBeFound: (id: number) => boolean,
): readonly NearPiece[] {
  for (const isAnew of [false, true]) {
    using rows = openRows(index, model, vector.length, isAnew);
    if (!rows) break;
    const best = new Nearest(limit);
    let nearest = 0;
    const isSound = multiplyRows(rows, vector, (id, score) => {
      if (score <= best.least || score < nearest * NEAR || !mayBeFound(id)) return;
      nearest = Math.max(nearest, score);
      best.offer(id, score);
    });
    if (isSound) return best.ranked();
  }
  throw new Failure(
    "unsupported",
    "Cannot compare meanings: the vectors beside the index of the memory cannot be read",
    { hint: "Look at the space and the rights of the disk below the state folder: the next search makes them anew." },
  );
}

/**
 * The file with all rows that the index has. What is missing is appended, and a file with too many that are gone, or one that
 * is not of this index, begins anew. `undefined`: the disk does not take it.
 */
function openRows({ db, file }: OpenIndex, model: IndexedModel, size: number, isAnew = false): VectorFile | undefined {
  let rows: VectorFile | undefined;
  try {
    rows = new VectorFile(file, model.file, size);
    if (!isAnew && isCurrent(db, model, rows)) return rows;
    write(db, () => {
      // Another one may have begun it anew meanwhile: then this is the old one.
      rows?.[Symbol.dispose]();
      rows = undefined;
      rows = new VectorFile(file, model.file, size);
      if (isAnew || isForeign(db, model, rows)) rows.clear();
      appendRows(db, model, rows, size);
    });
    return rows;
  } catch (thrown) {
    rows?.[Symbol.dispose]();
    if (thrown instanceof Error && "syscall" in thrown) return undefined;
    throw thrown;
  }
}

function isCurrent(db: Database, model: IndexedModel, rows: VectorFile): boolean {
  const [newest] = db.query("SELECT max(seq) FROM vectors WHERE model = ?").values(model.number)[0] ?? [];
  return rows.last >= Number(newest ?? 0) && !isForeign(db, model, rows);
}

function isForeign(db: Database, { number }: IndexedModel, rows: VectorFile): boolean {
  const [total, made] =
    db
      .query(
        "SELECT (SELECT count(*) FROM vectors WHERE model = ?), (SELECT seq FROM sqlite_sequence WHERE name = 'vectors')",
      )
      .values(number)[0] ?? [];
  return !(rows.last <= Number(made ?? 0)) || rows.rows > Number(total) * 1.25 + 100;
}

const BATCH = 256;

function appendRows(db: Database, { number }: IndexedModel, rows: VectorFile, size: number): void {
  const query = db.query(
    "SELECT seq, chunk AS id, vector FROM vectors WHERE model = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  for (;;) {
    const more = query.all(number, rows.last, BATCH) as { seq: number; id: number; vector: Uint8Array }[];
    // One of another length says nothing.
    rows.append(more.map((row) => (row.vector.length === size ? row : { ...row, vector: new Uint8Array(0) })));
    if (more.length < BATCH) return;
  }
}
