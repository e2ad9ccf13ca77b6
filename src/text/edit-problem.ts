/**
 * Why an edit was not made, as data that lets the caller repair it in one step. Messages are the last part of
 * `Cannot edit "a.ts": ...`; the tool puts the first part before them, because only it knows the path.
 */

export interface EditProblem {
  readonly code: "no_match" | "ambiguous" | "overlap" | "placeholder" | "empty_old_text";
  /** 0-based index of the edit. */
  readonly edit: number;
  readonly message: string;
  readonly hint: string;
  /** 1-based, ascending: where the old text stands (ambiguous, overlap), at most 20. */
  readonly lines?: number[];
  readonly nearest?: NearestText;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The place most like the old text: its first line (1-based), its own text, and how alike it is, 0 to 1. */
export interface NearestText {
  readonly line: number;
  readonly text: string;
  readonly similarity: number;
}

/** How a message speaks of one edit: only numbered when there are several. */
export function nameOf(what: "old text" | "new text", edit: number, edits: number): string {
  return edits > 1 ? `the ${what} of edits[${edit}]` : `the ${what}`;
}
