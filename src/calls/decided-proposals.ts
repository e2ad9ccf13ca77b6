/**
 * What a person decides about a proposal: which parts of it, what they say with it, and what comes of it.
 */
import type { FailureData } from "./failure.ts";

/** One file of a proposal or of what was applied. */
export interface ChangedFile {
  readonly operation: string;
  /** As the tool was told. */
  readonly path: string;
  readonly absolute: string;
  /** The source of a move or copy. */
  readonly source?: string;
  readonly diff?: string;
  readonly diff_truncated?: boolean;
  /** The diff has a part of a private key in it; what a model is told of it has none. */
  readonly tells_secrets?: true;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** SHA-256 of the content afterwards. */
  readonly hash?: string;
}

/** What a person says about a part of a proposal. The model reads it with the decision. */
export interface ReviewComment {
  /** The file, as the proposal names it; absent: it is about the proposal as a whole. */
  readonly path?: string | undefined;
  /** The line, from 1; absent: it is about the file as a whole. */
  readonly line?: number | undefined;
  /** The last line of a range that begins with `line`; absent: it is about that line alone. */
  readonly to?: number | undefined;
  /** Whether `line` counts in the text before or after the change. Default: after. */
  readonly side?: "before" | "after" | undefined;
  /** The line itself, so that the comment can be understood when the numbers have moved. */
  readonly quote?: string | undefined;
  readonly text: string;
}

/** What a person says with a decision. */
export interface ReviewWords {
  readonly comments?: readonly ReviewComment[] | undefined;
}

/** A hunk by its number, from 1; or one of the places of change in it: `"2.1"` is the first of hunk 2. */
export type HunkName = number | string;

/** Which parts of a proposal are applied; all of it when neither files nor hunks are given. */
export interface ProposalParts extends ReviewWords {
  /** As the proposal shows them, or absolute. */
  readonly files?: readonly string[] | undefined;
  /** By file: the hunks of its diff. */
  readonly hunks?: Readonly<Record<string, readonly HunkName[]>> | undefined;
}

/** A part of a proposal that was not applied; without hunks, the whole file. */
export interface LeftOut {
  readonly path: string;
  readonly operation: string;
  readonly hunks?: readonly HunkName[];
}

/** A proposal that was applied. */
export interface AppliedProposal {
  readonly id: string;
  readonly status: "applied";
  /** What `history.undo` takes. */
  readonly transaction: string;
  readonly summary?: string;
  /** Absent for a tool that works by itself. */
  readonly files?: readonly ChangedFile[];
  readonly left_out?: readonly LeftOut[];
  /** What the tool answered, when it works by itself or starts a program. */
  readonly result?: unknown;
}

/** A call that a person approved, which the host makes that waits for it. */
export interface PassedProposal {
  readonly id: string;
  readonly status: "approved";
}

/** One of several that were to be applied, and could not. */
export interface FailedProposal {
  readonly id: string;
  readonly status: "failed";
  readonly failure: FailureData;
}

/** A proposal that nobody can apply any more. */
export interface RejectedProposal {
  readonly id: string;
  readonly status: "rejected";
  readonly summary: string;
  readonly reason?: string;
}
