/**
 * Reads the paths of patch headers: with the quotes models put around them, or as diff tools write them, with a time
 * stamp behind, `a/` before, and odd bytes as octal escapes in double quotes.
 *
 * Usual mistake: always taking `a/` and `b/` away, though a folder may have that name. Both spellings are kept.
 */
import { patchProblem, type PatchProblem } from "./patch-model.ts";
import type { PatchNotes } from "./patch-notes.ts";

export function readNamedPath(raw: string, line: number, notes: PatchNotes): string | PatchProblem {
  const trimmed = raw.trim();
  const quoted = /^(["'`])(.+)\1$/.exec(trimmed);
  if (quoted) notes.add("Quotes around a path were left out", line);
  return checkPath((quoted?.[2] ?? trimmed).trim(), line);
}

export function checkPath(path: string, line: number): string | PatchProblem {
  if (path === "") return patchProblem("bad_path", line, "the path is empty", "Name the file in its header.");
  if (!path.includes("\0")) return path;
  return patchProblem("bad_path", line, "the path has a NUL character", "Send the path as it is listed.");
}

/** What stands behind `--- ` or `+++ `; `/dev/null` as it is. */
export function readDiffPath(raw: string, line: number): string | PatchProblem {
  if (raw.startsWith('"')) {
    const unquoted = unquoteGitPath(raw);
    if (unquoted) return checkPath(unquoted.path, line);
    const hint = "Quote it as git does, or send it without quotes.";
    return patchProblem("bad_path", line, "the quoted path has a wrong escape or no valid UTF-8", hint);
  }
  const tab = raw.indexOf("\t");
  const bare = tab === -1 ? raw.trimEnd() : raw.slice(0, tab);
  const stamp = TIME_STAMP.exec(bare.slice(-MAX_STAMP_UNITS));
  return checkPath(stamp ? bare.slice(0, bare.length - stamp[0].length).trimEnd() : bare.trim(), line);
}

const MAX_STAMP_UNITS = 60;
const TIME_STAMP = / \d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|[-+]\d\d:?\d\d))?$/;

/** The quoted name at the beginning, and where it ends. */
export function unquoteGitPath(raw: string): { path: string; end: number } | undefined {
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

/** Also the prefixes of `diff.mnemonicPrefix`: index, work tree, commit, object. */
export function stripPrefix(path: string): string {
  return /^[abiwco]\/./s.test(path) ? path.slice(2) : path;
}

/** The spellings a header may mean, in the order to be tried; nothing when there is only one. */
export function spellings(...paths: readonly string[]): { candidatesForPath?: readonly string[] } {
  const all = [...new Set([...paths.map(stripPrefix), ...paths])];
  return all.length > 1 ? { candidatesForPath: all } : {};
}
