/**
 * The unified diff of two texts, bounded in bytes and in time, as GNU diff writes it (POSIX `diff -u`). Lines are
 * compared with their endings, so a line whose only change is its ending is shown as changed. A diff that was not cut
 * turns `before` into `after` exactly; one that was cut says in its last line what was left out.
 *
 * Only the lines between the common beginning and end reach the diff algorithm, and the context around them is added
 * afterwards: 10 MB with one changed line costs as much as finding it. Usual mistake: splitting both files to learn
 * that one line changed.
 */
import { structuredPatch } from "diff";
import { formatBytes, truncateUtf8 } from "../show-text.ts";

interface DiffOptions {
  readonly path: string;
  /** When the file moves; default `path`. */
  readonly newPath?: string;
  /** Unchanged lines around a change; default 3. */
  readonly context?: number;
  readonly maxBytes: number;
  readonly missingBefore?: boolean;
  readonly missingAfter?: boolean;
}

interface UnifiedDiff {
  readonly text: string;
  /** The lines of the whole diff, also when its text was cut. */
  readonly added: number;
  readonly removed: number;
  readonly truncated: boolean;
  /** The texts differ in too much: all of the one is removed and all of the other added. */
  readonly isWhole?: boolean;
}

export function unifiedDiff(before: string, after: string, options: DiffOptions): UnifiedDiff {
  const isMissing = options.missingBefore === true || options.missingAfter === true;
  if (before === after && !isMissing && (options.newPath ?? options.path) === options.path) {
    return { text: "", added: 0, removed: 0, truncated: false };
  }
  const oldName = options.missingBefore === true ? "/dev/null" : formatFileName("a/", options.path);
  const newName = options.missingAfter === true ? "/dev/null" : formatFileName("b/", options.newPath ?? options.path);
  const { text, ...found } =
    before === after ? NO_CHANGE : findChanges(before, after, options.context ?? DEFAULT_CONTEXT);
  return { ...boundDiff(`--- ${oldName}\n+++ ${newName}\n${text}`, options.maxBytes), ...found };
}

/** What differs, without the names; the text of all hunks. */
type Changes = Pick<UnifiedDiff, "text" | "added" | "removed" | "isWhole">;
const NO_CHANGE: Changes = { text: "", added: 0, removed: 0 };

const DEFAULT_CONTEXT = 3;
/** Inserted and removed lines until the search for the shortest script ends; its cost grows with their square. */
const MAX_CHANGED_LINES = 2000;
/** For lines that are slow to compare; the other bound is met first on ordinary text. */
const MAX_DIFF_MS = 1000;

/** More lines are not compared: each is a string of its own, several times over. */
const MAX_COMPARED_LINES = 400_000;

function findChanges(before: string, after: string, context: number): Changes {
  const start = commonHead(before, after);
  const tail = commonTail(before, after, start);
  const end = before.length - tail;
  const [old, fresh] = [before.slice(start, end), after.slice(start, after.length - tail)];
  const lines = countLineFeeds(before, start);
  const [removed, added] = [countLines(old), countLines(fresh)];
  if (removed + added > MAX_COMPARED_LINES) {
    const head = `@@ -${rangeOf(lines + 1, removed)} +${rangeOf(lines + 1, added)} @@\n`;
    return { text: head + signText("-", old) + signText("+", fresh), added, removed, isWhole: true };
  }
  const bounds = { context, maxEditLength: MAX_CHANGED_LINES, timeout: MAX_DIFF_MS };
  const patch = structuredPatch("", "", old, fresh, undefined, undefined, bounds);
  const whole = { oldStart: 1, newStart: 1, lines: patch ? [] : [...signed("-", old), ...signed("+", fresh)] };
  const hunks = (patch?.hunks ?? [whole]).map((hunk) => ({
    oldStart: hunk.oldStart + lines,
    newStart: hunk.newStart + lines,
    lines: hunk.lines,
  }));
  const shown = withContext(hunks, before, start, end, context);
  const count = (sign: string): number =>
    shown.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(sign)).length, 0);
  const sums = { added: count("+"), removed: count("-"), ...(patch ? {} : { isWhole: true }) };
  return { text: shown.map(formatHunk).join(""), ...sums };
}

/**
 * The context that lies outside of the middle. Without it a hunk at the edge looks like one at the edge of the file, which
 * `git apply` then insists on.
 */
