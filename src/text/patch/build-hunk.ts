/**
 * Makes a hunk of signed lines and its `@@` headers. A line without a sign is context as it stands; whether it is there decides the
 * placing. Wholly empty lines are empty context inside a hunk, and nothing at its ends, where they only separate. The numbers of a
 * header are only a hint, so half a pair is taken as well.
 *
 * Usual mistake: dropping lines without a sign, which moves what stands between them.
 */
import { findPlaceholder } from "../lines/placeholder.ts";
import type { PatchLine } from "./patch-lines.ts";
import { refusal, type Hunk, type HunkLine, type PatchDialect, type PatchNotes, type PatchRefusal } from "./model.ts";

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
  const { body, skipped } = raw.isCounted === true ? { body: raw.body, skipped: 0 } : trimEmpty(raw.body);
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
function readHeaders(
  raw: RawHunk,
  skipped: number,
  notes: PatchNotes,
): Pick<Hunk, "anchors" | "anchorKind" | "startLine"> {
  const headers = raw.headers.map(({ text }) => parseHunkHeader(text));
  const numbered = headers.findLast(({ startLine }) => startLine !== undefined);
  const first = raw.headers[0];
  if (raw.dialect === "begin_patch" && numbered && first) {
    notes.add("Line numbers after @@ only decide between equal places", first.at);
  }
  const anchors = headers.flatMap(({ anchor }) => anchor ?? []);
  return {
    anchors,
    anchorKind: raw.dialect === "begin_patch" && !numbered ? "hard" : "soft",
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

function trimEmpty(body: readonly PatchLine[]): { body: readonly PatchLine[]; skipped: number } {
  let start = 0;
  let end = body.length;
  while (start < end && isEmpty(body[start])) start++;
  while (end > start && isEmpty(body[end - 1])) end--;
  return { body: body.slice(start, end), skipped: start };
}

function isEmpty(line: PatchLine | undefined): boolean {
  return line?.text === "" || line?.text === "\r";
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
  return refusal(
    "placeholder",
    line,
    `${JSON.stringify(text)} is a placeholder, and would delete what it stands for`,
    "Write out the lines that it stands for, or use smaller hunks around them.",
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
