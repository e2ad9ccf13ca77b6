/**
 * Reads unified diffs, plain or from git: names with prefixes, time stamps and quotes, new and deleted files, renames,
 * copies, modes. Text between the files (a mail, a commit message) is ignored and told. Binary parts, links and merges
 * are refused, because a text patch cannot make them.
 *
 * If the counts in the header of a hunk fit the lines that follow they are believed, so that removed lines which look
 * like headers stay lines. If not they are ignored, and the hunk goes on to the next header: models get counts wrong
 * more often than right.
 *
 * Usual mistake: reading `--- x` as a header inside a hunk, where it removes the line `-- x`.
 */
import { insideFences, isFileNames, isUnifiedStart, type PatchLine, buildHunk, parseHunkHeader } from "./build-hunk.ts";
import { refusal, type PatchNotes, type Section } from "./model.ts";
import { finishFile, readDiffPath, readNameAgain, type DiffFile, type DiffName } from "./diff-file.ts";

export function parseUnified(all: readonly PatchLine[], first: number, notes: PatchNotes): Section[] {
  const { inside: lines, outside } = insideFences(all, first);
  noteIgnored([...all.slice(0, first), ...outside], notes);
  const files: DiffFile[] = [];
  for (let next = 0; next < lines.length;) next = readPart(lines, next, files, notes);
  return files.map((file) => finishFile(file, notes));
}

/** Reads the names, a hunk, or one other line. @returns the index of the next line */
function readPart(lines: readonly PatchLine[], index: number, files: DiffFile[], notes: PatchNotes): number {
  const line = lines[index] ?? { text: "", at: 1 };
  const file = files.at(-1);
  if (line.text.startsWith("diff --git ")) {
    files.push({ at: line.at, gitLine: line.text.slice("diff --git ".length), hunks: [] });
    return index + 1;
  }
  if (isFileNames(lines, index)) {
    const names = readNames(lines, index);
    if (file && file.oldName === undefined && file.gitLine !== undefined) Object.assign(file, names);
    else files.push({ at: line.at, hunks: [], ...names });
    return index + 2;
  }
  if (line.text.startsWith("@@@")) {
    const hint = "Send the difference to one parent, as `git diff HEAD^1` gives it.";
    throw refusal("unsupported", line.at, "this is the combined diff of a merge", hint);
  }
  if (!line.text.startsWith("@@")) {
    if (!readExtended(line, file)) noteIgnored([line], notes);
    return index + 1;
  }
  if (!file) {
    const hint = 'Put "--- path" and "+++ path" before the first hunk of each file.';
    throw refusal("bad_header", line.at, "the hunk stands under no file names", hint);
  }
  const { hunk, next } = readUnifiedHunk(lines, index, notes);
  if (hunk) file.hunks.push(hunk);
  return next;
}

function readNames(lines: readonly PatchLine[], index: number): { oldName: DiffName; newName: DiffName } {
  const at = lines[index]?.at ?? 1;
  return {
    oldName: readDiffPath(lines[index]?.text.slice(4) ?? "", at),
    newName: readDiffPath(lines[index + 1]?.text.slice(4) ?? "", at + 1),
  };
}

function isNoise(text: string): boolean {
  return text.trim() === "" || NOISE.test(text);
}

