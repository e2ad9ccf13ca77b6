/**
 * Takes a patch out of what models put around it: JSON, a quoted shell argument, line breaks written as `\n`; and out
 * of its own markers, `*** Begin Patch` and `*** End Patch`. A wrapper is undone only when the whole text is in that
 * form, so that nothing inside a good patch is ever unescaped. What is left out is told.
 *
 * A marker at the beginning of its line is preferred: ` *** End Patch` may be a context line of a file about patches.
 * Without any marker the file headers will do; one marker without the other means that a part is missing.
 *
 * Usual mistake: turning `\n` into line breaks everywhere, which breaks every string literal in the patch.
 */
import { unescapeOnce } from "../lines/sent-lines.ts";
import { refusal, type PatchNotes, type PatchRefusal } from "./model.ts";
import { insideFences, isFence, type PatchLine } from "./build-hunk.ts";

export function unwrapPatch(text: string, notes: PatchNotes, depth: number = 0): string {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (plain.trim() === "") {
    throw refusal("empty", 1, "the patch is empty", 'Send a patch that starts with "*** Begin Patch".');
  }
  refuseBacktickNewlines(plain);
  const inner = depth < MAX_DEPTH ? findInJson(plain) : undefined;
  if (inner !== undefined) {
    notes.add("The patch was taken out of the JSON around it");
    return unwrapPatch(inner, notes, depth + 1);
  }
  return undoShellQuotes(undoEscapedNewlines(undoIndent(plain, notes), notes), notes);
}

const MAX_DEPTH = 3;
const BEGIN = "*** Begin Patch";

function refuseBacktickNewlines(text: string): void {
  // With real line breaks before its hunks the text is a patch that speaks of such escapes.
  const marker = /\*\*\* Begin Patch`(?:r`)?n|`(?:r`)?n@@ -\d|<{5,9} SEARCH`(?:r`)?n/.exec(text);
  if (marker === null || /\n(?:@@|\*\*\* Begin Patch\s)/.test(text)) return;
  const line = text.slice(0, marker.index).split("\n").length;
  const message = "the lines are separated by the PowerShell escape `n, and not by line breaks";
  const hint = "Send the patch with real line breaks: `n only means one inside a double-quoted PowerShell string.";
  throw refusal("escaped_newlines", line, message, hint);
}

