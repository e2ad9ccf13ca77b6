/**
 * Decides what the headers of one file in a unified diff ask for: add, delete, update, move, copy, mode. `/dev/null`
 * and git's own words count more than names that differ, because models often write only one of the names right. Also
 * reads paths: with the quotes that models put around them, or as diff tools write them, with a time stamp behind, `a/`
 * before, and octal escapes.
 *
 * Usual mistake: always taking `a/` and `b/` away, though a folder may have that name. Both spellings are kept.
 */
import { refusal, type Hunk, type PatchNotes, type Section, type UpdateFile } from "./model.ts";

export interface DiffFile {
  readonly at: number;
  /** What stands behind `diff --git `. */
  readonly gitLine?: string;
  oldName?: string;
  newName?: string;
  renameFrom?: string;
  renameTo?: string;
  copyFrom?: string;
  copyTo?: string;
  newMode?: "100644" | "100755";
  isNew?: boolean;
  isDeleted?: boolean;
  readonly hunks: Hunk[];
}

export function finishFile(file: DiffFile, notes: PatchNotes): Section {
  const [gitOld, gitNew] = file.gitLine === undefined ? [] : splitGitNames(file.gitLine);
  const isNew = file.isNew === true || file.oldName === DEV_NULL;
  const isDeleted = file.isDeleted === true || file.newName === DEV_NULL;
  const oldName = present(file.oldName) ?? gitOld;
  const newName = present(file.newName) ?? gitNew;
  const name = isNew ? newName : (oldName ?? newName);
  if (file.renameFrom !== undefined && file.renameTo !== undefined) {
    return { file: update(file, file.renameFrom, {}, file.renameTo), at: file.at };
  }
  if (file.copyFrom !== undefined && file.copyTo !== undefined) {
    const { newMode: mode, hunks, copyFrom: from, copyTo: path, at } = file;
    return { file: { kind: "copy", path, from, hunks, ...(mode === undefined ? {} : { mode }) }, at };
  }
  if (name === undefined) {
    const hint = 'Name the file with "--- a/path" and "+++ b/path".';
    throw refusal("bad_header", file.at, "the names of the file cannot be read", hint);
  }
  if (isNew && isDeleted) {
    throw refusal("conflict", file.at, "the file is both new and deleted", "Say one of them.");
  }
  if (isNew) return finishNew(file, name);
  if (isDeleted) {
    const { hunks, at } = file;
    return {
      file: { kind: "delete", path: stripPrefix(name), ...spellings(name), ...(hunks.length > 0 ? { hunks } : {}) },
      at,
    };
  }
  return finishUpdate(file, oldName ?? name, newName ?? name, notes);
}

const DEV_NULL = "/dev/null";

function present(name: string | undefined): string | undefined {
  return name === DEV_NULL ? undefined : name;
}

/** Splits `a/x b/x`: a name may hold the blank that separates them, but both names are alike. */
function splitGitNames(line: string): readonly (string | undefined)[] {
  const text = line.trimEnd();
  if (text.startsWith('"')) {
    const first = unquoteGitPath(text);
    if (!first) return [];
    const rest = text.slice(first.end).trim();
    const second = rest.startsWith('"') ? unquoteGitPath(rest)?.path : rest;
    return [first.path, second];
  }
  const middle = (text.length - 1) / 2;
  const [a, b] = [text.slice(0, middle), text.slice(middle + 1)];
  if (Number.isInteger(middle) && text[middle] === " " && stripPrefix(a) === stripPrefix(b)) return [a, b];
  const parts = text.split(" ");
  return parts.length === 2 ? [parts[0], parts[1]] : [];
}

function finishNew(file: DiffFile, name: string): Section {
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const old = file.hunks.find((hunk) => hunk.lines.some(({ kind }) => kind !== "insert"));
  if (old) {
    const hint = "Sign every line of a new file with +, or name the old file instead of /dev/null.";
    throw refusal("bad_line", old.at, "a hunk of a new file has context or removed lines", hint);
  }
  const isEnded = file.hunks.at(-1)?.newNoNewline !== true && lines.length > 0;
  const content = lines.map(({ text }) => text).join("\n") + (isEnded ? "\n" : "");
  const mode = file.newMode === undefined ? {} : { executable: file.newMode === "100755" };
  return { file: { kind: "add", path: stripPrefix(name), content, ...mode, ...spellings(name) }, at: file.at };
}