function withContext(hunks: readonly Hunk[], text: string, start: number, end: number, context: number): Hunk[] {
  return hunks.map(({ oldStart, newStart, lines }, index) => {
    const leading = lines.findIndex(isChange);
    const trailing = lines.length - 1 - lines.findLastIndex(isChange);
    const isLast = index === hunks.length - 1;
    const from = index === 0 ? stepBack(text, start, context - leading) : start;
    const to = isLast ? stepForward(text, end, context - trailing) : end;
    const before = signed(" ", text.slice(from, start));
    const after = signed(" ", text.slice(end, to));
    return {
      oldStart: oldStart - before.length,
      newStart: newStart - before.length,
      lines: [...before, ...lines, ...after],
    };
  });
}

function isChange(line: string): boolean {
  return !line.startsWith(" ");
}

function signed(sign: "-" | "+" | " ", text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const isEnded = lines.at(-1) === "";
  if (isEnded) lines.pop();
  const marked = lines.map((line) => sign + line);
  return isEnded ? marked : [...marked, NO_NEWLINE];
}

const NO_NEWLINE = "\\ No newline at end of file";

/** As `signed`, joined, without a string for each line. */
function signText(sign: "-" | "+", text: string): string {
  if (text === "") return "";
  const isEnded = text.endsWith("\n");
  const body = isEnded ? text.slice(0, -1) : text;
  return `${sign}${body.replaceAll("\n", `\n${sign}`)}\n${isEnded ? "" : `${NO_NEWLINE}\n`}`;
}

function countLines(text: string): number {
  return countLineFeeds(text, text.length) + (text === "" || text.endsWith("\n") ? 0 : 1);
}

/** Compared block by block: equality of two strings is a memcmp, a loop over characters is not. */
const BLOCK_UNITS = 16 * 1024;

function commonHead(a: string, b: string): number {
  const max = Math.min(a.length, b.length);
  let at = 0;
  while (at < max && a.slice(at, at + BLOCK_UNITS) === b.slice(at, at + BLOCK_UNITS)) at += BLOCK_UNITS;
  at = Math.min(at, max);
  while (at < max && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at === 0 ? 0 : a.lastIndexOf("\n", at - 1) + 1;
}

function commonTail(a: string, b: string, head: number): number {
  const max = Math.min(a.length, b.length) - head;
  let length = 0;
  while (length + BLOCK_UNITS <= max && block(a, length) === block(b, length)) length += BLOCK_UNITS;
  while (length < max && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  const lineEnd = a.indexOf("\n", a.length - length);
  return lineEnd === -1 ? 0 : a.length - lineEnd - 1;
}

function block(text: string, fromEnd: number): string {
  return text.slice(text.length - fromEnd - BLOCK_UNITS, text.length - fromEnd);
}

function stepBack(text: string, lineStart: number, lines: number): number {
  let at = lineStart;
  for (let left = lines; left > 0 && at > 0; left--) at = at === 1 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
  return at;
}

function stepForward(text: string, lineStart: number, lines: number): number {
  let at = lineStart;
  for (let left = lines; left > 0 && at < text.length; left--) {
    const end = text.indexOf("\n", at);
    at = end === -1 ? text.length : end + 1;
  }
  return at;
}

function countLineFeeds(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Lines carry their sign and no line feed; starts are 1-based, also for an empty side. */
interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

function formatHunk(hunk: Hunk): string {
  const oldLines = hunk.lines.filter((line) => line.startsWith("-") || line.startsWith(" ")).length;
  const newLines = hunk.lines.filter((line) => line.startsWith("+") || line.startsWith(" ")).length;
  const ranges = `-${rangeOf(hunk.oldStart, oldLines)} +${rangeOf(hunk.newStart, newLines)}`;
  return `@@ ${ranges} @@\n${hunk.lines.join("\n")}\n`;
}

/** A side without lines is named by the line before. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

/** An absolute path stands as it is: behind a prefix it would look like a relative one. */
function formatFileName(side: "a/" | "b/", path: string): string {
  const prefix = /^(?:[A-Za-z]:)?[\\/]/.test(path) ? "" : side;
  if (!/["\\\u0000-\u001f\u007f]/.test(path)) return prefix + path;
  const quoted = path.replace(/["\\\u0000-\u001f\u007f]/g, (character) =>
    character === '"' || character === "\\"
      ? `\\${character}`
      : `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${prefix}${quoted}"`;
}

export function boundDiff(text: string, maxBytes: number): { text: string; truncated: boolean } {
  const cut = truncateUtf8(text, maxBytes);
  if (!cut.truncated) return { text, truncated: false };
  const kept = text.slice(0, cut.text.lastIndexOf("\n") + 1);
  const bytes = cut.totalBytes - Buffer.byteLength(kept);
  const rest = text.slice(kept.length);
  const lines = countLineFeeds(rest, rest.length);
  const what = `${lines} more ${lines === 1 ? "line" : "lines"} of the diff left out (${formatBytes(bytes)})`;
  return { text: `${kept}… ${what}\n`, truncated: true };
}
