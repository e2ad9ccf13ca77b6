/**
 * A proposal whose files have changed since it was made, as three things side by side: what was proposed (old to new), what
 * somebody did meanwhile (old to now), and what applying would have to do now (now to new). The host gives the diffs; what it
 * could not keep of the old text is said and not guessed.
 */
import type { ComparedFile } from "../calls/index.ts";
import { readDiff, type DiffRow, type ShownHunk } from "./rows/read-diff.ts";

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

export function readStale(files: readonly ComparedFile[]): readonly StaleFile[] {
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

/** One line of the three diffs, in their order. */
export type StaleLine =
  | { readonly kind: "head"; readonly text: string }
  | { readonly kind: "row"; readonly row: DiffRow };

/** The three diffs one after the other, each below what it says. */
export function staleLines(files: readonly StaleFile[]): readonly StaleLine[] {
  return files.flatMap((file) => [
    { kind: "head", text: `${file.path}: ${file.why}` } as const,
    ...staleParts(file).flatMap((part) => partLines(part)),
  ]);
}

/** One of the three diffs of a file. */
export interface StalePart {
  readonly title: string;
  /** Absent where it is not known; `lost` says why. */
  readonly hunks: readonly ShownHunk[] | undefined;
  readonly lost: string;
}

export function staleParts({ proposed, meanwhile, now }: StaleFile): readonly StalePart[] {
  return [
    { title: "Proposed, from the old text to the new one", hunks: proposed, lost: LOST },
    { title: "Changed meanwhile, from the old text to what is there now", hunks: meanwhile, lost: LOST },
    { title: "Left to do, from what is there now to the new text", hunks: now, lost: "It cannot be made any more." },
  ];
}

const LOST = "The old text was not kept.";

function partLines({ title, hunks, lost }: StalePart): StaleLine[] {
  if (hunks === undefined) return [{ kind: "head", text: `${title}: ${lost}` }];
  if (hunks.length === 0) return [{ kind: "head", text: `${title}: nothing.` }];
  return [
    { kind: "head", text: `${title}:` },
    ...hunks.flatMap((hunk) => hunk.rows.map((row): StaleLine => ({ kind: "row", row }))),
  ];
}
