/**
 * Where two lines differ, in words: ranges of UTF-16 units in each. Lines that share little, and long ones, have no marks,
 * because everything would be marked.
 */
import { diffWordsWithSpace } from "diff";

/** A range of a line, its end not included. */
export type Mark = readonly [from: number, to: number];

/** Longer lines are rarely read by words, and cost more than they tell. */
const MAX_LINE_CHARS = 2000;
/** Differences beyond which two lines are taken for unlike. */
const MAX_EDITS = 60;
/** The share of the longer line that both have at least. */
const LEAST_SHARED = 0.3;

export interface MarkedPair {
  readonly old: readonly Mark[];
  readonly new: readonly Mark[];
}

const UNMARKED: MarkedPair = { old: [], new: [] };

export function markWords(old: string, now: string): MarkedPair {
  if (old.length > MAX_LINE_CHARS || now.length > MAX_LINE_CHARS) return UNMARKED;
  const parts = diffWordsWithSpace(old, now, { maxEditLength: MAX_EDITS });
  if (!parts) return UNMARKED;
  const [oldMarks, newMarks]: [Mark[], Mark[]] = [[], []];
  let [oldAt, newAt, shared] = [0, 0, 0];
  for (const { value, added, removed } of parts) {
    if (removed) oldMarks.push([oldAt, (oldAt += value.length)]);
    else if (added) newMarks.push([newAt, (newAt += value.length)]);
    else [oldAt, newAt, shared] = [oldAt + value.length, newAt + value.length, shared + value.trim().length];
  }
  return shared < LEAST_SHARED * Math.max(old.length, now.length) ? UNMARKED : { old: oldMarks, new: newMarks };
}
