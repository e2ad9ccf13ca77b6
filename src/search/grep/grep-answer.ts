/**
 * What is asked of a grep, what it answers, and how the answer fills: file by file in path order, until it is full; and where
 * the next one goes on. Bounds are applied to the arguments here and nowhere later.
 */
import { Failure, limits } from "../../base/index.ts";
import type { ToolArguments } from "../../calls/index.ts";
import type { ListedFiles } from "../../scope/index.ts";
import {
  clampLimit,
  type Cut,
  mostResults,
  newRoom,
  type Room,
  type SearchContext,
  sizeOfPath,
  takeOne,
} from "../context.ts";
import type { Matcher, MatcherOptions } from "../engine/matcher.ts";
import type { WalkTotals } from "../walk/read-level.ts";
import type { WindowBuffer } from "./line-windows.ts";

export type GrepOptions = ToolArguments["grep"];

/** The arguments with their defaults and bounds. */
export interface GrepPlan extends GrepOptions {
  readonly case: MatcherOptions["case"];
  readonly engine: MatcherOptions["engine"];
  readonly output: "content" | "files" | "count";
  readonly before: number;
  readonly after: number;
  readonly max_count: number;
  readonly limit: number;
  readonly skip: number;
  readonly asked: number | undefined;
}

/** More is reading, and read_file does that. */
const MAX_CONTEXT_LINES = 100;

/** @throws Failure `invalid_input` */
export function resolveGrep(options: GrepOptions): GrepPlan {
  const { output = "content", multiline = false, max_count = Infinity, limit } = options;
  if (max_count < 1)
    throw new Failure("invalid_input", `Cannot search: max_count is ${max_count}, and must be at least 1`);
  return {
    ...options,
    case: options.case ?? "sensitive",
    engine: options.engine ?? "auto",
    dotall: multiline && options.dotall === true,
    only_matching: options.only_matching === true && options.invert !== true,
    output,
    before: contextLines(options.before ?? options.context),
    after: contextLines(options.after ?? options.context),
    max_count,
    skip: options.skip ?? 0,
    asked: limit,
    limit:
      output === "content"
        ? clampLimit(limit, limits.MAX_GREP_MATCHES)
        : clampLimit(limit ?? limits.USUAL_PATHS, limits.MAX_PATHS),
  };
}

function contextLines(asked: number | undefined): number {
  return Math.max(0, Math.min(Math.trunc(asked ?? 0), MAX_CONTEXT_LINES));
}

export interface GrepRun {
  readonly ctx: SearchContext;
  readonly plan: GrepPlan;
  readonly matcher: Matcher;
  readonly buffer: WindowBuffer;
  readonly files: ListedFiles;
  readonly totals: FileTotals;
  /** Called for every window with its size. */
  readonly onBytes: (count: number) => void;
}

export interface ContextLine {
  line: number;
  text: string;
  cut?: true;
}

export interface GrepMatch {
  path: string;
  /** 1-based; `column` in UTF-8 bytes, as ripgrep counts. */
  line: number;
  column: number;
  /** The line without its end, or the match with `only_matching`. */
  text: string;
  end_line?: number;
  before?: ContextLine[];
  after?: ContextLine[];
  /** `text` is only the part around the match. */
  cut?: true;
}

export interface GrepTotals extends Omit<WalkTotals, "files" | "directories"> {
  files_searched: number;
  files_matched: number;
  /** Matching lines (matches with `only_matching`), returned or not. */
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
  engine: Matcher["engine"];
  /** How many results were passed over, where the call asked for that. */
  skipped?: number;
  hint?: string;
}

/** What is known of the files that were gone into. */
export type FileTotals = Record<(typeof COUNTED)[number], number>;

const COUNTED = ["files_searched", "binary", "too_large", "long_lines", "unreadable", "invalid_utf8"] as const;

export function noFiles(): FileTotals {
  return { files_searched: 0, binary: 0, too_large: 0, long_lines: 0, unreadable: 0, invalid_utf8: 0 };
}

export function addTotals(to: FileTotals, from: FileTotals): void {
  for (const name of COUNTED) to[name] += from[name];
}

