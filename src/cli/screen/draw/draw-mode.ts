/**
 * What lies over the proposal, in rows: lines to read, a question that is asked once more, the history, and the sheet of a rule.
 * Long lines are wrapped, because a person decides by them.
 */
import { ruleSheetLines } from "../../../review/index.ts";
import { escapeLine } from "../../../text/index.ts";
import type { ScreenMode } from "../screen-state.ts";
import { historyRow } from "./draw-queue.ts";
import type { WindowSize } from "./line-window.ts";
import { span, wrapLine, type SpanLine } from "./spans.ts";

type OverMode = Exclude<ScreenMode, { kind: "read" | "text" }>;

export function modeRows(mode: OverMode, { columns, rows }: WindowSize): readonly SpanLine[] {
  if (mode.kind === "history") {
    if (mode.entries.length === 0) return [...title("History"), [span("Nothing was changed yet.", "dim")]];
    const first = Math.max(0, mode.at - rows + 2);
    return [
      ...title("History"),
      ...mode.entries.slice(first, first + rows).map((entry, at) => historyRow(entry, first + at === mode.at, columns)),
    ];
  }
  if (mode.kind === "rule") {
    const lines = ruleSheetLines(mode.sheet);
    const wait =
      mode.sheet.coverage || mode.sheet.problem !== undefined ? [] : ["Looking up what it would have allowed ..."];
    return [...title("Always allow?"), ...wrapped([...lines, ...wait], columns)];
  }
  return [...title(escapeLine(mode.title)), ...wrapped(mode.lines.slice(mode.top), columns)];
}

function title(text: string): SpanLine[] {
  return [[span(text, "title")], []];
}

function wrapped(lines: readonly (string | SpanLine)[], columns: number): SpanLine[] {
  return lines.flatMap((line) => wrapLine(typeof line === "string" ? [span(escapeLine(line))] : line, columns));
}
