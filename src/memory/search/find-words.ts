/**
 * The pieces that have words of a question, the best first: by the index of words, and where that finds too few also those
 * with a word that has one of the question in it.
 */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { QuestionWords } from "./query-words.ts";

/** Only pieces of these documents: a note and those below it. */
export interface PiecesWithin {
  readonly sql: string;
  readonly values: readonly SQLQueryBindings[];
}

/** @param namespace absent: everything */
export function withinOf(namespace: string | undefined): PiecesWithin {
  if (namespace === undefined) return { sql: "", values: [] };
  const note = `note:${namespace}`;
  // Behind a slash comes a zero: all names below are between the two.
  return { sql: "(d.name = ? OR (d.name >= ? AND d.name < ?))", values: [note, `${note}/`, `${note}0`] };
}

/** Ids of pieces. @param isWanted whether the tool may have it */
export function findByWords(
  db: Database,
  { match }: QuestionWords,
  { sql, values }: PiecesWithin,
  limit: number,
  isWanted: (id: number) => boolean,
): number[] {
  if (match === "") return [];
  const only = sql === "" ? "" : `AND rowid IN (SELECT c.id FROM chunks c JOIN docs d ON d.id = c.doc WHERE ${sql})`;
  const rows = db
    .query(`SELECT rowid AS id FROM words WHERE words MATCH ? ${only} ORDER BY ${RANK}, rowid LIMIT ${MAX_LOOKED_AT}`)
    .values(match, ...values) as [number][];
  return take(rows, limit, isWanted);
}

/** What a text is about counts less than its words. The column `rank` of the table says just that, and takes half as long again. */
const RANK = "bm25(words, 0.6, 1.0)";

/** Pieces are looked at until there are enough that the tool may have, but no more than these. */
const MAX_LOOKED_AT = 2000;

function take(rows: readonly (readonly [number])[], limit: number, isWanted: (id: number) => boolean): number[] {
  const found: number[] = [];
  for (const [id] of rows) {
    if (found.length === limit) break;
    if (isWanted(id)) found.push(id);
  }
  return found;
}

/** Pieces for one word. */
const MAX_CANDIDATES = 300;

/** Pieces in which words of the question are parts of others, those with most of them first. The newest are looked at first. */
export function findByParts(
  db: Database,
  { parts }: QuestionWords,
  { sql, values }: PiecesWithin,
  limit: number,
  isWanted: (id: number) => boolean,
): number[] {
  const counts = new Map<number, number>();
  const only = sql === "" ? "" : `AND p.rowid IN (SELECT c.id FROM chunks c JOIN docs d ON d.id = c.doc WHERE ${sql})`;
  for (const part of parts) {
    const rows = db.query(
      `SELECT c.id, c.text FROM parts p JOIN chunks c ON c.id = p.rowid WHERE parts MATCH ? ${only} ORDER BY p.rowid DESC LIMIT ${MAX_LOOKED_AT}`,
    );
    let candidates = 0;
    for (const row of rows.iterate(trigramsOf(part), ...values)) {
      const { id, text } = row as { readonly id: number; readonly text: string };
      // The index knows which three signs there are, and not where.
      if (!text.normalize("NFKC").toLowerCase().includes(part) || !isWanted(id)) continue;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (++candidates === MAX_CANDIDATES) break;
    }
  }
  const ranked = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return ranked.slice(0, limit).map(([id]) => id);
}

function trigramsOf(part: string): string {
  const signs = Array.from(part);
  const all = Array.from({ length: signs.length - 2 }, (_, at) => signs.slice(at, at + 3).join(""));
  return [...new Set(all)].map((one) => `"${one.replaceAll('"', '""')}"`).join(" AND ");
}
