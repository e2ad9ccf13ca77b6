/**
 * Sixty notes of a small team, and two questions for each: one with words of the note, one that means it in other words.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/checks/read-sources.ts";

/** A note, and the questions that it answers. */
export interface CorpusNote {
  readonly namespace: string;
  readonly note: string;
  readonly keywords: string;
  readonly paraphrase: string;
}

export const CORPUS: readonly CorpusNote[] = readFileSync(
  join(REPOSITORY, "test", "fixtures", "corpora", "memory.jsonl"),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as CorpusNote);
