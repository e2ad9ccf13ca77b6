/**
 * The rules every source file keeps: a header that says what it is for, a size that can be read at once, a name that
 * says what is inside, and nothing of the machine it was written on.
 */
import type { SourceFile } from "./source-code.ts";

/** Violations as `path: message`. */
export function checkFile(file: SourceFile): string[] {
  const problems = [...checkHeader(file.text), ...checkName(file.path), ...checkText(file.text)];
  return problems.map((problem) => `${file.path}: ${problem}`);
}

const MAX_LINES = 300;
const MAX_HEADER_LINES = 12;
const MIN_HEADER_WORDS = 6;

/** The header is the comment at the very top; a line of it that holds only the comment marks does not count. */
function checkHeader(text: string): string[] {
  const block = /^(?:#![^\n]*\n)?\/\*\*?([\s\S]*?)\*\//.exec(text)?.[1];
  if (block === undefined) return ["Cannot find the header: a file opens with /** what it is for */"];
  const lines = block.split("\n").length;
  if (lines > MAX_HEADER_LINES + 2)
    return [`Cannot accept a header of ${lines - 2} lines: at most ${MAX_HEADER_LINES}`];
  const words = block.replaceAll("*", " ").trim().split(/\s+/).length;
  return words < MIN_HEADER_WORDS
    ? [`Cannot accept a header of ${words} words: it must say what the file is for, in ${MIN_HEADER_WORDS} at least`]
    : [];
}

const FORBIDDEN_NAMES = /^(utils?|helpers?|common|misc|shared|types?|lib|stuff)$/;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function checkName(path: string): string[] {
  const parts = path.replace(/(\.test|\.d)?\.[cm]?[jt]sx?$/, "").split("/");
  return parts.flatMap((part) => {
    if (FORBIDDEN_NAMES.test(part)) return [`Cannot be named "${part}": say what is inside`];
    // MCP revisions are dates, `2025-11-25`; they are kebab-case too.
    return KEBAB_CASE.test(part) ? [] : [`Cannot be named "${part}": names are kebab-case`];
  });
}

function checkText(text: string): string[] {
  const problems: string[] = [];
  const lines = text.trimEnd().split("\n").length;
  if (lines > MAX_LINES) problems.push(`Cannot have ${lines} lines: at most ${MAX_LINES}`);
  if (/^export default\b/m.test(text)) problems.push("Cannot use a default export: name it");
  const machine = MACHINE_PATHS.exec(text)?.[0];
  if (machine !== undefined) problems.push(`Cannot name "${machine}": it exists on one machine only`);
  return problems;
}

/** Paths that exist on one machine only. Character classes keep the pattern from finding itself. */
export const MACHINE_PATHS: RegExp =
  /(?<!\w|ringfence:[/])(?:[/]work[/]|[/]home[/][a-z]|[/]Users[/][a-z]|[/]root[/])|C:\\+Users/;
