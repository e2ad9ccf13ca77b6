/**
 * The outline of a proposal, which the page gets before any of its lines: what it is about, its files, and where their hunks
 * begin. The browser and the server both know it.
 */
import type { ProposalReview } from "../review/index.ts";

/** Lines that are fetched together. */
export const BLOCK_LINES = 25;
/** Blocks of the first file that come with the outline: what is on the screen at once. */
export const FIRST_BLOCKS = 3;

export interface OutlineHunk {
  readonly number: number;
  readonly places: readonly string[];
  /** The line of its head, from 0. */
  readonly at: number;
}

export interface OutlineFile {
  /** As it is decided about; `undefined` for the sheet, which says in words what has no rows. */
  readonly path: string | undefined;
  /** What happens to it, to be shown. */
  readonly line: string;
  readonly shown: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: number;
  readonly hunks: readonly OutlineHunk[];
  /** Why it is folded at first, because a program wrote it; nothing of it is left out. */
  readonly folded: string | undefined;
}

export interface Outline extends Pick<
  ProposalReview,
  "label" | "id" | "tool" | "risk" | "createdAt" | "expiresAt" | "isCall"
> {
  readonly summary: string;
  readonly client: string;
  readonly warnings: readonly string[];
  readonly problem: string | undefined;
  readonly files: readonly OutlineFile[];
}