function findInJson(text: string): string | undefined {
  const trimmed = text
    .trim()
    .replace(/^```[a-z]*\n([^]*)\n```$/, "$1")
    .trim();
  if (!/^[{["]/.test(trimmed)) return undefined;
  const strings = new Set<string>();
  try {
    collectPatches(JSON.parse(trimmed), 0, strings);
  } catch {
    return undefined;
  }
  const [only, another] = strings;
  if (another === undefined) return only;
  const hint = "Send the text of one patch as it is, without JSON around it. One patch can change many files.";
  throw refusal("not_a_patch", 1, "this is JSON with more than one patch in it", hint);
}

const MAX_NESTING = 6;

function collectPatches(value: unknown, level: number, found: Set<string>): void {
  if (typeof value === "string" && looksLikePatch(value)) found.add(value);
  if (level >= MAX_NESTING || typeof value !== "object" || value === null) return;
  for (const part of Object.values(value)) collectPatches(part, level + 1, found);
}

function looksLikePatch(text: string): boolean {
  if (text.includes(BEGIN)) return true;
  return /^(?:diff --git |--- )/.test(text) || /^<{5,9} SEARCH\s*$/m.test(text);
}

/** Undoes an indentation of the whole text, as in a list or a block of code. */
function undoIndent(text: string, notes: PatchNotes): string {
  const indent = /^([ \t]+)(?:\*\*\* Begin Patch|diff --git |--- )/im.exec(text.slice(0, MAX_INTRODUCTION_UNITS))?.[1];
  if (indent === undefined) return text;
  const lines = text.split("\n");
  if (!lines.every((line) => line.startsWith(indent) || line.trim() === "")) return text;
  notes.add("The indentation of the whole patch was left out");
  return lines.map((line) => line.slice(indent.length)).join("\n");
}

const MAX_INTRODUCTION_UNITS = 10_000;

function undoEscapedNewlines(text: string, notes: PatchNotes): string {
  const trimmed = text.trim();
  const isEscaped = /\*\*\* Begin Patch(?:\\r)?\\n/.test(trimmed);
  if (!isEscaped && !/^["']?(?:diff --git |--- )[^\n]*\\n/.test(trimmed)) return text;
  if (trimmed.includes("\n")) {
    if (!isEscaped) return text;
    const message = String.raw`some line breaks of the patch are written as \n, and others are real`;
    throw refusal("escaped_newlines", 1, message, "Send the patch with real line breaks only.");
  }
  notes.add(String.raw`Line breaks written as \n were read as line breaks`);
  const bare = /^(["']).*\1$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
  return unescapeOnce(bare);
}

/** Reads `apply_patch '*** Begin Patch ... *** End Patch'`, also with double quotes, as a shell does. */
function undoShellQuotes(text: string, notes: PatchNotes): string {
  const at = text.indexOf(BEGIN);
  const quote = text[at - 1];
  if (at < 1 || (quote !== "'" && quote !== '"')) return text;
  const command = text.slice(text.lastIndexOf("\n", at) + 1, at - 1).trim();
  const end = text.lastIndexOf(`*** End Patch${quote}`);
  if (end < at || !/(?:^|[\s/])apply_?patch$/.test(command.slice(-MAX_COMMAND_UNITS))) return text;
  notes.add("The patch was taken out of the quotes of a shell command");
  const body = text.slice(at, end + "*** End Patch".length);
  return quote === "'" ? body.replaceAll(`'\\''`, () => "'") : body.replace(/\\(["$`\\])/g, (_, sign: string) => sign);
}

const MAX_COMMAND_UNITS = 2000;

export function selectBody(lines: readonly PatchLine[], first: number, notes: PatchNotes): readonly PatchLine[] {
  const isPlain = lines.some(({ text }) => /^\*\*\* Begin Patch\s*$/i.test(text));
  const begin = isPlain ? /^\*\*\* Begin Patch\s*$/i : /^\s*\*\*\* Begin Patch\s*$/i;
  const isPlainEnd = lines.some(({ text }) => /^\*\*\* End Patch\s*$/i.test(text));
  const end = isPlainEnd ? /^\*\*\* End Patch\s*$/i : /^\s*\*\*\* End Patch\s*$/i;
  const isMarker = ({ text }: PatchLine): boolean => text.includes("***") && (begin.test(text) || end.test(text));
  if (!lines.some(isMarker)) {
    notes.add("The markers *** Begin Patch and *** End Patch were missing");
    const { inside, outside } = insideFences(lines, first);
    noteOutside([...lines.slice(0, first), ...outside], notes);
    return inside;
  }
  const [body, outside]: [PatchLine[], PatchLine[]] = [[], []];
  let opened: number | undefined;
  for (const line of lines) {
    const mayMark = line.text.includes("***");
    if (mayMark && begin.test(line.text)) {
      if (opened !== undefined) throw unbalanced(opened, "*** Begin Patch", "*** End Patch");
      opened = line.at;
    } else if (mayMark && end.test(line.text)) {
      if (opened === undefined) throw unbalanced(line.at, "*** End Patch", "*** Begin Patch");
      opened = undefined;
    } else (opened === undefined ? outside : body).push(line);
  }
  if (opened !== undefined) throw unbalanced(opened, "*** Begin Patch", "*** End Patch");
  noteOutside(outside, notes);
  return body;
}

function unbalanced(line: number, there: string, missing: string): PatchRefusal {
  const hint = "Send the whole patch, with one marker before its first section and one after its last.";
  return refusal(
    "unbalanced_markers",
    line,
    `"${there}" has no "${missing}": a part of the patch may be missing`,
    hint,
  );
}

/** Tells wrappers (shell, fence and terminator lines) from other text, which may have been meant to matter. */
function noteOutside(lines: readonly PatchLine[], notes: PatchNotes): void {
  for (const { text, at } of lines) {
    if (text.trim() === "") continue;
    if (isWrapper(text)) notes.add("The patch was taken out of the shell command or fence around it");
    else notes.add("Text outside of the patch was ignored", at);
  }
}

function isWrapper(text: string): boolean {
  return (
    isFence(text) ||
    text.includes("<<") ||
    COMMAND.test(text) ||
    /^\s*(?:\w{1,20}\s*\)?['"]?|@['"]|['"]@.{0,80})\s*$/.test(text)
  );
}

const COMMAND = /^\s*(?:\$ )?(?:apply_?patch|bash|zsh|sh|cmd|cd|powershell|pwsh)\b/i;
