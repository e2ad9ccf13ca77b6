/**
 * What a person said about a proposal, as a model reads it: the decision, the parts that were left out, and every comment with
 * the line that it is about, quoted, so that it can be found when the numbers have moved.
 */
import type { LeftOut, ReviewComment } from "../calls/index.ts";
import { escapeLine, truncateUtf8 } from "../text/index.ts";

/** What comments may take of an answer; the rest is counted. */
const MAX_COMMENTS_BYTES: number = 32 * 1024;
const MAX_QUOTE_CHARS = 200;

/** Gives a line each: `Left out: a.ts, hunks 2 and 3.1.` */
export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  return leftOut.map(({ path, hunks }) => `Left out: ${escapeLine(path)}${hunks ? `, ${hunksInWords(hunks)}` : ""}.`);
}

function hunksInWords(hunks: readonly (number | string)[]): string {
  return `hunk${hunks.length === 1 ? "" : "s"} ${hunks.join(", ")}`;
}

/** What a person wrote instead of the text that was proposed; the agent knows the file by it without reading that again. */
export function editedLines(edited: readonly { readonly path: string; readonly diff: string }[]): string[] {
  return edited.flatMap(({ path, diff }) => [
    `The person changed your text of ${escapeLine(path)} before it was written:`,
    ...diff.trimEnd().split("\n"),
  ]);
}

/** Gives each comment as `path:line "quoted line": comment`; further lines of a comment are indented. */
export function commentLines(comments: readonly ReviewComment[]): string[] {
  const lines: string[] = [];
  let bytes = 0;
  for (const [index, comment] of comments.entries()) {
    const line = commentLine(comment);
    bytes += Buffer.byteLength(line);
    if (bytes > MAX_COMMENTS_BYTES) return [...lines, `And ${comments.length - index} more comments.`];
    lines.push(line);
  }
  return lines;
}

function commentLine({ path, line, to, side, quote, text }: ReviewComment): string {
  const lines = line === undefined ? "" : to === undefined || to <= line ? `:${line}` : `:${line}-${to}`;
  const place = path === undefined ? [] : [`${escapeLine(path)}${lines}`];
  const where = side === "before" && line !== undefined ? ["before the change"] : [];
  const quoted = quote === undefined ? [] : [`"${escapeLine(truncateUtf8(quote, MAX_QUOTE_CHARS).text)}"`];
  const about = [...place, ...where, ...quoted].join(" ");
  const said = text.split("\n").map(escapeLine).join("\n  ");
  return about === "" ? said : `${about}: ${said}`;
}
