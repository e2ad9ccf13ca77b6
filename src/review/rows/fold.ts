/**
 * Which files are folded at first, because a program wrote them: lock files, minified and generated ones. They are never
 * omitted: the fold says how many lines it has, opens with a key, and what was not opened counts as not seen.
 */
import type { ReviewedFile } from "../load-review.ts";

/** @returns why the file is folded at first, in words; `undefined`: it is shown */
export function foldedBecause({ path, hunks }: Pick<ReviewedFile, "path" | "hunks">): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (LOCK_NAME.test(name)) return "a lock file";
  if (MADE_NAME.test(name)) return "a generated file";
  const first = hunks[0]?.rows.slice(0, HEAD_ROWS) ?? [];
  if (first.some(({ raw }) => GENERATED.test(raw.slice(0, MAX_LOOKED_AT)))) return "a generated file";
  const rows = hunks.flatMap((hunk) => hunk.rows);
  const longest = rows.reduce((most, { raw }) => Math.max(most, raw.length), 0);
  return longest > MINIFIED_CHARS ? "a file with very long lines" : undefined;
}

const LOCK_NAME =
  /^(?:.*[-_.]lock(?:\.[a-z]+)?|.*\.lockb?|npm-shrinkwrap\.json|go(?:\.work)?\.sum|package\.resolved|gradle\.lockfile)$/i;
const MADE_NAME = /\.(?:min\.(?:js|css|mjs)|map|snap|pb\.go|g\.dart|designer\.cs)$/i;
const GENERATED = /@generated|\bDO NOT EDIT\b|\bautomatically generated\b|\bauto-generated\b/i;
/** The head of a file, where generators put their note. */
const HEAD_ROWS = 12;
const MAX_LOOKED_AT = 400;
const MINIFIED_CHARS = 5000;
