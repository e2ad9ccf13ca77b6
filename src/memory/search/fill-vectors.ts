/**
 * Makes the vectors that are missing, a part at a time: here by a static model, or elsewhere, where the texts of some pieces go
 * out and their vectors come back.
 */
import type { Database } from "bun:sqlite";
import { monotonicMs, type Cancel } from "../../base/index.ts";
import type { IsOpenDocument } from "../open-documents.ts";
import { quantised, type LocalModel } from "./embedder.ts";
import { withIndex, type OpenIndex } from "./open-index.ts";
import {
  countPending,
  indexedModel,
  keepVectors,
  PENDING_COLUMNS,
  pendingPiece,
  pendingPieces,
  type IndexedModel,
  type Pending,
  type PendingRow,
  type PieceKey,
} from "./vectors.ts";

/** Pieces in one transaction. */
const BATCH = 256;

interface Until {
  readonly cancel: Cancel;
  readonly untilMs: number;
  /** Asked after each transaction, which leaves the texts of its pieces. */
  readonly tidy?: (() => void) | undefined;
}

/** @returns how many are still missing */
export function fillHere(index: OpenIndex, model: LocalModel, { cancel, untilMs, tidy }: Until): number {
  const { db } = index;
  const known = indexedModel(index, model.name);
  for (;;) {
    const pieces = pendingPieces(db, known, BATCH);
    if (pieces.length === 0) return 0;
    keepVectors(
      index,
      known,
      pieces.map(({ id, hash, text }) => ({ id, hash, vector: quantised(model.embed(text)) })),
    );
    tidy?.();
    if (monotonicMs() > untilMs || cancel.state() !== "none") return countPending(db, known);
  }
}

/** What is to be made elsewhere. */
export interface PendingAsk {
  readonly model: string;
  readonly limit: number;
}

/** Only what the asking tool may see leaves: what a rule closes to it has no vector of that model. */
export async function takePending(
  file: string,
  { model, limit }: PendingAsk,
  isOpen: IsOpenDocument,
): Promise<readonly Pending[]> {
  return await withIndex(file, (index) => {
    const { db } = index;
    const known = indexedModel(index, model);
    const rows = db.query(`SELECT d.name, ${PENDING_COLUMNS} ${WITHOUT_VECTOR}`);
    const taken: Pending[] = [];
    for (const row of rows.iterate(known.number, countPending(db, known))) {
      const piece = row as NamedRow;
      if (taken.length === limit) break;
      if (isOpen(piece.name)) taken.push(pendingPiece(piece));
    }
    return taken;
  });
}

/** How many pieces are still to be made elsewhere. */
export function countLeaving(db: Database, model: IndexedModel, isOpen: IsOpenDocument): number {
  const rows = db.query(`SELECT d.name ${WITHOUT_VECTOR}`).values(model.number, countPending(db, model)) as [string][];
  return rows.filter(([name]) => isOpen(name)).length;
}

/** Ends with the last one that is missing: for one more the engine would look through all pieces. */
const WITHOUT_VECTOR = `FROM chunks c JOIN docs d ON d.id = c.doc WHERE NOT EXISTS
  (SELECT 1 FROM vectors v WHERE v.chunk = c.id AND v.model = ?) ORDER BY c.id DESC LIMIT ?`;

interface NamedRow extends PendingRow {
  readonly name: string;
}

/** Vectors as they came from elsewhere. */
export interface MadeVectors {
  readonly model: string;
  readonly vectors: readonly (PieceKey & { readonly vector: readonly number[] })[];
}

/** @returns how many are still missing */
export async function keepMade(file: string, { model, vectors }: MadeVectors): Promise<number> {
  return await withIndex(file, (index) => {
    const known = indexedModel(index, model);
    keepVectors(
      index,
      known,
      vectors.map(({ id, hash, vector }) => ({ id, hash, vector: quantised(vector) })),
    );
    return countPending(index.db, known);
  });
}
