/**
 * The lines of a patch with their numbers, what kind of patch they are, and hunks made of signed lines and their `@@`
 * headers. Only LF ends a line, because a CR before it may belong to the file; but a patch whose own markers end in CR
 * was written with CRLF as a whole, and then no line owns its CR (GNU patch decides the same way).
 *
 * A line without a sign is context as it stands; whether it is there decides the placing. Wholly empty lines are empty
 * context inside a hunk, and nothing at its ends. The numbers of a header are only a hint, so half a pair is taken as
 * well.
 *
 * Usual mistake: dropping lines without a sign, which moves what stands between them.
 */
import { findPlaceholder } from "../lines/sent-lines.ts";
import { refusal, type Hunk, type HunkLine, type PatchDialect, type PatchNotes, type PatchRefusal } from "./model.ts";
import { lineBreak } from "../lines/lines.ts";

interface RawHunk {
  /** The lines that start with `@@`, most often one. */
  readonly headers: readonly PatchLine[];
  readonly body: readonly PatchLine[];
  readonly dialect: PatchDialect;
  readonly endOfFile?: boolean;
  readonly follows?: boolean;
  /** The counts of the header agree with the body: then its empty lines at the ends belong to it. */
  readonly isCounted?: boolean;
}

/** @returns `undefined` when there is nothing in the body */
export function buildHunk(raw: RawHunk, notes: PatchNotes): Hunk | undefined {
  const isCounted = raw.isCounted === true;
  const skipped = isCounted ? 0 : Math.max(0, raw.body.findIndex(isFull));
  const body = isCounted ? raw.body : raw.body.slice(skipped, raw.body.findLastIndex(isFull) + 1);
  if (body.length === 0) return undefined;
  const lines: HunkLine[] = [];
  let last: HunkLine["kind"] | undefined;
  const noNewline = { old: false, new: false };
  for (const line of body) {
    if (NO_NEWLINE.test(line.text)) {
      if (last !== "insert") noNewline.old = true;
      if (last !== "remove") noNewline.new = true;
      continue;
    }
    const read = readLine(line, notes);
    lines.push(read);
    last = read.kind;
  }
  refusePlaceholder(lines, body);
  refuseUnsigned(lines, body);
  return {
    lines,
    ...readHeaders(raw, skipped, notes),
    endOfFile: raw.endOfFile === true,
    ...(noNewline.old ? { oldNoNewline: true as const } : {}),
    ...(noNewline.new ? { newNoNewline: true as const } : {}),
    ...(raw.follows === true ? { follows: true as const } : {}),
    at: (raw.headers.at(-1) ?? body[0])?.at ?? 1,
  };
}

/** Context alone changes nothing, but lines that all lack a sign were meant to: line numbers stand before it, or so. */
function refuseUnsigned(lines: readonly HunkLine[], body: readonly PatchLine[]): void {
  const isMeant = lines.some(({ unprefixed, text }) => unprefixed === true && text.trim() !== "");
  if (!isMeant || lines.some(({ kind }) => kind !== "keep")) return;
  const hint = 'Begin every line with its sign: "-" for a removed, "+" for an inserted, a blank for any other line.';
  throw refusal("bad_line", body[0]?.at ?? 1, "no line of this hunk begins with + or -", hint);
}

export const NO_NEWLINE: RegExp = /^\\ ?No newline at end of file/i;

/** `@@` of its own dialect is hard; a section heading behind numbers is what git thought useful. */
function readHeaders(raw: RawHunk, skipped: number, notes: PatchNotes) {
  const headers = raw.headers.map(({ text }) => parseHunkHeader(text));
  const numbered = headers.findLast(({ startLine }) => startLine !== undefined);
  const first = raw.headers[0];
  if (raw.dialect === "begin_patch" && numbered && first) {
    notes.add("Line numbers after @@ only decide between equal places", first.at);
  }
  const anchors = headers.flatMap(({ anchor }) => anchor ?? []);
  return {
    anchors,
    anchorKind: raw.dialect === "begin_patch" && !numbered ? ("hard" as const) : ("soft" as const),
    ...(numbered?.startLine === undefined ? {} : { startLine: numbered.startLine + skipped }),
  };
}

