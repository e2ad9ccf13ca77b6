/**
 * All that the screen shows and a key can change, as one value. Keys make a new one of it (`press-key.ts`), drawing reads it
 * (`draw-screen.ts`), and what takes time or touches anything is a wish that `screen-run.ts` carries out.
 */
import type { ListedProposal, ReviewComment } from "../../calls/index.ts";
import {
  filterQueue,
  reviewLines,
  type Around,
  type Batch,
  type DiffRow,
  type HistoryEntry,
  type ProposalReview,
  type ReviewChoices,
  type ReviewLine,
  type RuleSheet,
  type ShownHunk,
} from "../../review/index.ts";
import type { SpanLine } from "./draw/spans.ts";
import type { Keymap } from "./keys/keymap.ts";
import type { Theme } from "./draw/themes.ts";

export interface ScreenState {
  readonly columns: number;
  readonly rows: number;
  readonly theme: Theme;
  readonly keymap: Keymap;
  /** For a screen reader: words in the place of signs, and nothing beside another thing. */
  readonly isSpoken: boolean;
  readonly isWrapped: boolean;
  /** Every blank is a sign, and not only those that one misses. */
  readonly showsBlanks: boolean;
  /** Keys that decide do not count just now. */
  readonly isGuarded: boolean;
  readonly proposals: readonly ListedProposal[];
  /** Their ids in the order in which one goes through them. */
  readonly order: readonly string[];
  /** The id of the proposal that the reader is at. */
  readonly selected: string | undefined;
  readonly open: OpenProposal | undefined;
  readonly mode: ScreenMode;
  readonly message: ScreenMessage | undefined;
  /** What was looked for last. */
  readonly find: string;
  /** Words that a proposal must have to be in the list. */
  readonly filter: string;
  /** The transactions that were applied here. */
  readonly own: ReadonlySet<string>;
}

export interface ScreenMessage {
  readonly text: string;
  readonly isWarning: boolean;
}

/** The proposal that is on the screen. */
export interface OpenProposal {
  readonly review: ProposalReview;
  readonly choices: ReviewChoices;
  readonly lines: readonly ReviewLine[];
  /** Paths of files that are folded at first and were opened. */
  readonly opened: ReadonlySet<string>;
  /** By the path of a file: what is shown of it around its hunks. */
  readonly around: ReadonlyMap<string, Around>;
  /** Hunks whose places are decided one by one. */
  readonly split: ReadonlySet<ShownHunk>;
  /** The reader's line, and in a wrapped line its row. */
  readonly at: LinePosition;
  /** The first row of the window. */
  readonly top: LinePosition;
  /** The first column, where lines are not wrapped. */
  readonly left: number;
  /** Where a range begins that a comment is to be about. */
  readonly from: number | undefined;
  /** By hunk: the rows that were on the screen. A book that is written on: a copy at every key would cost more than the key. */
  readonly shown: Map<ShownHunk, Set<DiffRow>>;
}

export interface LinePosition {
  readonly line: number;
  readonly row: number;
}

export type ScreenMode =
  | { readonly kind: "read" }
  | TextMode
  | ConfirmMode
  | SheetMode
  | { readonly kind: "history"; readonly entries: readonly HistoryEntry[]; readonly at: number }
  | { readonly kind: "rule"; readonly sheet: RuleSheet };

/** The reader types. */
export interface TextMode {
  readonly kind: "text";
  readonly purpose: "reject" | "comment" | "find" | "filter" | "rule";
  readonly label: string;
  readonly text: string;
  /** What the comment is about. */
  readonly about?: Omit<ReviewComment, "text">;
  /** The sheet whose rule is edited. */
  readonly sheet?: RuleSheet;
}

/** Asked once more; only `y` does it. */
export interface ConfirmMode {
  readonly kind: "confirm";
  readonly title: string;
  readonly lines: readonly string[];
  readonly top: number;
  readonly wish: ScreenWish;
}

