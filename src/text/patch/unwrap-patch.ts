/**
 * Takes a patch out of what models put around it: JSON, a quoted shell argument, line breaks written as `\n`. Each is
 * undone only when the whole text is in that form, so that nothing inside a good patch is ever unescaped.
 *
 * Usual mistake: turning `\n` into line breaks everywhere, which breaks every string literal in the patch.
 */
import { unescapeOnce } from "../pasted-text.ts";
import { isProblem, patchProblem, type PatchProblem } from "./patch-model.ts";
import type { PatchNotes } from "./patch-notes.ts";

export function unwrapPatch(text: string, notes: PatchNotes, depth: number = 0): string | PatchProblem {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (plain.trim() === "") {
    return patchProblem("empty", 1, "the patch is empty", 'Send a patch that starts with "*** Begin Patch".');
  }
  const shell = findBacktickNewlines(plain);
  if (shell) return shell;
  const inner = depth < MAX_DEPTH ? findInJson(plain) : undefined;
  if (inner !== undefined) {
    if (isProblem(inner)) return inner;
    notes.add("The patch was taken out of the JSON around it");
    return unwrapPatch(inner.text, notes, depth + 1);
  }
  const escaped = undoEscapedNewlines(undoIndent(plain, notes), notes);
  if (typeof escaped !== "string") return escaped;
  return undoShellQuotes(escaped, notes);
}

const MAX_DEPTH = 3;
const BEGIN = "*** Begin Patch";

function findBacktickNewlines(text: string): PatchProblem | undefined {
  // With real line breaks before its hunks the text is a patch that speaks of such escapes.
  const marker = /\*\*\* Begin Patch`(?:r`)?n|`(?:r`)?n@@ -\d|<{5,9} SEARCH`(?:r`)?n/.exec(text);
  if (marker === null || /\n(?:@@|\*\*\* Begin Patch\s)/.test(text)) return undefined;
  const line = text.slice(0, marker.index).split("\n").length;
  return patchProblem(
    "escaped_newlines",
    line,
    "the lines are separated by the PowerShell escape `n, and not by line breaks",
    "Send the patch with real line breaks: `n only means one inside a double-quoted PowerShell string.",
  );
}

function findInJson(text: string): { text: string } | PatchProblem | undefined {
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
  if (only === undefined) return undefined;
  if (another === undefined) return { text: only };
  const hint =
    "Send the text of one patch as it is, without JSON around it. One patch can change many files.";
  return patchProblem("not_a_patch", 1, "this is JSON with more than one patch in it", hint);
}

const MAX_NESTING = 6;

function collectPatches(value: unknown, level: number, found: Set<string>): void {
  if (typeof value === "string") {
    if (looksLikePatch(value)) found.add(value);
    return;
  }
  if (level >= MAX_NESTING || typeof value !== "object" || value === null) return;
  for (const part of Object.values(value)) collectPatches(part, level + 1, found);
}

function looksLikePatch(text: string): boolean {
  if (text.includes(BEGIN)) return true;
  return /^(?:diff --git |--- )/.test(text) || /^<{5,9} SEARCH\s*$/m.test(text);
}

/** The whole text set in, its headers with it, as in a list or a block of code. */
function undoIndent(text: string, notes: PatchNotes): string {
  const indent = /^([ \t]+)(?:\*\*\* Begin Patch|diff --git |--- )/im.exec(
    text.slice(0, MAX_INTRODUCTION_UNITS),
  )?.[1];
  if (indent === undefined) return text;
  const lines = text.split("\n");
  if (!lines.every((line) => line.startsWith(indent) || line.trim() === "")) return text;
  notes.add("The indentation of the whole patch was left out");
  return lines.map((line) => line.slice(indent.length)).join("\n");
}

const MAX_INTRODUCTION_UNITS = 10_000;

function undoEscapedNewlines(text: string, notes: PatchNotes): string | PatchProblem {
  const trimmed = text.trim();
  const isEscaped = /\*\*\* Begin Patch(?:\\r)?\\n/.test(trimmed);
  if (!isEscaped && !/^["']?(?:diff --git |--- )[^\n]*\\n/.test(trimmed)) return text;
  if (trimmed.includes("\n")) {
    if (!isEscaped) return text;
    const message = String.raw`some line breaks of the patch are written as \n, and others are real`;
    return patchProblem("escaped_newlines", 1, message, "Send the patch with real line breaks only.");
  }
  notes.add(String.raw`Line breaks written as \n were read as line breaks`);
  const bare = /^(["']).*\1$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
  return unescapeOnce(bare);
}

/** `apply_patch '*** Begin Patch ... *** End Patch'`, and the same in double quotes, read as a shell reads it. */
function undoShellQuotes(text: string, notes: PatchNotes): string {
  const at = text.indexOf(BEGIN);
  const quote = text[at - 1];
  if (at < 1 || (quote !== "'" && quote !== '"')) return text;
  const command = text.slice(text.lastIndexOf("\n", at) + 1, at - 1).trim();
  const end = text.lastIndexOf(`*** End Patch${quote}`);
  if (end < at || !/(?:^|[\s/])apply_?patch$/.test(command.slice(-MAX_COMMAND_UNITS))) return text;
  notes.add("The patch was taken out of the quotes of a shell command");
  const body = text.slice(at, end + "*** End Patch".length);
  return quote === "'"
    ? body.replaceAll(`'\\''`, () => "'")
    : body.replace(/\\(["$`\\])/g, (_, sign: string) => sign);
}

const MAX_COMMAND_UNITS = 2000;
