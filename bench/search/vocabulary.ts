/**
 * The words of a tree, from a sample of its files. The sample is chosen by the seed out of the sorted list of files, so
 * it is the same for the same tree.
 */
import { readFileSync } from "node:fs";
import { filesWithRipgrep, run } from "./native.ts";
import { randomOf, type Vocabulary } from "./query-kinds.ts";

const SAMPLED_FILES = 600;
/** How much of each file is read. */
const SAMPLED_BYTES = 64 * 1024;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]{4,23}/g;
const BEGINNING = /^[ \t]*([A-Za-z#][A-Za-z_]{2,12})\b/gm;
const JOINT = /(?<=[A-Za-z])[^\w\s"'`]{1,3}(?=[A-Za-z])/g;

export async function readVocabulary(tree: string, seed: number): Promise<Vocabulary> {
  const { text } = await run(filesWithRipgrep("**/*", tree));
  const files = text.trimEnd().split("\n").sort();
  const random = randomOf(seed);
  const identifiers = new Map<string, number>();
  const beginnings = new Map<string, number>();
  const joints = new Map<string, number>();
  const count = Math.min(SAMPLED_FILES, files.length);
  for (let at = 0; at < count; at++) {
    const content = readFileSync(files[Math.floor(random() * files.length)] ?? "")
      .subarray(0, SAMPLED_BYTES)
      .toString("latin1");
    countOnce(identifiers, content.match(IDENTIFIER) ?? []);
    countOnce(
      beginnings,
      [...content.matchAll(BEGINNING)].map(([, word = ""]) => word),
    );
    countOnce(joints, content.match(JOINT) ?? []);
  }
  return {
    rare: wordsOf(identifiers, 1, 1).filter((word) => word.length >= 8),
    usual: wordsOf(identifiers, count / 30, count / 10),
    common: wordsOf(identifiers, count / 5, count),
    beginnings: wordsOf(beginnings, count / 20, count),
    joints: wordsOf(joints, count / 20, count),
  };
}

/** Every text once a file, however often it stands there. */
function countOnce(counts: Map<string, number>, found: readonly string[]): void {
  for (const text of new Set(found)) counts.set(text, (counts.get(text) ?? 0) + 1);
}

function wordsOf(counts: ReadonlyMap<string, number>, least: number, most: number): string[] {
  return [...counts]
    .filter(([, files]) => files >= least && files <= most)
    .map(([word]) => word)
    .sort();
}
