/**
 * The search behind a replacement. Its code is loaded when the first replacement is asked for.
 */
import type { ToolArguments } from "../calls/index.ts";
import type { LegacyEncoding, TextSpan } from "../text/index.ts";
import type { SearchContext } from "./context.ts";
import type { GrepAnswer } from "./grep/grep-answer.ts";

export type ReplaceOptions = Omit<ToolArguments["replace"], "dry_run" | "expect"> & {
  /** The code page of files that are not Unicode. */
  readonly legacy?: LegacyEncoding | undefined;
};

export interface FileReplacements {
  /** As it is shown. */
  readonly path: string;
  /** The sha256 of the content that the matches were found in. */
  readonly seen: string;
  /** In order and apart, in bytes of the text as UTF-8 without a byte order mark. */
  readonly spans: readonly TextSpan[];
}

/** A file that matches and is not changed. */
export interface LeftFile {
  readonly path: string;
  readonly why: string;
}

export interface FoundReplacements {
  /** One file was asked for by its name, or by that of a link to it. */
  readonly isNamed: boolean;
  /** Files that would be another text, in the order of their paths. */
  readonly files: readonly FileReplacements[];
  readonly left: readonly LeftFile[];
  /** The first matches. */
  readonly first: readonly { readonly path: string; readonly line: number }[];
  readonly matches: number;
  /** Matches of nothing. */
  readonly empty: number;
  readonly totals: GrepAnswer["totals"];
  /** What would have matched, where nothing did. */
  readonly hint?: string;
}

/** @throws Failure */
export async function findReplacements(ctx: SearchContext, options: ReplaceOptions): Promise<FoundReplacements> {
  const { findReplacements: find } = await import("./replace/find-replacements.ts");
  return await find(ctx, options);
}
