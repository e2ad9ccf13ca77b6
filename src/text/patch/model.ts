/**
 * What a patch says after it is read, whichever dialect it was written in, which liberties the reading took, and why a
 * patch cannot be read. Nothing here knows the file: which lines a hunk stands on is decided by `applyHunks`.
 *
 * Usual mistake: trusting the line numbers of a hunk. They only decide between places that fit equally well.
 */

export type PatchDialect = "begin_patch" | "unified" | "search_replace";

export interface ParsedPatch {
  readonly kind: "patch";
  readonly dialect: PatchDialect;
  /** One entry for each path, in the order of the patch. */
  readonly files: readonly FilePatch[];
  /** One sentence for each liberty that was taken in reading, fit to be shown. */
  readonly tolerances: readonly string[];
}

export type FilePatch = AddFile | ReplaceFile | DeleteFile | UpdateFile | CopyFile;

export interface NamedFile {
  readonly path: string;
  /**
   * The spellings that the header may mean (without and with `a/` or `b/`, with and without blanks at its ends), in the
   * order to be tried. Take the first that exists, and `path` when none does.
   */
  readonly candidatesForPath?: readonly string[];
}

export interface AddFile extends NamedFile {
  readonly kind: "add";
  /** With LF; a CR that the patch has in a line stays there. */
  readonly content: string;
  readonly executable?: boolean;
}

/** A delete and an add of one path: the mode of the file there is to be kept. */
interface ReplaceFile extends NamedFile {
  readonly kind: "replace";
  readonly content: string;
  readonly executable?: boolean;
}

interface DeleteFile extends NamedFile {
  readonly kind: "delete";
  /** Unified diffs only: the lines that the file has, all of them. */
  readonly hunks?: readonly Hunk[];
}

export interface UpdateFile extends NamedFile {
  readonly kind: "update";
  readonly moveTo?: string;
  /** Where the file is if it is neither at `path` nor at `moveTo`, and then does not move: `diff -r old new` has such names. */
  readonly pathBelow?: string;
  readonly mode?: "100644" | "100755";
  /** Empty only when the file moves or its mode changes. All are meant against the original. */
  readonly hunks: readonly Hunk[];
  /** Several sections of the patch were about this file. */
  readonly isJoined?: true;
}

/** Git diffs only: a new file at `path`, made from another one as that is before the patch. */
interface CopyFile extends NamedFile {
  readonly kind: "copy";
  readonly from: string;
  readonly mode?: "100644" | "100755";
  /** Meant against the file at `from`. */
  readonly hunks: readonly Hunk[];
}

export interface HunkLine {
  readonly kind: "keep" | "remove" | "insert";
  /** Without its sign and LF. A CR before the LF is kept, unless the whole patch is written with CRLF. */
  readonly text: string;
  /** The line had no sign, and is read as context. */
  readonly unprefixed?: true;
}

export interface Hunk {
  readonly lines: readonly HunkLine[];
  /** What stands after `@@`, outermost first. */
  readonly anchors: readonly string[];
  /** A hard anchor must be there, above the lines or among them; a soft one only decides between equal places. */
  readonly anchorKind: "hard" | "soft";
  /** 1-based; where the old lines are said to begin, or before which line to insert. */
  readonly startLine?: number;
  readonly endOfFile: boolean;
  readonly oldNoNewline?: true;
  readonly newNoNewline?: true;
  /** The `@@` of the hunk before was repeated inside it: this one goes on where that one stops. */
  readonly follows?: true;
  /** The old text may be part of a line (SEARCH/REPLACE). */
  readonly insideLine?: true;
  /** 1-based line of the patch, for messages. */
  readonly at: number;
}

/** The message is the last part of `Cannot read the patch: line 7 ...`. */
export interface PatchProblem {
  readonly kind: "problem";
  readonly code: PatchProblemCode;
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

type PatchProblemCode =
  | "empty"
  | "not_a_patch"
  | "unbalanced_markers"
  | "escaped_newlines"
  | "mixed_dialects"
  | "bad_header"
  | "bad_path"
  | "bad_line"
  | "no_hunks"
  | "conflict"
  | "placeholder"
  | "binary"
  | "unsupported";

/** Thrown while a patch is read, however deep; `parsePatch` returns its problem. */
export class PatchRefusal extends Error {
  readonly problem: PatchProblem;

  constructor(problem: PatchProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function refusal(code: PatchProblemCode, line: number, message: string, hint: string): PatchRefusal {
  return new PatchRefusal({ kind: "problem", code, line, message: `line ${line}: ${message}`, hint });
}

/** One section of a patch, before sections of the same path are joined. */
export interface Section {
  readonly file: FilePatch;
  readonly at: number;
}

export interface PatchNotes {
  /** `sentence` without its full stop; the lines are put behind it. */
  readonly add: (sentence: string, line?: number) => void;
  readonly sentences: () => string[];
}

const MAX_LINES_NAMED = 8;
const MAX_SENTENCES = 50;

export function createPatchNotes(): PatchNotes {
  const found = new Map<string, { lines: number[]; count: number }>();
  return {
    add: (sentence, line) => {
      const entry = found.get(sentence) ?? { lines: [], count: 0 };
      if (entry.count === 0 && found.size >= MAX_SENTENCES) return;
      found.set(sentence, entry);
      if (line === undefined) return;
      entry.count++;
      if (entry.lines.length < MAX_LINES_NAMED) entry.lines.push(line);
    },
    sentences: () => [...found].map(([sentence, { lines, count }]) => finish(sentence, lines, count)),
  };
}

function finish(sentence: string, lines: readonly number[], count: number): string {
  if (lines.length === 0) return `${sentence}.`;
  const more = count > lines.length ? ` and ${count - lines.length} more` : "";
  return `${sentence} (patch ${count === 1 ? "line" : "lines"} ${lines.join(", ")}${more}).`;
}
