/**
 * One proposal as the page gets it: an outline at once, and its lines in parts, as they come on the screen. Paths stand twice
 * in it: as the proposal names them, to decide by, and with nothing in them that hides or commands, to be shown.
 */
import { escapeLine } from "../../text/index.ts";
import {
  colorPieces,
  foldedBecause,
  layLines,
  showHunk,
  type DiffRow,
  type LaidLine,
  type ReviewedFile,
  type ReviewLayout,
  type ShownHunk,
} from "../../review/index.ts";
import type { Outline, OutlineFile } from "../outline.ts";
import type { BareReview, LoadedProposal, StaleSection } from "../protocol.ts";
import type { Colorist } from "./color-texts.ts";

interface Position {
  readonly file: number;
  readonly line: number;
}

export class ShownProposal {
  readonly review: BareReview;
  readonly #why: readonly string[];
  readonly #files: readonly ReviewedFile[];
  readonly #laid: Map<string, readonly LaidLine[]> = new Map();
  readonly #coloredLaid: Map<string, readonly LaidLine[]> = new Map();
  readonly #colored: Map<string, Promise<ShownHunk>> = new Map();

  /** What has changed since stands first, and what has no rows is said in words. */
  constructor({ review, why, stale }: LoadedProposal) {
    this.review = review;
    this.#why = why;
    const files = review.files.map((file) => ({ ...file, hunks: file.hunks.map((hunk) => showHunk(hunk)) }));
    const hasWordsOnly = review.isCall || files.some(({ hunks }) => hunks.length === 0);
    const sections = stale.map((section) => sectionOf(section));
    this.#files = [...sections, ...(hasWordsOnly ? [sheetOf(review)] : []), ...files];
  }

  /** Why a person is asked, and all that it does. */
  explain(): string {
    return `${this.#why.join("\n")}\n\n${this.review.text}`;
  }

  outline(layout: ReviewLayout): Outline {
    const {
      label,
      id,
      tool,
      risk,
      createdAt,
      expiresAt,
      isCall,
      summary,
      client = "",
      warnings,
      problem,
    } = this.review;
    return {
      label,
      id,
      tool,
      risk,
      createdAt,
      expiresAt,
      isCall,
      summary: escapeLine(summary),
      client: escapeLine(client),
      warnings: warnings.map((warning) => escapeLine(warning)),
      problem: problem === undefined ? undefined : escapeLine(problem),
      files: this.#files.map((file, index) => outlineOf(file, this.#lines(index, layout))),
    };
  }

  /** Lines of one of the files of the outline, with colours where there are some in time. */
  async lines(
    { file, from, to, layout }: { file: number; from: number; to: number; layout: ReviewLayout },
    colorist: Colorist | undefined,
  ): Promise<readonly LaidLine[]> {
    const lines = this.#lines(file, layout);
    const part = lines.slice(from, to);
    const shown = this.#files[file];
    if (!colorist || !shown || shown.path === SHEET) return part;
    const wanted = new Set(part.flatMap((line) => ("in" in line ? [line.in] : [])));
    const hunks = await Promise.all(
      shown.hunks.map(async (hunk) =>
        wanted.has(hunk.number) ? await this.#color(file, shown.path, hunk, colorist) : hunk,
      ),
    );
    const rows = hunks
      .filter(({ number }) => wanted.has(number))
      .flatMap((hunk) => this.#coloredLines(hunk, { file, layout }));
    const first = lines.findIndex((line) => "in" in line && wanted.has(line.in));
    // The rows of the wanted hunks follow each other, with a head between two hunks.
    let at = lines.slice(first, from).filter((line) => "in" in line).length;
    return part.map((line) => ("in" in line ? (rows[at++] ?? line) : line));
  }

  /** The first line behind this one in which the text is shown; behind the last comes the first. Case is not looked at. */
  find({
    text,
    layout,
    file,
    line,
  }: {
    text: string;
    layout: ReviewLayout;
    file: number;
    line: number;
  }): Position | undefined {
    const wanted = text.toLowerCase();
    let first: Position | undefined;
    for (let at = 0; at < this.#files.length; at++)
      for (const [number, one] of this.#lines(at, layout).entries()) {
        const isBehind = at > file || (at === file && number > line);
        if ((!isBehind && first) || !textsOf(one).some((shown) => shown.toLowerCase().includes(wanted))) continue;
        if (isBehind) return { file: at, line: number };
        first = { file: at, line: number };
      }
    return first;
  }

  /** A new file is one hunk, of which every block of lines is asked for. */
  #coloredLines(hunk: ShownHunk, { file, layout }: { file: number; layout: ReviewLayout }): readonly LaidLine[] {
    const key = `${layout} ${file} ${hunk.number}`;
    const known = this.#coloredLaid.get(key) ?? layLines([hunk], layout).slice(1);
    this.#coloredLaid.set(key, known);
    return known;
  }

  #lines(file: number, layout: ReviewLayout): readonly LaidLine[] {
    const key = `${layout} ${file}`;
    const known = this.#laid.get(key) ?? layLines(this.#files[file]?.hunks ?? [], layout);
    this.#laid.set(key, known);
    return known;
  }

  async #color(file: number, path: string, hunk: ShownHunk, colorist: Colorist): Promise<ShownHunk> {
    const key = `${file} ${hunk.number}`;
    const known = this.#colored.get(key) ?? colored(path, hunk, colorist);
    this.#colored.set(key, known);
    return await known;
  }
}

async function colored(path: string, hunk: ShownHunk, colorist: Colorist): Promise<ShownHunk> {
  const tokens = await colorist.tokens(path, hunk.rows);
  if (!tokens) return hunk;
  return { ...hunk, rows: hunk.rows.map((row, at) => ({ ...row, pieces: colorPieces(row, tokens[at] ?? []) })) };
}

function textsOf(line: LaidLine): string[] {
  if ("hunk" in line) return [];
  const rows = "row" in line ? [line.row] : [line.left, line.right];
  return rows.flatMap((row) => (row ? [row.pieces.map(({ text }) => text).join("")] : []));
}

/** No file is called so. */
const SHEET = "";

/** One of old, new and now, beside the files: nothing of it is chosen. */
function sectionOf({ title, hunks }: StaleSection): ReviewedFile {
  const shown = hunks.map((hunk) => ({ ...showHunk(hunk), places: [] }));
  return { path: SHEET, absolute: SHEET, line: title, added: 0, removed: 0, hunks: shown };
}

/** The sheet as a file of context alone: a surface shows it as it shows a diff. */
function sheetOf({ text }: BareReview): ReviewedFile {
  const rows = text
    .split("\n")
    .map((line): DiffRow => ({ kind: "same", raw: line, pieces: [{ kind: "plain", text: line }], isUnended: false }));
  return {
    path: SHEET,
    absolute: SHEET,
    line: "All that it does",
    added: 0,
    removed: 0,
    hunks: [{ number: 1, rows, places: [] }],
  };
}

function outlineOf({ path, line, added, removed, hunks }: ReviewedFile, lines: readonly LaidLine[]): OutlineFile {
  const folded = path === SHEET || hunks.length === 0 ? undefined : foldedBecause({ path, hunks });
  const heads = new Map(lines.flatMap((one, at): [number, number][] => ("hunk" in one ? [[one.hunk, at]] : [])));
  return {
    path: path === SHEET ? undefined : path,
    line,
    shown: escapeLine(path),
    added,
    removed,
    lines: lines.length,
    hunks: hunks.map(({ number, places }) => ({ number, places, at: heads.get(number) ?? 0 })),
    folded,
  };
}
