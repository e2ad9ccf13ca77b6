/**
 * The shape of grep's answer, and the counts that it keeps while it runs.
 */
import type { Cut } from "./context.ts";
import type { LeftOut, WalkTotals } from "./left-out.ts";
import type { ContextLine } from "./line-context.ts";

export interface GrepMatch {
  path: string;
  /** 1-based; `column` in UTF-8 bytes, as ripgrep counts. */
  line: number;
  column: number;
  /** The line without its end, or the match with `onlyMatching`. */
  text: string;
  /** The last line, when a match spans several. */
  end_line?: number;
  before?: ContextLine[];
  after?: ContextLine[];
  /** `text` is only the part around the match. */
  cut?: true;
}

export interface GrepTotals extends Omit<WalkTotals, "files" | "directories"> {
  files_searched: number;
  files_matched: number;
  /** Matching lines (matches with `onlyMatching`), returned or not. */
  matches: number;
  binary: number;
  too_large: number;
  /** Lines of more than 16 MiB, searched in overlapping pieces: a match longer than 64 KiB may be missed there. */
  long_lines: number;
  at_least?: true;
}

export interface GrepAnswer extends Cut {
  /** One of the three, by `output`. */
  matches?: GrepMatch[];
  paths?: string[];
  counts?: { path: string; count: number }[];
  totals: GrepTotals;
  engine: "literal" | "rust";
}

export class GrepCount {
  filesSearched = 0;
  filesMatched = 0;
  matches = 0;
  binary = 0;
  tooLarge = 0;
  longLines = 0;
  unreadable = 0;

  totals(leftOut: LeftOut, isPartial: boolean): GrepTotals {
    const { files: _files, directories: _directories, ...left } = leftOut.totals();
    return {
      files_searched: this.filesSearched,
      files_matched: this.filesMatched,
      matches: this.matches,
      ...left,
      unreadable: left.unreadable + this.unreadable,
      binary: this.binary,
      too_large: this.tooLarge,
      long_lines: this.longLines,
      ...(isPartial ? { at_least: true as const } : {}),
    };
  }
}