function readLine({ text, at }: PatchLine, notes: PatchNotes): HunkLine {
  const rest = text.slice(1);
  if (text.startsWith(" ")) return { kind: "keep", text: rest };
  if (text.startsWith("-")) return { kind: "remove", text: rest };
  if (text.startsWith("+")) return { kind: "insert", text: rest };
  if (text === "" || text === "\r") notes.add("Wholly empty lines were read as empty context", at);
  else notes.add("Lines without a sign were read as context", at);
  return { kind: "keep", text, unprefixed: true };
}

function isFull({ text }: PatchLine): boolean {
  return text !== "" && text !== "\r";
}

function refusePlaceholder(lines: readonly HunkLine[], body: readonly PatchLine[]): void {
  const inserted = lines.filter(({ kind }) => kind === "insert").map(({ text }) => text);
  const old = lines.filter(({ kind }) => kind !== "insert").map(({ text }) => text);
  const marker = findPlaceholder(inserted.join("\n"), old.join("\n"));
  if (!marker) return;
  const line = body.find(({ text }) => text.startsWith("+") && text.slice(1).trim() === marker.text);
  throw placeholderRefusal(line?.at ?? body[0]?.at ?? 1, marker.text);
}

export function placeholderRefusal(line: number, text: string): PatchRefusal {
  const hint = "Write out the lines that it stands for, or use smaller hunks around them.";
  return refusal(
    "placeholder",
    line,
    `${JSON.stringify(text)} is a placeholder, and would delete what it stands for`,
    hint,
  );
}

interface HunkHeader {
  /** 1-based line where the old lines begin, or before which to insert when there are none. */
  readonly startLine?: number;
  readonly oldCount?: number;
  readonly newCount?: number;
  readonly anchor?: string;
}

export function parseHunkHeader(line: string): HunkHeader {
  const body = line.slice(2).trim();
  const ranges = RANGES.exec(body);
  if (ranges) {
    const [, start, oldCount, , newCount] = ranges;
    const anchor = (ranges[5] ?? "").trim();
    const before = oldCount === "0" ? 1 : 0;
    return {
      startLine: Math.max(1, Number(start) + before),
      oldCount: Number(oldCount ?? 1),
      newCount: Number(newCount ?? 1),
      ...(anchor === "" ? {} : { anchor }),
    };
  }
  const text = body.endsWith("@@") ? body.slice(0, -2).trim() : body;
  const loose = LOOSE_NUMBER.exec(text);
  if (loose) return { startLine: Math.max(1, Number(loose[1])) };
  return /^(?:\.{3,}|…)?$/.test(text) ? {} : { anchor: text };
}

const RANGES = /^-(\d{1,9})(?:,(\d{1,9}))? +\+(\d{1,9})(?:,(\d{1,9}))? *@@(.*)$/;
/** `12`, `line 12`, `-12,3`, `-12,3 +12`: what is left of a header that a model wrote from memory. */
const LOOSE_NUMBER = /^(?:lines? )?[-+]?(\d{1,9})(?: ?[,-] ?\d{1,9})?(?: +\+?\d{1,9}(?:,\d{1,9})?)?$/i;

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

export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN_UNITS ? `${text.slice(0, MAX_SHOWN_UNITS)}…` : text);
}

const MAX_SHOWN_UNITS = 100;

export function isUnifiedStart(lines: readonly PatchLine[], index: number): boolean {
  const text = lines[index]?.text ?? "";
  return text.startsWith("diff --git ") || isFileNames(lines, index) || /^@@ -\d+(?:,\d+)? \+\d/.test(text);
}

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
