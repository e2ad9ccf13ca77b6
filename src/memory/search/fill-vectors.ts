/**
 * Makes the vectors that are missing, a part at a time: here by a static model, or elsewhere, where the texts of some pieces go
 * out and their vectors come back.
 */
import { monotonicMs, type Cancel } from "../../base/index.ts";
import { quantised, type LocalModel } from "./embedder.ts";
import { openIndex, type OpenIndex } from "./open-index.ts";
import { countPending, indexedModel, keepVectors, pendingPieces, type Pending } from "./vectors.ts";

/** Pieces in one transaction. */
const BATCH = 256;

/** @returns how many are still missing */
export function fillHere(
  index: OpenIndex,
  model: LocalModel,
  { cancel, untilMs }: { readonly cancel: Cancel; readonly untilMs: number },
): number {
  const { db } = index;
  const known = indexedModel(index, model.name);
  for (;;) {
    const pieces = pendingPieces(db, known, BATCH);
    if (pieces.length === 0) return 0;
    keepVectors(
      index,
      known,
      pieces.map(({ id, text }) => ({ id, vector: quantised(model.embed(text)) })),
    );
    if (monotonicMs() > untilMs || cancel.state() !== "none") return countPending(db, known);
  }
}

/** What is to be made elsewhere. */
export interface PendingAsk {
  readonly model: string;
  readonly limit: number;
}

export async function takePending(file: string, { model, limit }: PendingAsk): Promise<readonly Pending[]> {
  const index = await openIndex(file);
  return pendingPieces(index.db, indexedModel(index, model), limit);
}

/** Vectors as they came from elsewhere. */
export interface MadeVectors {
  readonly model: string;
  readonly vectors: readonly { readonly id: number; readonly vector: readonly number[] }[];
}

/** @returns how many are still missing */
export async function keepMade(file: string, { model, vectors }: MadeVectors): Promise<number> {
  const index = await openIndex(file);
  const known = indexedModel(index, model);
  keepVectors(
    index,
    known,
    vectors.map(({ id, vector }) => ({ id, vector: quantised(vector) })),
  );
  return countPending(index.db, known);
}
