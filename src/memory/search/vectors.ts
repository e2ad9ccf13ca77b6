/**
 * The vectors of the pieces: which are missing, keeping new ones, and the pieces whose meaning is nearest to that of a question.
 * All of them are compared, by a product of bytes: that takes some tens of milliseconds for fifty thousand, and never misses one.
 *
 * Vectors of another model stay until the new one has all of its own and nobody has used the old one for a while.
 */
import type { Database } from "bun:sqlite";
import { nowMs } from "../../base/index.ts";
import { write } from "./open-index.ts";
import type { PiecesWithin } from "./find-words.ts";

/** A piece without a vector. */
export interface Pending {
  readonly id: number;
  readonly text: string;
}

export interface Vector {
  readonly id: number;
  readonly vector: Int8Array;
}

const UNUSED_MS = 7 * 24 * 60 * 60 * 1000;

/** The number of the model in the index. */
export function modelNumber(db: Database, name: string): number {
  const find = (): number | undefined =>
    (db.query("SELECT id FROM models WHERE name = ?").get(name) as { id: number } | null)?.id;
  const known = find();
  if (known !== undefined) return known;
  return write(db, () => {
    db.query("INSERT OR IGNORE INTO models (name, used) VALUES (?, ?)").run(name, nowMs());
    return find() ?? 0;
  });
}

const MISSING = "FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.chunk = c.id AND v.model = ?)";

export function countPending(db: Database, model: number): number {
  // No vector outlives its piece.
  const rows = db.query("SELECT (SELECT count(*) FROM chunks) - (SELECT count(*) FROM vectors WHERE model = ?)");
  return Number((rows.values(model)[0] ?? [0])[0]);
}

/** The newest first: they are what will be asked for. */
export function pendingPieces(db: Database, model: number, limit: number): Pending[] {
  const rows = db.query(`SELECT c.id, c.about, c.text ${MISSING} ORDER BY c.id DESC LIMIT ?`).all(model, limit) as {
    id: number;
    about: string;
    text: string;
  }[];
  return rows.map(({ id, about, text }) => ({ id, text: about === "" ? text : `${about}\n${text}` }));
}

export function keepVectors(db: Database, model: number, vectors: readonly Vector[]): void {
  write(db, () => {
    const put = db.query(
      "INSERT OR IGNORE INTO vectors (chunk, model, vector) SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM chunks WHERE id = ?1)",
    );
    for (const { id, vector } of vectors)
      put.run(id, model, Buffer.from(vector.buffer, vector.byteOffset, vector.length));
    const now = nowMs();
    db.query("UPDATE models SET used = ? WHERE id = ?").run(now, model);
    if (countPending(db, model) > 0) return;
    for (const { id } of db.query("SELECT id FROM models WHERE used < ?").all(now - UNUSED_MS) as { id: number }[]) {
      db.query("DELETE FROM vectors WHERE model = ?").run(id);
      db.query("DELETE FROM models WHERE id = ?").run(id);
    }
  });
}

/** What is held of the vectors of one model, in the order in which they came. More are read for each question. */
interface Held {
  readonly db: Database;
  readonly model: number;
  readonly size: number;
  ids: Float64Array;
  vectors: Int8Array;
  count: number;
  last: number;
}

const MAX_HELD_BYTES: number = 32 * 1024 * 1024;
let held: Held | undefined;

/** How many are looked at for what the tool may have. */
const NEAREST = 400;
/** What is less near than this part of the nearest is not about the question. */
const NEAR = 0.6;

export function findByMeaning(
  db: Database,
  { model, vector }: { readonly model: number; readonly vector: Int8Array },
  { sql, values }: PiecesWithin,
  limit: number,
  isWanted: (id: number) => boolean,
): number[] {
  const only =
    sql === ""
      ? undefined
      : new Set(
          (
            db.query(`SELECT c.id FROM chunks c JOIN docs d ON d.id = c.doc WHERE ${sql}`).values(...values) as [
              number,
            ][]
          ).map(([id]) => id),
        );
  const best = new Nearest(NEAREST);
  const known = holdVectors(db, model, vector.length);
  const { ids, vectors, count } = known;
  const size = vector.length;
  for (let at = 0; at < count; at++) {
    const score = product(vector, vectors, at * size);
    const id = ids[at] ?? 0;
    if (score > best.least && only?.has(id) !== false) best.offer(id, score);
  }
  for (const [id, bytes] of rowsAfter(db, model, known.last)) {
    if (bytes.length !== size) continue;
    const score = product(vector, new Int8Array(bytes.buffer, bytes.byteOffset, size), 0);
    if (score > best.least && only?.has(id) !== false) best.offer(id, score);
  }
  const ranked = best.ranked();
  const nearest = ranked[0]?.score ?? 0;
  const found: number[] = [];
  for (const { id, score } of ranked) {
    if (found.length === limit || score < nearest * NEAR) break;
    if (isWanted(id)) found.push(id);
  }
  return found;
}

