/**
 * A proposal as the view in a client gets it with the answer of a call: the rows of the model of a review, whole, and nothing
 * by which it could be approved. What is too long for an answer is left out as a whole and said to be, so that a part never passes for
 * all of it.
 */
import { escapeLine } from "../text/index.ts";
import { layLines, type LaidLine, type ProposalReview } from "../review/index.ts";

export interface ClientView {
  readonly id: string;
  readonly summary: string;
  readonly tool: string;
  readonly risk: string;
  readonly expiresAt: string;
  readonly warnings: readonly string[];
  /** Why it cannot be applied now. */
  readonly problem?: string | undefined;
  readonly files: readonly ClientViewFile[];
  /** All that it does in words: of what has no rows, as a call, bytes and trees. */
  readonly text?: string | undefined;
  /** The bytes that would not fit: no files and no text are here. */
  readonly leftOut?: number | undefined;
}

export interface ClientViewFile {
  readonly line: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly LaidLine[];
}

/** An answer goes through the client, which gives a model the text beside it and keeps both. */
const MAX_BYTES: number = 1024 * 1024;

export function clientViewOf(review: ProposalReview): ClientView {
  const { id, summary, tool, risk, expiresAt, warnings, problem, isCall, files, text } = review;
  const facts = {
    id,
    summary: escapeLine(summary),
    tool,
    risk,
    expiresAt,
    warnings: warnings.map((warning) => escapeLine(warning)),
    ...(problem === undefined ? {} : { problem: escapeLine(problem) }),
  };
  // Laying the rows out takes many times what they are long, in the process that answers everybody.
  const least = files.reduce((sum, { hunks }) => sum + hunks.reduce((all, { rows }) => all + lengthOf(rows), 0), 0);
  if (least > MAX_BYTES) return { ...facts, files: [], leftOut: least };
  const hasWords = isCall || files.some(({ hunks }) => hunks.length === 0);
  const whole: ClientView = {
    ...facts,
    files: files.map(({ line, added, removed, hunks }) => ({
      line,
      added,
      removed,
      lines: layLines(hunks, "unified"),
    })),
    ...(hasWords ? { text } : {}),
  };
  const bytes = Buffer.byteLength(JSON.stringify(whole));
  return bytes <= MAX_BYTES ? whole : { ...facts, files: [], leftOut: bytes };
}

/** Characters of its lines; as JSON they are longer. */
function lengthOf(rows: readonly { readonly raw: string }[]): number {
  return rows.reduce((sum, { raw }) => sum + raw.length, 0);
}
