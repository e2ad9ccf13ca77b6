/**
 * The leg of a search that goes by meaning: with a model that is here, or with the vector of the question that the host has
 * had made. It says how much of the memory it has looked at.
 */
import { Failure, failureText, monotonicMs, type Cancel } from "../../base/index.ts";
import type { IsOpenDocument } from "../open-documents.ts";
import type { EmbedderFolder } from "../settings.ts";
import { quantised, type LocalModel } from "./embedder.ts";
import { countLeaving, fillHere } from "./fill-vectors.ts";
import type { PiecesWithin } from "./find-words.ts";
import { unusableIndex, type OpenIndex } from "./open-index.ts";
import { openStaticModel } from "./static-model.ts";
import { countPending, findByMeaning, indexedModel, noteUse } from "./vectors.ts";

/** The meaning of a question, by a model that is elsewhere. */
export interface AskedMeaning {
  readonly model: string;
  readonly vector: readonly number[];
}

export interface MeaningLeg {
  readonly ids: readonly number[];
  /** `on`, or why it has not looked. */
  readonly said: string;
  /** Pieces that have no vector yet. */
  readonly missing: number;
}

export interface MeaningAsk {
  readonly query: string;
  readonly keyword_only?: boolean | undefined;
  readonly meaning?: AskedMeaning | undefined;
  /** So many missing vectors are made before anything is searched: the answer only says how many they are. */
  readonly fillsUpTo?: number | undefined;
  /** Why the host has no vector of the question. */
  readonly meaningOff?: string | undefined;
}

/** A few new entries are given their vectors before the answer; more of them after it. */
const FILL_MS = 400;

export function searchByMeaning(
  index: OpenIndex,
  ask: MeaningAsk,
  folder: EmbedderFolder | undefined,
  find: {
    readonly within: PiecesWithin;
    readonly limit: number;
    readonly isWanted: (id: number) => boolean;
    /** What may be sent to a model elsewhere. */
    readonly isOpen: IsOpenDocument;
    readonly cancel: Cancel;
  },
): MeaningLeg {
  if (ask.keyword_only === true) return off("not asked for");
  if (ask.meaningOff !== undefined) return off(`off, ${ask.meaningOff}`);
  try {
    const made = folder ? meaningHere(index, ask.query, folder, find.cancel) : ask.meaning;
    if (!made) return off("off, no embedder is configured");
    const model = indexedModel(index, made.model);
    noteUse(index.db, model);
    const vector = quantised(made.vector);
    const all = countPending(index.db, model);
    const missing = all === 0 ? 0 : countLeaving(index.db, model, find.isOpen);
    if (missing > 0 && missing <= (ask.fillsUpTo ?? 0))
      return { ids: [], missing, said: "off, some entries have no vector yet" };
    if (vector.every((value) => value === 0))
      return { ...off("off, the model knows no word of the question"), missing };
    const { within, limit, isWanted } = find;
    const ids = findByMeaning(index, { model, vector }, within, limit, isWanted);
    return { ids, missing, said: missing === 0 ? "on" : `on, without ${missing} entries that have no vector yet` };
  } catch (thrown) {
    // The words need no lock: they are searched while another host writes.
    const failure = unusableIndex(thrown);
    if (!(failure instanceof Failure)) throw thrown;
    return off(`off, ${failureText(failure.data)}`);
  }
}

function off(said: string): MeaningLeg {
  return { ids: [], said, missing: 0 };
}

function meaningHere(index: OpenIndex, query: string, { file }: EmbedderFolder, cancel: Cancel): AskedMeaning {
  const model: LocalModel = openStaticModel(file);
  fillHere(index, model, { cancel, untilMs: monotonicMs() + FILL_MS });
  return { model: model.name, vector: [...model.embed(query)] };
}
