/**
 * The lines of a patch with their numbers, what kind of patch they are, and how to see past a Markdown fence.
 *
 * Only LF ends a line: a CR before it may belong to the file. But a patch whose own markers end in CR was written with
 * CRLF as a whole, and then no line owns its CR (GNU patch decides the same way).
 */
import { lineBreak } from "../lines/line-endings.ts";
import type { PatchDialect } from "./model.ts";

export interface PatchLine {
  readonly text: string;
  /** 1-based. */
  readonly at: number;
}

export function splitPatch(text: string): PatchLine[] {
  const parts = text.split(lineBreak(text));
  if (parts.at(-1) === "") parts.pop();
  return parts.map((part, index) => ({ text: part, at: index + 1 }));
}

export function withoutCarriageReturns(lines: readonly PatchLine[]): PatchLine[] {
  return lines.map(({ text, at }) => ({ text: text.endsWith("\r") ? text.slice(0, -1) : text, at }));
}

/** The dialect whose first marker comes first, and the index of that line. */
export function detectDialect(lines: readonly PatchLine[]): { dialect: PatchDialect; first: number } | undefined {
  for (const [index, { text }] of lines.entries()) {
    if (isBeginPatchLine(text)) return { dialect: "begin_patch", first: index };
    if (SEARCH_MARKER.test(text)) return { dialect: "search_replace", first: index };
    if (isUnifiedStart(lines, index)) return { dialect: "unified", first: index };
  }
  return undefined;
}

export const SEARCH_MARKER: RegExp = /^(<{5,9}|-{5,9}) ?(?:SEARCH|ORIGINAL)\s*$/i;

/** Markers may be indented; file headers may not, or a context line would pass for one. */
function isBeginPatchLine(text: string): boolean {
  if (text.length > MAX_MARKER_UNITS && !text.startsWith("***")) return false;
  return /^\s*\*\*\* (?:Begin|End) Patch\s*$/i.test(text) || FILE_HEADER.test(text);
}

const MAX_MARKER_UNITS = 200;

export const FILE_HEADER: RegExp = /^\*\*\* ?(Add|Update|Delete) File ?:(.*)$/i;

export const HEADERS_HINT: string =
  'The headers are "*** Add File: path", "*** Delete File: path", "*** Update File: path" and, under the last, ' +
  '"*** Move to: path".';

/** A line of the patch as a message shows it. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN_UNITS ? `${text.slice(0, MAX_SHOWN_UNITS)}…` : text);
}

const MAX_SHOWN_UNITS = 100;

export function isUnifiedStart(lines: readonly PatchLine[], index: number): boolean {
  const text = lines[index]?.text ?? "";
  return text.startsWith("diff --git ") || isFileNames(lines, index) || /^@@ -\d+(?:,\d+)? \+\d/.test(text);
}

/** `--- a` and `+++ b`, one after the other. */
export function isFileNames(lines: readonly PatchLine[], index: number): boolean {
  const isOld = lines[index]?.text.startsWith("--- ") === true;
  return isOld && lines[index + 1]?.text.startsWith("+++ ") === true;
}

export function isFence(text: string): boolean {
  return FENCE.test(text);
}

const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/;

/**
 * If a fence was opened right above the first marker: the lines inside it and any later fence, and what was left out.
 * Else the same lines. A fence ends at the same column with as many signs: ` ``` ` behind a blank is a line of the file.
 */
export function insideFences(
  lines: readonly PatchLine[],
  first: number,
): { readonly inside: readonly PatchLine[]; readonly outside: readonly PatchLine[] } {
  let above = first - 1;
  while (above >= 0 && lines[above]?.text.trim() === "") above--;
  let opened = FENCE.exec(lines[above]?.text ?? "")?.[0];
  if (opened === undefined) return { inside: lines.slice(first), outside: [] };
  const [inside, outside]: [PatchLine[], PatchLine[]] = [[], []];
  for (const line of lines.slice(first)) {
    const fence = FENCE.exec(line.text)?.[0];
    if (opened === undefined) {
      if (fence === undefined) outside.push(line);
      else opened = fence;
    } else if (fence?.startsWith(opened) === true && line.text.trim() === fence.trim()) opened = undefined;
    else inside.push(line);
  }
  return { inside, outside };
}