/** Lines to read, without a question. */
export interface SheetMode {
  readonly kind: "sheet";
  readonly title: string;
  readonly lines: readonly (string | SpanLine)[];
  readonly top: number;
}

/** What a key asks for that is more than another look. */
export type ScreenWish =
  | { readonly kind: "apply"; readonly open: OpenProposal }
  | { readonly kind: "reject"; readonly open: OpenProposal; readonly reason: string }
  | { readonly kind: "batch"; readonly batch: Batch }
  | { readonly kind: "offer-batch" }
  | { readonly kind: "history" }
  | { readonly kind: "offer-undo"; readonly transaction: string | undefined }
  | { readonly kind: "undo"; readonly transaction: string }
  | { readonly kind: "cover"; readonly sheet: RuleSheet }
  | { readonly kind: "grant"; readonly sheet: RuleSheet }
  | { readonly kind: "compare"; readonly open: OpenProposal }
  | { readonly kind: "edit"; readonly open: OpenProposal; readonly path: string; readonly line: number }
  | { readonly kind: "around"; readonly open: OpenProposal; readonly path: string; readonly count: number }
  | { readonly kind: "look"; readonly path: string; readonly line: number }
  | { readonly kind: "redraw" | "stop" | "leave" };

/** What comes of a wish; a function where it depends on what the reader did meanwhile. */
export type StateChange = Partial<ScreenState> | ((now: ScreenState) => Partial<ScreenState>);

/** What a key makes of the screen. */
export interface Pressed {
  readonly state: ScreenState;
  readonly wish?: ScreenWish;
}

export const READING: ScreenMode = { kind: "read" };

export function openProposal(review: ProposalReview, choices: ReviewChoices): OpenProposal {
  const opened = new Set<string>();
  const lines = reviewLines(review, opened, choices.comments);
  const line = Math.min(choices.scroll ?? 0, lines.length - 1);
  const at = { line, row: 0 };
  // Who comes back sees some lines above the one that they were at.
  const top = { line: Math.max(0, line - LINES_ABOVE), row: 0 };
  const looked = { split: new Set<ShownHunk>(), around: new Map<string, Around>(), left: 0, from: undefined };
  return { review, choices, lines, opened, at, top, ...looked, shown: new Map() };
}

const LINES_ABOVE = 6;

/** Makes the lines anew after something changed what they are; the reader stays where they were. */
export function withLines(open: OpenProposal, change: Partial<OpenProposal>): OpenProposal {
  const next = { ...open, ...change };
  const lines = reviewLines(next.review, next.opened, next.choices.comments, next.around);
  const before = open.lines[open.at.line];
  const same = before && before.kind !== "comment" ? lines.findIndex((line) => isSameLine(line, before)) : -1;
  const line = Math.max(0, same < 0 ? Math.min(open.at.line, lines.length - 1) : same);
  return { ...next, lines, at: { line, row: same < 0 ? 0 : open.at.row } };
}

function isSameLine(a: ReviewLine, b: ReviewLine): boolean {
  if (a.kind === "row") return b.kind === "row" && a.row === b.row;
  if (a.kind === "around") return b.kind === "around" && a.file === b.file && a.row.new === b.row.new;
  if (a.kind === "hunk") return b.kind === "hunk" && a.hunk === b.hunk;
  // What was folded opens below its file.
  if (a.kind === "file") return (b.kind === "file" || b.kind === "fold") && a.file === b.file;
  return a.kind === b.kind && a.kind !== "comment" && b.kind !== "comment" && a.kind !== "fold" && a.text === textOf(b);
}

function textOf(line: ReviewLine): string | undefined {
  return line.kind === "row" || line.kind === "around" ? undefined : line.text;
}

/** What of all that waits is in the list. */
export function listedOf({ proposals, filter }: Pick<ScreenState, "proposals" | "filter">): ScreenState["proposals"] {
  return filterQueue(proposals, filter);
}

export function told(state: ScreenState, text: string, isWarning = false): ScreenState {
  return { ...state, message: { text, isWarning } };
}
