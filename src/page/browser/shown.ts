/**
 * What the store is made of: where the page is, the question that stands before everything else, and a proposal with its files
 * as the review model knows them.
 */
import type { ReviewComment } from "../../calls/index.ts";
import type { LaidLine, ReviewChoices, ReviewedFile } from "../../review/index.ts";
import type { Outline, OutlineFile } from "../outline.ts";
import type { BatchView, QueueItem, RuleView } from "../protocol.ts";

export type View = "review" | "history" | "record" | "policy";

/** What stands before everything else and is answered first. */
export type PageQuestion =
  | { readonly kind: "comment"; readonly about: Omit<ReviewComment, "text">; readonly where: string }
  | { readonly kind: "reject" }
  | { readonly kind: "unseen"; readonly count: number }
  | { readonly kind: "undo"; readonly transaction: string; readonly summary: string; readonly diff: string }
  | { readonly kind: "batch"; readonly batch: BatchView }
  /** `id` of the proposal that it is about. */
  | { readonly kind: "rule"; readonly id: string; readonly sheet: RuleView }
  | { readonly kind: "explain"; readonly text: string }
  | { readonly kind: "find" }
  | { readonly kind: "help" };

export interface PageFile extends OutlineFile {
  /** As the review model knows it; absent for the sheet, and for old, new and now. */
  readonly model: ReviewedFile | undefined;
}

export interface ShownAnswer {
  readonly outline: Outline;
  readonly draft: ReviewChoices;
  /** The first lines of its first file. */
  readonly first: readonly LaidLine[];
}

export interface DecidedAnswer {
  readonly said: string;
  /** The labels of those that were applied together. */
  readonly applied?: readonly string[];
}

export interface Shown extends Omit<Outline, "files"> {
  readonly files: readonly PageFile[];
}

export function shownOf({ files, ...outline }: Outline): Shown {
  return { ...outline, files: files.map((file) => ({ ...file, model: modelOf(file) })) };
}

/** The queue says something else against a proposal than the page; a queue for which nobody has looked says nothing. */
export function isOtherProblem(
  { id, problem }: Shown,
  queue: readonly QueueItem[],
  before: readonly QueueItem[] = [],
): boolean {
  const [now, had] = [queue, before].map((items) => items.find((one) => one.id === id)?.problem);
  return now !== problem && (now ?? had) !== undefined;
}

function modelOf({ path, line, added, removed, hunks }: OutlineFile): ReviewedFile | undefined {
  if (path === undefined) return undefined;
  const places = hunks.map((hunk) => ({ number: hunk.number, places: hunk.places, rows: [] }));
  return { path, absolute: path, line, added, removed, hunks: places };
}