const NOISE = /^(?:index [0-9a-f]+\.\.|Index: |={20,}\s*$|(?:dis)?similarity index |diff -|\s*(?:```|~~~))/;

/** Git's lines between `diff --git` and the names. @returns false for a line that is none of them */
function readExtended({ text, at }: PatchLine, file: DiffFile | undefined): boolean {
  if (/^(?:GIT binary patch|Binary files .* differ|Files .* differ)\s*$/.test(text)) {
    const hint = "Copy the file itself, or leave it out of the patch: only text can be patched.";
    throw refusal("binary", at, "this part of the patch is binary", hint);
  }
  if (isNoise(text)) return true;
  const match = EXTENDED.exec(text);
  if (!match || !file) return NO_NEWLINE_AT_EDGE.test(text);
  const [, key = "", value = ""] = match;
  if (Object.hasOwn(PATHS, key)) file[PATHS[key as keyof typeof PATHS]] = readNameAgain(value, file.gitLine, at);
  else setMode(file, key, value.trim(), at);
  return true;
}

const EXTENDED = /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to) (.+)$/;
const NO_NEWLINE_AT_EDGE = /^\\ /;

const PATHS = {
  "rename from": "renameFrom",
  "rename to": "renameTo",
  "copy from": "copyFrom",
  "copy to": "copyTo",
} as const;

function setMode(file: DiffFile, key: string, mode: string, at: number): void {
  if (mode !== "100644" && mode !== "100755") {
    const hint = "Only regular files (100644) and executable ones (100755) can be patched.";
    throw refusal("unsupported", at, `the mode ${JSON.stringify(mode)} is a link, a submodule or unknown`, hint);
  }
  if (key === "new file mode") file.isNew = true;
  if (key === "deleted file mode") file.isDeleted = true;
  if (key === "new mode" || key === "new file mode") file.newMode = mode;
}

function noteIgnored(lines: readonly PatchLine[], notes: PatchNotes): void {
  for (const [index, { text, at }] of lines.entries()) {
    if (isNoise(text) || isUnifiedStart(lines, index)) continue;
    notes.add("Text outside of the patch was ignored", at);
  }
}

function readUnifiedHunk(lines: readonly PatchLine[], index: number, notes: PatchNotes) {
  const header = lines[index] ?? { text: "", at: 1 };
  const counted = readByCounts(lines, index);
  const next = counted ?? findEnd(lines, index + 1);
  const body = lines.slice(index + 1, next);
  const { oldCount } = parseHunkHeader(header.text);
  if (counted === undefined && oldCount !== undefined) {
    notes.add("Wrong line counts of hunks were ignored", header.at);
  }
  const kept = counted === undefined ? dropProse(body, notes) : body;
  const follows = isRepeated(lines, index);
  if (follows) notes.add("A repeated @@ line was read as going on at the same place", header.at);
  const raw = { headers: [header], body: kept, dialect: "unified", follows } as const;
  return { hunk: buildHunk({ ...raw, isCounted: counted !== undefined }, notes), next };
}

/** The index behind the last line that the counts ask for, if exactly these lines can be the hunk. */
function readByCounts(lines: readonly PatchLine[], index: number): number | undefined {
  const { oldCount, newCount } = parseHunkHeader(lines[index]?.text ?? "");
  if (oldCount === undefined || newCount === undefined) return undefined;
  let [oldLeft, newLeft, at] = [oldCount, newCount, index + 1];
  for (; at < lines.length && (oldLeft > 0 || newLeft > 0); at++) {
    const text = lines[at]?.text ?? "";
    const sign = text === "" || text === "\r" ? " " : text[0];
    if (sign === "\\") continue;
    if (sign !== " " && sign !== "-" && sign !== "+") return undefined;
    if (sign !== "+") oldLeft--;
    if (sign !== "-") newLeft--;
  }
  if (oldLeft !== 0 || newLeft !== 0) return undefined;
  while (lines[at]?.text.startsWith("\\ ") === true) at++;
  return isHunkLine(lines, at) ? undefined : at;
}

/** Whether a line behind a full hunk shows that its counts were too small. */
function isHunkLine(lines: readonly PatchLine[], at: number): boolean {
  const text = lines[at]?.text ?? "";
  if (isSignature(lines, at) || isFileNames(lines, at)) return false;
  return /^[-+ ]/.test(text) && text.trim() !== "";
}

/** The `-- ` with which git ends a mail. */
function isSignature(lines: readonly PatchLine[], at: number): boolean {
  if (!/^-- ?$/.test(lines[at]?.text.trimEnd() ?? "")) return false;
  const below = lines[at + 1]?.text;
  return below === undefined || /^\d+\.\d+/.test(below);
}

function findEnd(lines: readonly PatchLine[], from: number): number {
  for (let at = from; at < lines.length; at++) {
    const text = lines[at]?.text ?? "";
    if (/^(?:@@|diff --git |Index: |GIT binary patch|Binary files )/.test(text)) return at;
    if (isFileNames(lines, at) && /^(?:@@|$)/.test(lines[at + 2]?.text ?? "")) return at;
    if (isSignature(lines, at)) return at;
  }
  return lines.length;
}

/** Leaves out lines without a sign behind an empty line at the end: they are a closing remark, not context. */
function dropProse(body: readonly PatchLine[], notes: PatchNotes): readonly PatchLine[] {
  const last = body.findLastIndex(({ text }) => /^[-+ \\]/.test(text));
  const gap = body.findIndex(({ text }, index) => index > last && text.trim() === "");
  if (gap === -1) return body;
  for (const { text, at } of body.slice(gap)) {
    if (text.trim() !== "") notes.add("Text outside of the patch was ignored", at);
  }
  return body.slice(0, gap);
}

function isRepeated(lines: readonly PatchLine[], index: number): boolean {
  const text = lines[index]?.text ?? "";
  for (let at = index - 1; at >= Math.max(0, index - MAX_LINES_BACK); at--) {
    const above = lines[at]?.text ?? "";
    if (above.startsWith("@@")) return isBare(text) ? !isBare(above) : above === text;
    if (isFileNames(lines, at)) return false;
  }
  return false;
}

function isBare(header: string): boolean {
  return /^@@(?: @@)?\s*$/.test(header);
}

/** A longer hunk has context of its own to be placed by. */
const MAX_LINES_BACK = 200;
