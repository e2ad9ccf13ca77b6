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
import { parseBeginPatch } from "./parse-begin.ts";
import { parseSearchReplace } from "./parse-search-replace.ts";
import { parseUnified } from "./parse-unified.ts";
import { detectDialect, splitPatch, withoutCarriageReturns, type PatchLine } from "./build-hunk.ts";
import {
  createPatchNotes,
  PatchRefusal,
  refusal,
  type AddFile,
  type FilePatch,
  type ParsedPatch,
  type PatchNotes,
  type PatchProblem,
  type Section,
  type UpdateFile,
} from "./model.ts";
import { unwrapPatch } from "./unwrap.ts";

export function parsePatch(text: string): ParsedPatch | PatchProblem {
  try {
    return readPatch(text);
  } catch (thrown) {
    if (thrown instanceof PatchRefusal) return thrown.problem;
    throw thrown;
  }
}

function readPatch(text: string): ParsedPatch {
  const notes = createPatchNotes();
  const split = splitPatch(unwrapPatch(text, notes));
  const found = detectDialect(split);
  if (!found) throw notAPatch(split);
  const isCrlf = split[found.first]?.text.endsWith("\r") === true;
  const lines = isCrlf ? withoutCarriageReturns(split) : split;
  const sections = PARSERS[found.dialect](lines, found.first, notes);
  const files = mergeSections(sections, notes);
  if (files.length === 0) throw refusal("no_hunks", found.first + 1, "the patch changes no file", FORMAT_HINT);
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

function notAPatch(lines: readonly PatchLine[]): PatchRefusal {
  const other = lines.find(({ text }) => /^(?:\*{15}|\d+(?:,\d+)?[acd]\d+(?:,\d+)?)\s*$/.test(text));
  if (other) {
    const hint = "Send a unified diff, as `diff -u` and `git diff` make it.";
    return refusal("unsupported", other.at, "this is a context diff or a plain one", hint);
  }
  return refusal("not_a_patch", 1, "no patch begins anywhere in this text", FORMAT_HINT);
}

function mergeSections(sections: readonly Section[], notes: PatchNotes): FilePatch[] {
  const files = new Map<string, FilePatch>();
  const joined = new Map<string, UpdateFile[]>();
  for (const section of sections) {
    const key = keyOf(section.file);
    const before = files.get(key);
    if (!before) files.set(key, section.file);
    else if (before.kind === "update" && section.file.kind === "update") {
      notes.add("Sections of the same file were joined", section.at);
      const parts = joined.get(key);
      if (parts) parts.push(section.file);
      else joined.set(key, [before, section.file]);
    } else files.set(key, replaceFile(before, section, notes));
  }
  joinUpdates(files, joined, sections);
  refuseClash(files, sections);
  return [...files.values()];
}

/** A copy has a key of its own, because it may take the name of a file that goes away. */
function keyOf({ kind, path: named, candidatesForPath: [path = named] = [] }: FilePatch): string {
  const plain = path.startsWith("./") ? path.slice(2) : path;
  return kind === "copy" ? `\0${plain}` : plain;
}

function refuseClash(files: ReadonlyMap<string, FilePatch>, sections: readonly Section[]): void {
  for (const section of sections) {
    const other = section.file.kind === "copy" ? files.get(keyOf(section.file).slice(1)) : undefined;
    const goes = other?.kind === "delete" || (other?.kind === "update" && other.moveTo !== undefined);
    if (other && !goes) throw contradiction(other, section);
  }
}

function replaceFile(before: FilePatch, section: Section, notes: PatchNotes): FilePatch {
  const after = section.file;
  const isPair =
    (before.kind === "delete" && after.kind === "add") || (before.kind === "add" && after.kind === "delete");
  if (!isPair) throw contradiction(before, section);
  notes.add("Delete and add of the same file were read as its replacement", section.at);
  const add = (before.kind === "add" ? before : after) as AddFile;
  return { ...add, kind: "replace" };
}

function contradiction(before: FilePatch, section: Section): PatchRefusal {
  return refusal(
    "conflict",
    section.at,
    `"${section.file.path}" is to be ${PAST[section.file.kind]} here, and ${PAST[before.kind]} in a section above`,
    "Say once what is to happen to each file; all hunks of a file go into one section.",
  );
}

const PAST: Readonly<Record<FilePatch["kind"], string>> = {
  add: "added",
  replace: "replaced",
  delete: "deleted",
  update: "updated",
  copy: "made as a copy",
};

/** Joins all sections of a path at the end, because joining pair by pair is quadratic in a patch of many sections. */
function joinUpdates(
  files: Map<string, FilePatch>,
  joined: ReadonlyMap<string, readonly UpdateFile[]>,
  sections: readonly Section[],
): void {
  for (const [key, parts] of joined) {
    const [first] = parts;
    const moves = new Set(parts.flatMap(({ moveTo }) => moveTo ?? []));
    const modes = new Set(parts.flatMap(({ mode }) => mode ?? []));
    if (moves.size > 1 || modes.size > 1) {
      const last = sections.findLast(({ file }) => keyOf(file) === key);
      const message = `"${key}" is given two different ${moves.size > 1 ? "new paths" : "modes"}`;
      throw refusal("conflict", last?.at ?? 1, message, "Say it once.");
    }
    const [moveTo] = moves;
    const [mode] = modes;
    if (!first) continue;
    files.set(key, {
      ...first,
      hunks: parts.flatMap(({ hunks }) => hunks),
      isJoined: true,
      ...(moveTo === undefined ? {} : { moveTo }),
      ...(mode === undefined ? {} : { mode }),
    });
  }
}