function finishUpdate(file: DiffFile, oldName: string, newName: string, notes: PatchNotes): Section {
  const from = stripPrefix(oldName);
  const to = stripPrefix(newName);
  const isOneName = plainSpelling(from) === plainSpelling(to);
  const isSame = isOneName || oldName === newName || isBackupOf(from, to);
  if (isSame && file.hunks.length === 0 && file.newMode === undefined) {
    const hint = 'Add hunks: "@@ -1,3 +1,3 @@" and lines signed " ", "-" or "+".';
    throw refusal("no_hunks", file.at, `the diff of "${to}" changes nothing`, hint);
  }
  if (isSame) {
    if (!isOneName) notes.add("The name of a backup copy was ignored", file.at);
    const names = isOneName ? spellings(oldName, newName) : spellings(newName);
    return { file: update(file, to, names), at: file.at };
  }
  notes.add("Two different names of a file were read as a move", file.at);
  return { file: update(file, from, spellings(oldName), to), at: file.at };
}

/** A name without the `.` and the slashes that mean nothing in it; a link may stand before `..`, so that stays. */
function plainSpelling(path: string): string {
  const parts = path.split("/");
  const last = parts.length - 1;
  return parts.filter((part, at) => at === last || (part === "" ? at === 0 : part !== ".")).join("/");
}

/** `diff -u x.orig x` is how people make patches by hand. */
function isBackupOf(from: string, to: string): boolean {
  return [".orig", ".bak", ".old", "~"].some((ending) => from === to + ending);
}

function update(file: DiffFile, path: string, names: ReturnType<typeof spellings>, moveTo?: string): UpdateFile {
  return {
    kind: "update",
    path,
    ...(moveTo === undefined || moveTo === path ? {} : { moveTo }),
    ...(file.newMode === undefined ? {} : { mode: file.newMode }),
    hunks: file.hunks,
    ...names,
  };
}

export function readNamedPath(raw: string, line: number, notes: PatchNotes): string {
  const trimmed = raw.trim();
  const quoted = /^(["'`])(.+)\1$/.exec(trimmed);
  if (quoted) notes.add("Quotes around a path were left out", line);
  return checkPath((quoted?.[2] ?? trimmed).trim(), line);
}

export function checkPath(path: string, line: number): string {
  if (path === "") throw refusal("bad_path", line, "the path is empty", "Name the file in its header.");
  if (!path.includes("\0")) return path;
  throw refusal("bad_path", line, "the path has a NUL character", "Send the path as it is listed.");
}

/** Reads what stands behind `--- ` or `+++ `; `/dev/null` as it is. */
export function readDiffPath(raw: string, line: number): string {
  if (raw.startsWith('"')) {
    const unquoted = unquoteGitPath(raw);
    if (unquoted) return checkPath(unquoted.path, line);
    const hint = "Quote it as git does, or send it without quotes.";
    throw refusal("bad_path", line, "the quoted path has a wrong escape or no valid UTF-8", hint);
  }
  const tab = raw.indexOf("\t");
  const bare = tab === -1 ? raw.trimEnd() : raw.slice(0, tab);
  const stamp = TIME_STAMP.exec(bare.slice(-MAX_STAMP_UNITS));
  return checkPath(stamp ? bare.slice(0, bare.length - stamp[0].length).trimEnd() : bare.trim(), line);
}

const MAX_STAMP_UNITS = 60;
const TIME_STAMP = / \d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|[-+]\d\d:?\d\d))?$/;

/** Reads the quoted name at the beginning, and finds where it ends. */
function unquoteGitPath(raw: string): { path: string; end: number } | undefined {
  const bytes: number[] = [];
  let at = 1;
  while (at < raw.length && raw[at] !== '"') {
    if (raw[at] !== "\\") {
      const point = raw.codePointAt(at) ?? 0;
      const character = String.fromCodePoint(point);
      bytes.push(...Buffer.from(character));
      at += character.length;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(raw.slice(at + 1, at + 4))?.[0];
    const code = octal === undefined ? GIT_ESCAPES[raw[at + 1] ?? ""] : Number.parseInt(octal, 8);
    if (code === undefined) return undefined;
    bytes.push(code);
    at += octal === undefined ? 2 : 4;
  }
  if (raw[at] !== '"') return undefined;
  const buffer = Buffer.from(bytes);
  const path = buffer.toString("utf8");
  return Buffer.from(path).equals(buffer) ? { path, end: at + 1 } : undefined;
}

const GIT_ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
};

/** Strips also the prefixes of `diff.mnemonicPrefix`: index, work tree, commit, object. */
function stripPrefix(path: string): string {
  return /^[abiwco]\/./s.test(path) ? path.slice(2) : path;
}

/** The spellings a header may mean, in the order to be tried; nothing when there is only one. */
function spellings(...paths: readonly string[]): { candidatesForPath?: readonly string[] } {
  const all = [...new Set([...paths.map(stripPrefix), ...paths])];
  return all.length > 1 ? { candidatesForPath: all } : {};
}
