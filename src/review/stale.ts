/**
 * A proposal whose files have changed since it was made, as three things side by side: what was proposed (old to new), what
 * somebody did meanwhile (old to now), and what applying would have to do now (now to new). The host gives the diffs; what it
 * could not keep of the old text is said and not guessed.
 */
import { readDiff, type ShownHunk } from "./read-diff.ts";

export interface StaleFile {
  readonly path: string;
  /** Why it cannot be applied. */
  readonly why: string;
  /** What was proposed: from the old text to the new one. */
  readonly proposed: readonly ShownHunk[] | undefined;
  /** What changed meanwhile: from the old text to what is there now. */
  readonly meanwhile: readonly ShownHunk[] | undefined;
  /** What is left to do: from what is there now to the new text. */
  readonly now: readonly ShownHunk[] | undefined;
}

/** The three diffs of a file, as `ringfence/proposals/compare` gives them. */
export interface StaleDiffs {
  readonly path: string;
  readonly why: string;
  readonly proposed?: string | undefined;
  readonly meanwhile?: string | undefined;
  readonly now?: string | undefined;
}

export function readStale(files: readonly StaleDiffs[]): readonly StaleFile[] {
  return files.map(({ path, why, proposed, meanwhile, now }) => ({
    path,
    why,
    proposed: hunksOf(proposed),
    meanwhile: hunksOf(meanwhile),
    now: hunksOf(now),
  }));
}

function hunksOf(diff: string | undefined): readonly ShownHunk[] | undefined {
  return diff === undefined ? undefined : readDiff(diff);
}
