/**
 * What the caller of grep may say, and what it comes to. Bounds are applied here and nowhere later.
 */
import { Failure, limits } from "../../base/index.ts";
import type { ToolArguments } from "../../calls/index.ts";
import { clampLimit } from "../context.ts";
import type { MatcherOptions } from "../engine/matcher.ts";

/** The arguments of the tool, as they come over the wire. */
export type GrepOptions = ToolArguments["grep"];

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
  if (options.max_count !== undefined && options.max_count < 1)
    throw new Failure(
      "invalid_input",
      `Cannot search: max_count is ${options.max_count}, and must be at least 1`,
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
    onlyMatching: options.only_matching === true && options.invert !== true,
    isText: options.binary === "search",
    before: contextLines(options.before ?? options.context),
    after: contextLines(options.after ?? options.context),
    maxCount: options.max_count ?? Infinity,
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