/** The hot loop: it is all that a question costs where there are many pieces. */
function product(a: Int8Array, b: Int8Array, from: number): number {
  let sum = 0;
  const { length } = a;
  for (let at = 0; at < length; at++) sum += (a[at] as number) * (b[from + at] as number);
  return sum;
}

/** Brings what is held up to date with what came since. */
function holdVectors(db: Database, model: number, size: number): Held {
  const [total = 0] = (db.query("SELECT count(*) FROM vectors WHERE model = ?").values(model)[0] ?? []) as [number?];
  const isStale = held?.db !== db || held.model !== model || held.size !== size || held.count > total * 1.25 + 100;
  if (isStale || !held)
    held = { db, model, size, ids: new Float64Array(0), vectors: new Int8Array(0), count: 0, last: 0 };
  const one = held;
  const most = Math.floor(MAX_HELD_BYTES / size);
  if (one.count >= most) return one;
  // In steps, so that what comes in small parts is not copied for each of them.
  if (total > one.ids.length) grow(one, Math.min(most, Math.ceil(total * 1.05)));
  for (const [id, bytes, at] of rowsAfter(db, model, one.last)) {
    if (one.count >= most) break;
    if (bytes.length === size) {
      if (one.ids.length === one.count) grow(one, one.count + GROWTH);
      one.ids[one.count] = id;
      one.vectors.set(new Int8Array(bytes.buffer, bytes.byteOffset, size), one.count * size);
      one.count++;
    }
    one.last = at;
  }
  return one;
}

const GROWTH = 1024;

function grow(one: Held, count: number): void {
  const ids = new Float64Array(count);
  const vectors = new Int8Array(count * one.size);
  ids.set(one.ids);
  vectors.set(one.vectors);
  one.ids = ids;
  one.vectors = vectors;
}

function* rowsAfter(db: Database, model: number, last: number): Generator<[id: number, bytes: Uint8Array, at: number]> {
  const rows = db.query("SELECT seq, chunk, vector FROM vectors WHERE model = ? AND seq > ? ORDER BY seq");
  for (const row of rows.iterate(model, last)) {
    const { seq, chunk, vector } = row as { seq: number; chunk: number; vector: Uint8Array };
    yield [chunk, vector, seq];
  }
}

/** The highest scores, kept as a heap with the least of them on top. */
class Nearest {
  readonly #most: number;
  readonly #heap: { readonly id: number; readonly score: number }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get least(): number {
    return this.#heap.length < this.#most ? 0 : (this.#heap[0]?.score ?? 0);
  }

  offer(id: number, score: number): void {
    const heap = this.#heap;
    if (heap.length === this.#most) {
      heap[0] = { id, score };
      this.#sink();
      return;
    }
    heap.push({ id, score });
    for (let at = heap.length - 1; at > 0;) {
      const above = (at - 1) >> 1;
      if ((heap[above]?.score ?? 0) <= (heap[at]?.score ?? 0)) break;
      this.#swap(at, above);
      at = above;
    }
  }

  ranked(): readonly { readonly id: number; readonly score: number }[] {
    return this.#heap.toSorted((a, b) => b.score - a.score || a.id - b.id);
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ;) {
      const [left, right] = [at * 2 + 1, at * 2 + 2];
      const scoreOf = (index: number): number => heap[index]?.score ?? Infinity;
      const least = scoreOf(left) < scoreOf(right) ? left : right;
      if (scoreOf(least) >= scoreOf(at)) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    const [one, other] = [heap[a], heap[b]];
    if (!one || !other) return;
    heap[a] = other;
    heap[b] = one;
  }
}
