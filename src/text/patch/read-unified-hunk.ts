/**
 * Reads one hunk of a unified diff. If the counts in its header fit the lines that follow they are believed, so that
 * removed lines which look like headers stay lines. If not they are ignored, and the hunk goes on to the next header.
 *
 * Usual mistake: trusting the counts, which models get wrong more often than right.
 */
import { buildHunk } from "./build-hunk.ts";
import { parseHunkHeader } from "./hunk-header.ts";
import { isFileNames, type PatchLine } from "./patch-lines.ts";
import type { Hunk, PatchProblem } from "./patch-model.ts";
import type { PatchNotes } from "./patch-notes.ts";

export function readUnifiedHunk(
  lines: readonly PatchLine[],
  index: number,
  notes: PatchNotes,
): { hunk: Hunk | PatchProblem | undefined; next: number } {
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

/** Lines without a sign behind an empty line at the end are no context: someone says goodbye. */
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

/** A hunk that is longer has context of its own to go by. */
const MAX_LINES_BACK = 200;
