/**
 * The shape of grep's answer, and the counts that come into it.
 */
import type { Cut } from "../context.ts";
import type { WalkTotals } from "../walk/left-out.ts";
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
  /**
   * Files of which the engine was shown bytes that are not UTF-8; each is a sign to it that only `.` and negated classes
   * match. Literal text is found exactly in any bytes.
   */
  invalid_utf8: number;
  at_least?: true;
}

export interface GrepAnswer extends Cut {
  /** One of the three, by `output`. */
  matches?: GrepMatch[];
  paths?: string[];
  counts?: { path: string; count: number }[];
  totals: GrepTotals;
  engine: "literal" | "rust" | "backtracking";
  /** When nothing was found and a small change of the call would find something. */
  hint?: string;
}

/** What is known of the files that were gone into. */
export interface FileTotals {
  searched: number;
  binary: number;
  tooLarge: number;
  longLines: number;
  unreadable: number;
  invalidUtf8: number;
}

export function noFiles(): FileTotals {
  return { searched: 0, binary: 0, tooLarge: 0, longLines: 0, unreadable: 0, invalidUtf8: 0 };
}

export function addTotals(to: FileTotals, from: FileTotals): void {
  to.searched += from.searched;
  to.binary += from.binary;
  to.tooLarge += from.tooLarge;
  to.longLines += from.longLines;
  to.unreadable += from.unreadable;
  to.invalidUtf8 += from.invalidUtf8;
}

/** @param walked what the walk had seen when the last of the files was taken from it */
export function grepTotals(
  files: FileTotals,
  walked: WalkTotals,
  found: { readonly files: number; readonly matches: number },
  isPartial: boolean,
): GrepTotals {
  const { files: _files, directories: _directories, ...left } = walked;
  return {
    files_searched: files.searched,
    files_matched: found.files,
    matches: found.matches,
    ...left,
    unreadable: left.unreadable + files.unreadable,
    binary: files.binary,
    too_large: files.tooLarge,
    long_lines: files.longLines,
    invalid_utf8: files.invalidUtf8,
    ...(isPartial ? { at_least: true as const } : {}),
  };
}
