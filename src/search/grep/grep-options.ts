/**
 * What the caller of grep may say, and what it comes to. Bounds are applied here and nowhere later.
 */
import { Failure, limits } from "../../base/index.ts";
import { clampLimit } from "../context.ts";
import type { FileFilterOptions } from "../walk/file-filter.ts";
import type { MatcherOptions } from "../engine/matcher.ts";

/** Member names are those of the wire in camel case; ripgrep's flags in brackets. */
export interface GrepOptions extends FileFilterOptions {
  readonly pattern: string;
  /** A directory, or one file. */
  readonly path?: string | undefined;
  /** The pattern is text (-F). */
  readonly literal?: boolean | undefined;
  /** Default `sensitive`. */
  readonly case?: "smart" | "sensitive" | "insensitive" | undefined;
  /** Whole words (-w), whole lines (-x). */
  readonly word?: boolean | undefined;
  readonly line?: boolean | undefined;
  /** Matches may span lines (-U); `.` matches a line feed (--multiline-dotall). */
  readonly multiline?: boolean | undefined;
  readonly dotall?: boolean | undefined;
  /** Lines that do not match (-v). */
  readonly invert?: boolean | undefined;
  /** Lines of context (-B, -A, -C). */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly context?: number | undefined;
  readonly output?: "content" | "files" | "count" | undefined;
  /** Default `auto`: the backtracking one (-P) only for look-around and back-references. */
  readonly engine?: "auto" | "rust" | "backtracking" | undefined;
  /** The matches instead of their lines (-o). */
  readonly onlyMatching?: boolean | undefined;
  /** Matching lines of one file (-m). */
  readonly maxCount?: number | undefined;
  /** `search`: a file with NUL bytes is text like any other (-a). Default `skip`. */
  readonly binary?: "skip" | "search" | undefined;
  /** Links that lead inside the root (-L). */
  readonly follow?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly noIgnore?: boolean | undefined;
}

export interface GrepPlan extends MatcherOptions {
  readonly output: "content" | "files" | "count";
  readonly invert: boolean;
  readonly onlyMatching: boolean;
  /** NUL bytes mean nothing. */
  readonly isText: boolean;
  readonly before: number;
  readonly after: number;
  readonly maxCount: number;
  readonly limit: number;
  /** The limit that the call named. */
  readonly asked: number | undefined;
}

/** More is reading, and read_file does that. */
const MAX_CONTEXT_LINES = 100;

/** @throws Failure `invalid_input` */
export function resolveGrep(options: GrepOptions): GrepPlan {
  const output = options.output ?? "content";
  const multiline = options.multiline === true;
  if (options.maxCount !== undefined && options.maxCount < 1)
    throw new Failure(
      "invalid_input",
      `Cannot search: max_count is ${options.maxCount}, and must be at least 1`,
    );
  return {
    pattern: options.pattern,
    literal: options.literal === true,
    case: options.case ?? "sensitive",
    word: options.word === true,
    line: options.line === true,
    multiline,
    dotall: multiline && options.dotall === true,
    engine: options.engine ?? "auto",
    output,
    invert: options.invert === true,
    onlyMatching: options.onlyMatching === true && options.invert !== true,
    isText: options.binary === "search",
    before: contextLines(options.before ?? options.context),
    after: contextLines(options.after ?? options.context),
    maxCount: options.maxCount ?? Infinity,
    asked: options.limit,
    limit:
      output === "content"
        ? clampLimit(options.limit, limits.MAX_GREP_MATCHES)
        : clampLimit(options.limit ?? limits.USUAL_PATHS, limits.MAX_PATHS),
  };
}

function contextLines(asked: number | undefined): number {
  return Math.max(0, Math.min(Math.trunc(asked ?? 0), MAX_CONTEXT_LINES));
}
