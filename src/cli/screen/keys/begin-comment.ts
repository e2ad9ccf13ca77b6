/**
 * A comment begins at the line that the reader is at: about the proposal, a file, a line, or a range of lines. It quotes the
 * first line, so that the agent finds the place when the numbers have moved.
 */
import type { ReviewComment } from "../../../calls/index.ts";
import type { ReviewLine } from "../../../review/index.ts";
import type { OpenProposal, ScreenState } from "../screen-state.ts";

export function beginComment(state: ScreenState, open: OpenProposal, line: ReviewLine | undefined): ScreenState {
  const about = aboutOf(open, line);
  const where =
    about.path === undefined ? "the proposal" : `${about.path}${about.line === undefined ? "" : `:${about.line}`}`;
  const label = `What do you say about ${where}?`;
  const text = open.choices.unsent ?? "";
  return { ...state, mode: { kind: "text", purpose: "comment", label, text, about } };
}

function aboutOf(open: OpenProposal, line: ReviewLine | undefined): Omit<ReviewComment, "text"> {
  if (!line || !("file" in line)) return {};
  const { path } = line.file;
  if (!("row" in line)) return { path };
  const first = open.from === undefined ? undefined : open.lines[Math.min(open.from, open.at.line)];
  const last = open.from === undefined ? line : open.lines[Math.max(open.from, open.at.line)];
  const rows = [first, last].flatMap((one) => (one && "row" in one && one.file === line.file ? [one.row] : []));
  const [begin = line.row, end = begin] = rows;
  // A range over both sides counts in the text afterwards.
  const isBefore = begin.new === undefined && end.new === undefined;
  const [from, to] = isBefore ? [begin.old, end.old] : [begin.new ?? begin.old, end.new ?? end.old];
  return {
    path,
    line: from ?? 1,
    quote: begin.raw,
    ...(isBefore ? { side: "before" } : {}),
    ...(to === undefined || to <= (from ?? 1) ? {} : { to }),
  };
}
