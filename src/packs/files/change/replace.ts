/**
 * A regular expression replaced in all files of a tree: one change with a diff of each file, and never more than was asked
 * for. Where a change would be made at once, the first call only shows it.
 */
import * as z from "zod";
import { Failure, limits } from "../../../base/index.ts";
import { defineTool, type ChangeTool, type SearchApi, type Target } from "../../../contract/index.ts";
import { count } from "../../../text/index.ts";
import * as fields from "../../fields.ts";
import { flag, patternFields } from "../pattern-fields.ts";
import { describeSkipped } from "../read/search-totals.ts";
import { editFile } from "./edit-file.ts";

export const replace: ChangeTool = defineTool({
  name: "replace",
  title: "Replace in files",
  summary:
    "Replaces what a regular expression matches, in one file or in all files of a directory: all of it or nothing. The pattern and the choice of files are those of grep. In the replacement $1 and ${name} are groups, $0 is the match and $$ a dollar sign. Answers a diff of each file. With expect the call fails, and changes nothing, unless exactly that many places match. Files that are ignored, binary, generated or too large are left and counted. Nothing else of a file changes.",
  aliases: ["replace_in_files"],
  effect: "change",
  destructive: true,
  timeoutMs: limits.LONG_CALL_MS,
  input: () =>
    z.strictObject({
      ...patternFields(),
      replacement: z.string().describe("The replacement for each match. With literal: true, $ has no special meaning."),
      hidden: fields.hidden(),
      no_ignore: flag("Also files that ignore files and the default skips leave out, and generated ones."),
      expect: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe("How many matches there must be in all; with another number the call fails and changes nothing."),
      dry_run: flag(
        "true: only show the change. false: make it where no approval is needed. Default: propose it, or only show it where it would be made at once.",
      ),
    }),
  output: () =>
    fields.changeResult().extend({
      status: z.enum(["proposed", "applied", "unchanged", "tried"]),
      matches: z.number().optional(),
      empty_matches: z.number().optional(),
      left: z.array(z.looseObject({ path: z.string(), why: z.string() })).optional(),
      totals: z.record(z.string(), z.unknown()).optional(),
    }),
  access: (input) => accessOf(input),
  // Every file that it changes is edited.
  parts: (input) => [
    { tools: [{ name: editFile.name, aliases: editFile.aliases, isSection: true }], access: accessOf(input) },
  ],
  async plan({ expect, dry_run, ...asked }, ctx) {
    const found = await ctx.search.replacements(asked);
    const { isNamed, files, matches, empty, left, totals } = found;
    if (matches === 0 && empty > 0) throw matchesNothing(asked.pattern);
    if (expect !== undefined && expect !== matches) throw unexpected(asked.pattern, expect, found);
    return {
      changes: files.map((file) => ({ op: "replace", ...file, ...(isNamed ? { named: asked.path } : {}) })),
      told: { notes: notesOf(found), data: { matches, empty_matches: empty, left, totals } },
      dryRun: dry_run === undefined ? "at_once" : dry_run ? "always" : undefined,
    };
  },
});

type Found = Awaited<ReturnType<SearchApi["replacements"]>>;

function accessOf({ path = "." }: { readonly path?: string | undefined }): readonly Target[] {
  return [{ path, mode: "write", deep: true }];
}

function matchesNothing(pattern: string): Failure {
  return new Failure("invalid_input", `Cannot replace ${quoted(pattern)}: it matches the empty text only`, {
    hint: "Write a pattern that matches at least one character.",
  });
}

function unexpected(pattern: string, expected: number, { matches, first }: Found): Failure {
  const places = first.map(({ path, line }) => `${path}:${line}`);
  const where = places.length === 0 ? "" : ` The first are ${places.join(", ")}.`;
  const next =
    matches === 0 ? "Look for the text with grep." : `Narrow the pattern or the files, or give expect: ${matches}.`;
  return new Failure(
    "conflict",
    `Cannot replace ${quoted(pattern)}: there ${matches === 1 ? "is" : "are"} ${count(matches, "match", "matches")}, and expect is ${expected}`,
    { hint: `Nothing is changed.${where} ${next}`, details: { matches, expect: expected, first } },
  );
}

const MAX_QUOTED_CHARS = 200;

function quoted(pattern: string): string {
  return JSON.stringify(pattern.length > MAX_QUOTED_CHARS ? `${pattern.slice(0, MAX_QUOTED_CHARS)}...` : pattern);
}

function notesOf({ matches, files, empty, left, totals, hint }: Found): string[] {
  const isSame = matches > 0 && files.length === 0;
  const where = isSame
    ? ", and the replacement is the same text"
    : files.length > 0
      ? ` in ${count(files.length, "file")}`
      : "";
  const skipped = describeSkipped(totals);
  return [
    `${count(matches, "match", "matches")}${where}.`,
    empty > 0 ? `${count(empty, "match", "matches")} of the empty text are left.` : "",
    left.length > 0 ? `Left as they are, though they match: ${describeLeft(left)}.` : "",
    skipped === "" ? "" : `Not looked into: ${skipped.replace("skipped: ", "")}.`,
    hint ?? "",
  ].filter((note) => note !== "");
}

/** So many files are named; of more, how many there are of each kind. */
const MAX_NAMED = 5;

function describeLeft(left: Found["left"]): string {
  if (left.length <= MAX_NAMED) return left.map(({ path, why }) => `${path} (${why})`).join(", ");
  const kinds = new Map<string, number>();
  for (const { why } of left) kinds.set(why, (kinds.get(why) ?? 0) + 1);
  return [...kinds].map(([why, files]) => `${count(files, "file")} ${why}`).join(", ");
}
