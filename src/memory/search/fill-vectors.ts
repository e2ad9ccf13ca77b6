/**
 * Makes the vectors that are missing, a part at a time: here by a static model, or elsewhere, where the texts of some pieces go
 * out and their vectors come back.
 */
import type { Database } from "bun:sqlite";
import { monotonicMs, type Cancel } from "../../base/index.ts";
import type { IsOpenDocument } from "../open-documents.ts";
import { quantised, type LocalModel } from "./embedder.ts";
import { openIndex, type OpenIndex } from "./open-index.ts";
import { countPending, keepVectors, modelNumber, pendingPieces, type Pending } from "./vectors.ts";

/** Pieces in one transaction. */
const BATCH = 256;

/** @returns how many are still missing */
export function fillHere(
  { db }: OpenIndex,
  model: LocalModel,
  { cancel, untilMs }: { readonly cancel: Cancel; readonly untilMs: number },
): number {
  const number = modelNumber(db, model.name);
  for (;;) {
    const pieces = pendingPieces(db, number, BATCH);
    if (pieces.length === 0) return 0;
    keepVectors(
      db,
      number,
      pieces.map(({ id, text }) => ({ id, vector: quantised(model.embed(text)) })),
    );
    if (monotonicMs() > untilMs || cancel.state() !== "none") return countPending(db, number);
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
  const { db } = await openIndex(file);
  const rows = db.query(`SELECT d.name, c.id, c.about, c.text ${WITHOUT_VECTOR} ORDER BY c.id DESC`);
  const taken: Pending[] = [];
  for (const row of rows.iterate(model)) {
    const { name, id, about, text } = row as PendingRow;
    if (taken.length === limit) break;
    if (isOpen(name)) taken.push({ id, text: about === "" ? text : `${about}\n${text}` });
  }
  return taken;
}

/** How many pieces are still to be made elsewhere. */
export function countLeaving(db: Database, model: string, isOpen: IsOpenDocument): number {
  const rows = db.query(`SELECT d.name, count(*) ${WITHOUT_VECTOR} GROUP BY c.doc`).values(model) as [string, number][];
  return rows.reduce((sum, [name, pieces]) => sum + (isOpen(name) ? pieces : 0), 0);
}

const WITHOUT_VECTOR = `FROM chunks c JOIN docs d ON d.id = c.doc WHERE NOT EXISTS
  (SELECT 1 FROM vectors v WHERE v.chunk = c.id AND v.model = (SELECT id FROM models WHERE name = ?))`;

interface PendingRow extends Pending {
  readonly name: string;
  readonly about: string;
}

/** Vectors as they came from elsewhere. */
export interface MadeVectors {
  readonly model: string;
  readonly vectors: readonly { readonly id: number; readonly vector: readonly number[] }[];
}

/** @returns how many are still missing */
export async function keepMade(file: string, { model, vectors }: MadeVectors): Promise<number> {
  const { db } = await openIndex(file);
  const number = modelNumber(db, model);
  keepVectors(
    db,
    number,
    vectors.map(({ id, vector }) => ({ id, vector: quantised(vector) })),
  );
  return countPending(db, number);
}
