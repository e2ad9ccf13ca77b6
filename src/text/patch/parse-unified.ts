/**
 * Reads unified diffs, plain or from git: names with prefixes, time stamps and quotes, new and deleted files, renames,
 * copies, modes. Text between the files (a mail, a commit message) is ignored and told. Binary parts, links and merges
 * are refused, because a text patch cannot make them.
 *
 * Usual mistake: reading `--- x` as a header inside a hunk, where it removes the line `-- x`.
 */
import { isFileNames, insideFences, isUnifiedStart, type PatchLine } from "./patch-lines.ts";
import { isProblem, patchProblem, type Hunk, type PatchProblem, type Section } from "./patch-model.ts";
import type { PatchNotes } from "./patch-notes.ts";
import { readDiffPath } from "./read-path.ts";
import { finishFile, type DiffFile } from "./finish-diff-file.ts";
import { readUnifiedHunk } from "./read-unified-hunk.ts";

export function parseUnified(
  all: readonly PatchLine[],
  first: number,
  notes: PatchNotes,
): Section[] | PatchProblem {
  const { inside: lines, outside } = insideFences(all, first);
  noteIgnored([...all.slice(0, first), ...outside], notes);
  const files: DiffFile[] = [];
  let next = 0;
  while (next < lines.length) {
    const read = readPart(lines, next, files, notes);
    if (typeof read !== "number") return read;
    next = read;
  }
  const sections: Section[] = [];
  for (const file of files) {
    const section = finishFile(file, notes);
    if (isProblem(section)) return section;
    sections.push(section);
  }
  return sections;
}

/** Reads the names, a hunk, or one other line; gives the index of the next. */
function readPart(
  lines: readonly PatchLine[],
  index: number,
  files: DiffFile[],
  notes: PatchNotes,
): number | PatchProblem {
  const line = lines[index] ?? { text: "", at: 1 };
  const file = files.at(-1);
  if (line.text.startsWith("diff --git ")) {
    files.push({ at: line.at, gitLine: line.text.slice("diff --git ".length), hunks: [] });
    return index + 1;
  }
  if (isFileNames(lines, index)) {
    const names = readNames(lines, index);
    if (isProblem(names)) return names;
    if (file && file.oldName === undefined && file.gitLine !== undefined) Object.assign(file, names);
    else files.push({ at: line.at, hunks: [], ...names });
    return index + 2;
  }
  if (line.text.startsWith("@@@")) {
    const hint = "Send the difference to one parent, as `git diff HEAD^1` gives it.";
    return patchProblem("unsupported", line.at, "this is the combined diff of a merge", hint);
  }
  if (line.text.startsWith("@@")) return readHunks(lines, index, file, notes);
  const problem = readExtended(line, file);
  if (problem === "unknown") noteIgnored([line], notes);
  else if (problem) return problem;
  return index + 1;
}

function readNames(
  lines: readonly PatchLine[],
  index: number,
): { oldName: string; newName: string } | PatchProblem {
  const at = lines[index]?.at ?? 1;
  const oldName = readDiffPath(lines[index]?.text.slice(4) ?? "", at);
  if (typeof oldName !== "string") return oldName;
  const newName = readDiffPath(lines[index + 1]?.text.slice(4) ?? "", at + 1);
  return typeof newName === "string" ? { oldName, newName } : newName;
}

function readHunks(
  lines: readonly PatchLine[],
  index: number,
  file: DiffFile | undefined,
  notes: PatchNotes,
): number | PatchProblem {
  if (!file) {
    const hint = 'Put "--- path" and "+++ path" before the first hunk of each file.';
    return patchProblem("bad_header", lines[index]?.at ?? 1, "the hunk stands under no file names", hint);
  }
  const { hunk, next } = readUnifiedHunk(lines, index, notes);
  if (hunk && isProblem(hunk)) return hunk;
  if (hunk) file.hunks.push(hunk satisfies Hunk);
  return next;
}

/** What diff tools put between files and nobody needs. */
function isNoise(text: string): boolean {
  return text.trim() === "" || NOISE.test(text);
}

const NOISE = /^(?:index [0-9a-f]+\.\.|Index: |={20,}\s*$|(?:dis)?similarity index |diff -|\s*(?:```|~~~))/;

/** Git's lines between `diff --git` and the names. */
function readExtended(
  { text, at }: PatchLine,
  file: DiffFile | undefined,
): PatchProblem | "unknown" | undefined {
  if (/^(?:GIT binary patch|Binary files .* differ|Files .* differ)\s*$/.test(text)) {
    const hint = "Copy the file itself, or leave it out of the patch: only text can be patched.";
    return patchProblem("binary", at, "this part of the patch is binary", hint);
  }
  if (isNoise(text)) return undefined;
  const match = EXTENDED.exec(text);
  if (!match || !file) return NO_NEWLINE_AT_EDGE.test(text) ? undefined : "unknown";
  const [, key = "", value = ""] = match;
  if (Object.hasOwn(PATHS, key)) return setPath(file, key as keyof typeof PATHS, value, at);
  return setMode(file, key, value.trim(), at);
}

const EXTENDED =
  /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to) (.+)$/;
const NO_NEWLINE_AT_EDGE = /^\\ /;

const PATHS = {
  "rename from": "renameFrom",
  "rename to": "renameTo",
  "copy from": "copyFrom",
  "copy to": "copyTo",
} as const;

function setPath(
  file: DiffFile,
  key: keyof typeof PATHS,
  value: string,
  at: number,
): PatchProblem | undefined {
  const path = readDiffPath(value, at);
  if (typeof path !== "string") return path;
  file[PATHS[key]] = path;
  return undefined;
}

function setMode(file: DiffFile, key: string, mode: string, at: number): PatchProblem | undefined {
  if (mode !== "100644" && mode !== "100755") {
    const hint = "Only regular files (100644) and executable ones (100755) can be patched.";
    return patchProblem(
      "unsupported",
      at,
      `the mode ${JSON.stringify(mode)} is a link, a submodule or unknown`,
      hint,
    );
  }
  if (key === "new file mode") file.isNew = true;
  if (key === "deleted file mode") file.isDeleted = true;
  if (key === "new mode" || key === "new file mode") file.newMode = mode;
  return undefined;
}

function noteIgnored(lines: readonly PatchLine[], notes: PatchNotes): void {
  for (const [index, { text, at }] of lines.entries()) {
    if (isNoise(text) || isUnifiedStart(lines, index)) continue;
    notes.add("Text outside of the patch was ignored", at);
  }
}
