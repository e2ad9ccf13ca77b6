/**
 * Writes placed hunks into the text. Only removed and inserted lines are touched: context keeps its bytes, and an
 * inserted line takes the ending of the line it replaces or of its neighbour above, unless the hunk knows better.
 *
 * Whether the last line is ended stays as it is, unless a hunk that reaches the end says otherwise. Usual mistake:
 * writing context back as the patch has it.
 */
import { createEndingFitter } from "../ending-fitter.ts";
import { dominantEnding } from "../line-endings.ts";
import { withoutCarriageReturn, type FileLines } from "./file-lines.ts";
import { newTextsOf, type PlacedHunk, type PlacingTarget } from "./placing.ts";
import { reindent } from "./reindent.ts";

/** Characters of the text that are replaced. */
export interface Change {
  readonly hunk: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Of the last inserted line, so that it can be taken away at the end of the file. */
  readonly lastEnding: string;
}

/** Ascending; changes at the same place keep the order of the patch. */
export function findChanges(target: PlacingTarget, hunks: readonly PlacedHunk[]): Change[] {
  const inLines = hunks.filter(({ unit }) => unit === "lines").flatMap((placed) => changesOf(target, placed));
  const inside = hunks.filter(({ unit }) => unit === "characters");
  return [...inLines, ...changesInside(target, inside)].sort((a, b) => a.start - b.start || a.end - b.end);
}

function changesOf(target: PlacingTarget, placed: PlacedHunk): Change[] {
  const { lines: file } = target;
  const own = target.texts.slice(placed.start, placed.start + placed.length);
  const lines = placed.isReindented ? reindent(placed.lines, own) : placed.lines;
  const changes: Change[] = [];
  let at = placed.start;
  let first = at;
  let inserted: string[] = [];
  const flush = (): void => {
    if (at > first || inserted.length > 0) changes.push(makeChange(target, placed, first, at, inserted));
    inserted = [];
  };
  for (const { kind, text } of lines) {
    if (kind === "insert") inserted.push(text);
    else if (kind === "remove") at++;
    else {
      flush();
      at++;
      first = at;
    }
  }
  flush();
  return changes
    .filter(({ start, end, text }) => start < end || text !== "")
    .map((change) => closeLine(file, change));
}

/** Lines `first` up to `end` of the file are replaced by the inserted ones. */
function makeChange(
  { lines: file, text }: PlacingTarget,
  placed: PlacedHunk,
  first: number,
  end: number,
  inserted: readonly string[],
): Change {
  const parts: string[] = [];
  let ending = placed.hasOwnEndings ? "\n" : endingAround(text, file, first, end);
  for (const [offset, line] of inserted.entries()) {
    if (!placed.hasOwnEndings && first + offset < end) ending = wholeEnding(file, first + offset) ?? ending;
    parts.push(placed.hasOwnEndings ? line : withoutCarriageReturn(line), ending);
  }
  return {
    hunk: placed.index,
    start: file.starts[first] ?? text.length,
    end: file.starts[end] ?? text.length,
    text: parts.join(""),
    lastEnding: inserted.length === 0 ? "" : ending,
  };
}

/** Of the line above, else of the first removed or next line, else what the file has most. */
function endingAround(text: string, file: FileLines, first: number, end: number): string {
  const near = wholeEnding(file, first - 1) ?? wholeEnding(file, first) ?? wholeEnding(file, end);
  return near ?? dominantEnding(text) ?? "\n";
}

function wholeEnding(file: FileLines, line: number): string | undefined {
  const ending = file.endings[line];
  return ending?.endsWith(file.stop) === true ? ending : undefined;
}

/** Text behind a last line that is not ended first has to end it. */
function closeLine(file: FileLines, change: Change): Change {
  const length = file.starts.at(-1) ?? 0;
  if (change.start < length || length === 0 || file.isEnded) return change;
  return { ...change, text: change.lastEnding + change.text };
}

function changesInside(target: PlacingTarget, hunks: readonly PlacedHunk[]): Change[] {
  if (hunks.length === 0) return [];
  const fit = createEndingFitter(target.text);
  return hunks.map(({ index, start, length, lines }) => {
    const text = fit(start, start + length, newTextsOf(lines).join("\n"));
    return { hunk: index, start, end: start + length, text, lastEnding: "" };
  });
}

/** The changes must be ascending and apart. */
export function spliceChanges(
  target: PlacingTarget,
  hunks: readonly PlacedHunk[],
  changes: readonly Change[],
): string {
  const { text, lines: file } = target;
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end, text: inserted } of changes) {
    parts.push(text.slice(kept, start), inserted);
    kept = end;
  }
  parts.push(text.slice(kept));
  const joined = parts.join("");
  const wanted = wantsFinalNewline(file, hunks);
  if (wanted === undefined || joined === "") return joined;
  const last = changes.at(-1);
  const isInserted = last !== undefined && last.end === text.length && last.text !== "";
  const ending = isInserted ? last.lastEnding : lastEndingOf(joined, file.stop);
  if (!wanted) return ending === "" ? joined : joined.slice(0, joined.length - ending.length);
  return joined.endsWith(file.stop) ? joined : joined + (dominantEnding(text) ?? "\n");
}

/** `undefined` when no hunk reaches the end of the file, and nothing is to be done. */
function wantsFinalNewline(file: FileLines, hunks: readonly PlacedHunk[]): boolean | undefined {
  const count = file.texts.length;
  const atEnd = hunks.filter(({ unit, start, length }) => unit === "lines" && start + length === count);
  if (atEnd.length === 0) return undefined;
  const isOldOpen = atEnd.some(({ hunk }) => hunk.oldNoNewline === true);
  const isNewOpen = atEnd.some(({ hunk }) => hunk.newNoNewline === true);
  if (isOldOpen !== isNewOpen) return isOldOpen;
  return count === 0 || file.isEnded;
}

function lastEndingOf(text: string, stop: string): string {
  if (!text.endsWith(stop)) return "";
  return stop === "\n" && text.endsWith("\r\n") ? "\r\n" : stop;
}
