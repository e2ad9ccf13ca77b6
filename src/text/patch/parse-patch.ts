/**
 * Reads a patch, generously: three dialects, and the wrappers, missing signs and wrong counts that models produce. What
 * was taken liberally is said in `tolerances`; what could mean two things, or would damage a file, is refused with its
 * line, the reason and the fix. Placing the hunks is strict, and another matter (`applyHunks`).
 *
 * Sections of the same path are joined, and their hunks all meant against the original file. Paths are as written:
 * nothing here knows whether they exist or may be touched.
 *
 * Usual mistake: being generous in placing instead, which changes the wrong lines without a word.
 */
import { mergeSections } from "./merge-sections.ts";
import { parseBeginPatch } from "./parse-begin-patch.ts";
import { parseSearchReplace } from "./parse-search-replace.ts";
import { parseUnified } from "./parse-unified.ts";
import { detectDialect, splitPatch, withoutCarriageReturns, type PatchLine } from "./patch-lines.ts";
import { isProblem, patchProblem, type ParsedPatch, type PatchProblem } from "./patch-model.ts";
import { createPatchNotes } from "./patch-notes.ts";
import { unwrapPatch } from "./unwrap-patch.ts";

export function parsePatch(text: string): ParsedPatch | PatchProblem {
  const notes = createPatchNotes();
  const inner = unwrapPatch(text, notes);
  if (typeof inner !== "string") return inner;
  const split = splitPatch(inner);
  const found = detectDialect(split);
  if (!found) return notAPatch(split);
  const isCrlf = split[found.first]?.text.endsWith("\r") === true;
  const lines = isCrlf ? withoutCarriageReturns(split) : split;
  const sections = PARSERS[found.dialect](lines, found.first, notes);
  if (isProblem(sections)) return sections;
  const files = mergeSections(sections, notes);
  if (isProblem(files)) return files;
  if (files.length === 0) {
    return patchProblem("no_hunks", found.first + 1, "the patch changes no file", FORMAT_HINT);
  }
  return { kind: "patch", dialect: found.dialect, files, tolerances: notes.sentences() };
}

const PARSERS = {
  begin_patch: parseBeginPatch,
  unified: parseUnified,
  search_replace: parseSearchReplace,
};

const FORMAT_HINT =
  'Start with "*** Begin Patch", then "*** Update File: path", "@@" and lines signed " ", "-" or "+", and end with ' +
  '"*** End Patch". A unified diff or SEARCH/REPLACE blocks are read too.';

function notAPatch(lines: readonly PatchLine[]): PatchProblem {
  const other = lines.find(({ text }) => /^(?:\*{15}|\d+(?:,\d+)?[acd]\d+(?:,\d+)?)\s*$/.test(text));
  if (other) {
    const hint = "Send a unified diff, as `diff -u` and `git diff` make it.";
    return patchProblem("unsupported", other.at, "this is a context diff or a plain one", hint);
  }
  return patchProblem("not_a_patch", 1, "no patch begins anywhere in this text", FORMAT_HINT);
}