/** @param walked what the walk had seen when the last of the files was taken from it */
export function grepTotals(
  { files_searched, unreadable, ...files }: FileTotals,
  { files: _files, directories: _directories, ...left }: WalkTotals,
  found: { readonly files: number; readonly matches: number },
  isPartial: boolean,
): GrepTotals {
  return {
    files_searched,
    files_matched: found.files,
    matches: found.matches,
    ...left,
    unreadable: left.unreadable + unreadable,
    ...files,
    ...(isPartial ? { at_least: true as const } : {}),
  };
}

export interface FileFound {
  readonly end: FileEnd;
  /** For output `content`. */
  readonly matches: GrepMatch[];
  /** For the other outputs: matching lines, or matches. A file with 0 is not listed. */
  readonly count: number;
}

export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/** What became of the file: searched to its end; cut because the answer is full; or stopped from outside. */
export type FileEnd = "done" | "full" | "stopped";

export function sizeOf({ path, text, before = [], after = [] }: GrepMatch): number {
  const lines = [text, ...before.map((line) => line.text), ...after.map((line) => line.text)];
  return lines.reduce((sum, line) => sum + sizeOfPath(path) + Buffer.byteLength(line), 0);
}

/** Where a search goes on: after this file; with a place, after that match in it. */
export interface GrepPlace {
  readonly rel: string;
  readonly at?: FilePlace;
}

export class GrepFound {
  readonly #plan: GrepPlan;
  readonly #asked: GrepPlace | undefined;
  readonly #matches: GrepMatch[] = [];
  readonly #counts: { path: string; count: number }[] = [];
  readonly #room: Room;
  files = 0;
  matches = 0;
  next: GrepPlace;

  /** @param asked where this search itself began */
  constructor(ctx: SearchContext, plan: GrepPlan, asked: GrepPlace | undefined) {
    this.#plan = plan;
    this.#asked = asked;
    this.#room = newRoom(ctx, plan.asked, mostResults(ctx, plan.limit), plan.skip);
    this.next = asked ?? { rel: "" };
  }

  /** A copy, to be used up by the search of one file. */
  get room(): Room {
    return { ...this.#room };
  }

  /** Nothing of the file is missing. */
  pass(rel: string): void {
    this.next = { rel };
  }

  /** @param path as it is shown */
  add(rel: string, path: string, found: FileFound): FileEnd {
    if (this.#plan.output !== "content") return this.#addCount(rel, path, found);
    let last: GrepMatch | undefined;
    let { end } = found;
    for (const match of found.matches) {
      const isPassed = this.#room.skip > 0;
      if (!takeOne(this.#room, sizeOf(match))) {
        end = "full";
        break;
      }
      if (!isPassed) this.#matches.push(match);
      last = match;
    }
    if (last) this.files++;
    if (end === "done") this.next = { rel };
    else if (last) this.next = { rel, at: { line: last.line, column: last.column } };
    else this.next = this.#asked?.rel === rel && this.#asked.at ? this.#asked : { rel, at: { line: 0, column: 0 } };
    this.matches = this.#matches.length;
    return end;
  }

  /** Only whole files are counted: one that was not finished is searched again for the next page. */
  #addCount(rel: string, path: string, { end, count }: FileFound): FileEnd {
    if (end !== "done") return end;
    if (count > 0) {
      const isPassed = this.#room.skip > 0;
      if (!takeOne(this.#room, sizeOfPath(path))) return "full";
      if (!isPassed) this.#counts.push({ path, count });
      this.files++;
      this.matches += count;
    }
    this.next = { rel };
    return "done";
  }

  results(): Pick<GrepAnswer, "matches" | "paths" | "counts" | "skipped"> {
    const { output, skip } = this.#plan;
    const skipped = skip === 0 ? {} : { skipped: skip - this.#room.skip };
    if (output === "content") return { matches: this.#matches, ...skipped };
    if (output === "count") return { counts: this.#counts, ...skipped };
    return { paths: this.#counts.map(({ path }) => path), ...skipped };
  }
}
