/**
 * Decides what the headers of one file in a unified diff ask for: add, delete, update, move, copy, mode. `/dev/null`
 * and git's own words count more than names that differ, because models often write only one of the names right. Also
 * reads paths: with the quotes that models put around them, or as diff tools write them, with a time stamp behind, `a/`
 * before, and octal escapes.
 *
 * Usual mistake: always taking `a/` and `b/`, or blanks at the ends, away, though a folder or a file may have that name. Both
 * spellings are kept.
 */
import { refusal, type Hunk, type NamedFile, type PatchNotes, type Section, type UpdateFile } from "./model.ts";

export interface DiffFile {
  readonly at: number;
  /** What stands behind `diff --git `. */
  readonly gitLine?: string;
  oldName?: DiffName;
  newName?: DiffName;
  renameFrom?: string;
  renameTo?: string;
  copyFrom?: string;
  copyTo?: string;
  newMode?: "100644" | "100755";
  isNew?: boolean;
  isDeleted?: boolean;
  readonly hunks: Hunk[];
}

/** A name in a header; the two differ where blanks or a time stamp behind the name may not belong to it. */
export interface DiffName {
  readonly exact: string;
  readonly plain: string;
}

export function finishFile(file: DiffFile, notes: PatchNotes): Section {
  const [gitOld, gitNew] = file.gitLine === undefined ? [] : splitGitNames(file.gitLine);
  const isNew = file.isNew === true || file.oldName?.plain === DEV_NULL;
  const isDeleted = file.isDeleted === true || file.newName?.plain === DEV_NULL;
  const oldName = present(file.oldName) ?? exactName(gitOld);
  const newName = present(file.newName) ?? exactName(gitNew);
  const name = isNew ? newName : (oldName ?? newName);
  if (file.renameFrom !== undefined && file.renameTo !== undefined) {
    return { file: update(file, { path: file.renameFrom }, file.renameTo), at: file.at };
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
  const isBare = oldName?.plain === newName?.plain;
  if (isNew) return finishNew(file, spell([name], isBare));
  if (isDeleted) {
    const { hunks, at } = file;
    return { file: { kind: "delete", ...spell([name], isBare), ...(hunks.length > 0 ? { hunks } : {}) }, at };
  }
  return finishUpdate(file, oldName ?? name, newName ?? name, notes);
}

const DEV_NULL = "/dev/null";

function present(name: DiffName | undefined): DiffName | undefined {
  return name?.plain === DEV_NULL ? undefined : name;
}

function exactName(name: string | undefined): DiffName | undefined {
  return name === undefined ? undefined : { exact: name, plain: name };
}

/** Splits `a/x b/x`: a name may hold the blank that separates them, or end in one, but both names are alike. */
function splitGitNames(line: string): readonly (string | undefined)[] {
  const text = line.trimEnd();
  const halves = text.startsWith('"') ? undefined : (splitInHalf(line) ?? splitInHalf(text));
  if (halves) return halves;
  if (text.startsWith('"')) {
    const first = unquoteGitPath(text);
    if (!first) return [];
    const rest = text.slice(first.end).trim();
    const second = rest.startsWith('"') ? unquoteGitPath(rest)?.path : rest;
    return [first.path, second];
  }
  const parts = text.split(" ");
  return parts.length === 2 ? [parts[0], parts[1]] : [];
}

function splitInHalf(text: string): readonly string[] | undefined {
  const middle = (text.length - 1) / 2;
  const [a, b] = [text.slice(0, middle), text.slice(middle + 1)];
  const areAlike = Number.isInteger(middle) && text[middle] === " " && stripPrefix(a) === stripPrefix(b);
  return areAlike ? [a, b] : undefined;
}

function finishNew(file: DiffFile, named: NamedFile): Section {
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const old = file.hunks.find((hunk) => hunk.lines.some(({ kind }) => kind !== "insert"));
  if (old) {
    const hint = "Sign every line of a new file with +, or name the old file instead of /dev/null.";
    throw refusal("bad_line", old.at, "a hunk of a new file has context or removed lines", hint);
  }
  const isEnded = file.hunks.at(-1)?.newNoNewline !== true && lines.length > 0;
  const content = lines.map(({ text }) => text).join("\n") + (isEnded ? "\n" : "");
  const mode = file.newMode === undefined ? {} : { executable: file.newMode === "100755" };
  return { file: { kind: "add", ...named, content, ...mode }, at: file.at };
}

function finishUpdate(file: DiffFile, oldName: DiffName, newName: DiffName, notes: PatchNotes): Section {
  const from = stripPrefix(oldName.plain);
  const to = stripPrefix(newName.plain);
  const isOneName = plainSpelling(from) === plainSpelling(to);
  const isBare = oldName.plain === newName.plain;
  const isSame = isOneName || isBackupOf(from, to);
  if (isSame && file.hunks.length === 0 && file.newMode === undefined) {
    const hint = 'Add hunks: "@@ -1,3 +1,3 @@" and lines signed " ", "-" or "+".';
    throw refusal("no_hunks", file.at, `the diff of "${to}" changes nothing`, hint);
  }
  if (isSame) {
    if (!isOneName) notes.add("The name of a backup copy was ignored", file.at);
    const names = isOneName ? [oldName, newName] : [newName];
    return { file: update(file, spell(names, isBare)), at: file.at };
  }
  const below = belowFolder(from);
  if (below === undefined || below !== belowFolder(to)) {
    notes.add("Two different names of a file were read as a move", file.at);
    return { file: update(file, spell([oldName], false), to), at: file.at };
  }
  notes.add(
    "Two names in different folders were read as a move, or without the folders where neither is there",
    file.at,
  );
  return { file: { ...update(file, spell([oldName], false), to), pathBelow: below }, at: file.at };
}

/** The path without its first folder. */
function belowFolder(path: string): string | undefined {
  const slash = path.indexOf("/");
  return slash < 1 || slash === path.length - 1 ? undefined : path.slice(slash + 1);
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

function update(file: DiffFile, named: NamedFile, moveTo?: string): UpdateFile {
  return {
    kind: "update",
    ...named,
    ...(moveTo === undefined || moveTo === named.path ? {} : { moveTo }),
    ...(file.newMode === undefined ? {} : { mode: file.newMode }),
    hunks: file.hunks,
  };
}

/** Reads what stands behind `*** Update File:`. Blanks around a name are seldom meant, but a file may have such a name. */
export function readNamedPath(raw: string, line: number, notes: PatchNotes): NamedFile {
  const trimmed = raw.trim();
  const quoted = /^(["'`])(.+)\1$/.exec(trimmed);
  if (quoted) notes.add("Quotes around a path were left out", line);
  if (quoted?.[2] !== undefined) return { path: checkPath(quoted[2], line) };
  return spellAround(
    raw.replace(/^ /, () => ""),
    checkPath(trimmed, line),
  );
}

/** @param plain the same name without the blanks around it, or what else does not belong to it */
export function spellAround(exact: string, plain: string): NamedFile {
  return { path: plain, ...(exact === plain ? {} : { candidatesForPath: [exact, plain] }) };
}

export function checkPath(path: string, line: number): string {
  if (path === "") throw refusal("bad_path", line, "the path is empty", "Name the file in its header.");
  if (!path.includes("\0")) return path;
  throw refusal("bad_path", line, "the path has a NUL character", "Send the path as it is listed.");
}

/** Reads what stands behind `--- ` or `+++ `; `/dev/null` as it is. Diff tools end a name that has blanks with a tab. */
export function readDiffPath(raw: string, line: number): DiffName {
  const tab = raw.startsWith('"') ? -1 : raw.indexOf("\t");
  const exact = readGitPath(tab === -1 ? raw : raw.slice(0, tab), line);
  if (tab !== -1 || raw.startsWith('"')) return { exact, plain: exact };
  const bare = raw.trimEnd();
  const stamp = TIME_STAMP.exec(bare.slice(-MAX_STAMP_UNITS));
  const plain = stamp ? bare.slice(0, bare.length - stamp[0].length).trimEnd() : bare.trim();
  return { exact, plain: checkPath(plain, line) };
}

/** Reads a name that the line ends, as git writes it: nothing around it that does not belong to it. */
function readGitPath(raw: string, line: number): string {
  const path = raw.startsWith('"') ? unquoteGitPath(raw)?.path : raw;
  if (path !== undefined) return checkPath(path, line);
  const hint = "Quote it as git does, or send it without quotes.";
  throw refusal("bad_path", line, "the quoted path has a wrong escape or no valid UTF-8", hint);
}

/** Reads a name that git says once more. Blanks at its end belong to it if they stand in the line of both names too. */
export function readNameAgain(raw: string, gitLine: string | undefined, line: number): string {
  const exact = readGitPath(raw, line);
  const isMeant = raw.startsWith('"') || `${gitLine ?? ""} `.includes(`${exact} `);
  return isMeant ? exact : checkPath(exact.trimEnd(), line);
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

/**
 * The spellings that headers may mean, in the order to be tried, and the one that a new file gets. Git's prefixes differ, so two
 * headers with the same name were written without.
 */
function spell(names: readonly DiffName[], isBare: boolean): NamedFile {
  const whole = names.flatMap(({ exact, plain }) => [exact, plain]);
  const stripped = whole.map(stripPrefix);
  const all = [...new Set(isBare ? [...whole, ...stripped] : [...stripped, ...whole])];
  const plain = names[0]?.plain ?? "";
  const path = isBare ? plain : stripPrefix(plain);
  return { path, ...(all.length > 1 ? { candidatesForPath: all } : {}) };
}
