/**
 * Makes the vectors that are missing, a part at a time: here by a static model, or elsewhere, where the texts of some pieces go
 * out and their vectors come back.
 */
import { monotonicMs, type Cancel } from "../../base/index.ts";
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

export async function takePending(file: string, { model, limit }: PendingAsk): Promise<readonly Pending[]> {
  const { db } = await openIndex(file);
  return pendingPieces(db, modelNumber(db, model), limit);
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
