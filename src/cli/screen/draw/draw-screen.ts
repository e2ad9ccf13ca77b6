/**
 * The whole screen as rows: a line on top, what waits, the proposal with its window, and a line of keys below; or what lies over
 * it. Pure: the state in, rows out, so that what a person sees can be tested and photographed without a terminal.
 */
import { groupQueue, nameOfGroup } from "../../../review/index.ts";
import { escapeLine } from "../../../text/index.ts";
import { type KeyAction, keyFor } from "../keys/keymap.ts";
import { listedOf, type ScreenState } from "../screen-state.ts";
import { whyLine } from "./draw-diff.ts";
import { modeRows } from "./draw-mode.ts";
import { entryRow, groupRow } from "./draw-queue.ts";
import { layOut, type WindowRow, type WindowSize } from "./line-window.ts";
import { padTo, paint, shorten, span, type SpanLine } from "./spans.ts";

export interface DrawnScreen {
  /** As many as the terminal has, each at most as wide. */
  readonly rows: readonly string[];
  /** What of the proposal is in the window; nothing while something lies over it. */
  readonly window: readonly WindowRow[];
  readonly top: { readonly line: number; readonly row: number } | undefined;
}

/** Beside the proposal from this width on, else above it. */
const SIDE_FROM_COLUMNS = 120;
const SIDE_COLUMNS = 42;

/** @param nowMs milliseconds since 1970 */
export function drawScreen(state: ScreenState, nowMs: number): DrawnScreen {
  const { rows, theme, mode, open } = state;
  const size = windowSize(state);
  const window = open ? layOut(open, size) : undefined;
  const isOver = mode.kind !== "read" && mode.kind !== "text";
  const middle = isOver ? modeRows(mode, size) : proposalRows(state, window?.rows ?? [], size);
  const queue = queueRows(state, nowMs);
  const body = isBeside(state) ? beside(queue, middle, state) : [...queue, ...middle];
  const shown = [topRow(state), ...fill(body, rows - FRAME_ROWS), ...footRows(state)];
  return {
    rows: shown.slice(0, rows).map((line) => paint(line, theme)),
    window: isOver ? [] : (window?.rows ?? []),
    top: window?.top,
  };
}

/** The room for the lines of the proposal. */
export function windowSize(state: ScreenState): WindowSize {
  const { columns, rows, isWrapped, isSpoken, showsBlanks } = state;
  const isSide = isBeside(state);
  const above = HEAD_ROWS + (isSide ? 0 : queueHeight(state));
  return {
    columns: Math.max(10, columns - CURSOR_COLUMNS - (isSide ? SIDE_COLUMNS + 1 : 0)),
    rows: Math.max(1, rows - FRAME_ROWS - above),
    isWrapped,
    isSpoken,
    showsBlanks,
  };
}

/** The line on top, the message, the keys. */
const FRAME_ROWS = 3;
/** The label of the proposal, and why it is asked. */
const HEAD_ROWS = 2;
const CURSOR_COLUMNS = 2;

function isBeside({ columns, isSpoken, order }: ScreenState): boolean {
  return columns >= SIDE_FROM_COLUMNS && !isSpoken && order.length > 0;
}

function queueHeight(state: ScreenState): number {
  const { rows, order } = state;
  const most = Math.max(2, Math.floor(rows / 5));
  const listed = listedOf(state);
  return Math.min(most, listed.length === 0 ? 1 : order.length + groupCount(listed));
}

function groupCount(proposals: ScreenState["proposals"]): number {
  return new Set(proposals.map(({ client, session }) => JSON.stringify([client, session]))).size;
}

function topRow({ columns, proposals, order, selected, filter }: ScreenState): SpanLine {
  const at = order.indexOf(selected ?? "");
  const place = at < 0 ? "" : `, at ${at + 1}`;
  const narrowed = filter === "" ? "" : `, ${order.length} with ${JSON.stringify(filter)}`;
  const text = ` ringfence review: ${proposals.length} waiting${narrowed}${place}`;
  return padTo([span(shorten(text, columns), "bar")], columns, "bar");
}

function queueRows(state: ScreenState, nowMs: number): readonly SpanLine[] {
  const { selected, columns } = state;
  const proposals = listedOf(state);
  if (proposals.length === 0 && state.proposals.length > 0)
    return [[span(`Nothing in the list has these words; ${keyFor(state, "filter")} and Enter show all again.`, "dim")]];
  if (proposals.length === 0)
    return [[span(`Nothing waits. Proposals are shown as they come; ${keyFor(state, "leave")} leaves.`, "dim")]];
  const width = isBeside(state) ? SIDE_COLUMNS : columns;
  const all = groupQueue(proposals, nowMs).flatMap((group) => [
    { isAt: false, row: groupRow(nameOfGroup(group), group.entries.length, width) },
    ...group.entries.map((entry) => ({
      isAt: entry.id === selected,
      row: entryRow(entry, entry.id === selected, width),
    })),
  ]);
  const height = isBeside(state) ? state.rows - FRAME_ROWS : queueHeight(state);
  const at = Math.max(
    0,
    all.findIndex(({ isAt }) => isAt),
  );
  const first = Math.max(0, Math.min(at - Math.floor(height / 2), all.length - height));
  return all.slice(first, first + height).map(({ row }) => row);
}

function proposalRows(state: ScreenState, window: readonly WindowRow[], size: WindowSize): readonly SpanLine[] {
  const { open, selected } = state;
  const width = size.columns + CURSOR_COLUMNS;
  if (!open) return selected === undefined ? [] : [[span("Loading ...", "dim")]];
  const { review } = open;
  const by = review.edits === undefined ? "" : ", edited by a person";
  const from = review.client === undefined ? "" : `, from ${escapeLine(review.client)}`;
  const head = `${review.tool}, risk ${review.risk}${by}${from}  ${review.label}`;
  return [
    [span(shorten(head, width), "dim")],
    [span(shorten(whyLine(open), width), "dim")],
    ...window.map(({ spans, isAt, line }) => [cursorSpan(isAt, isInRange(open, line), state.isSpoken), ...spans]),
  ];
}

function cursorSpan(isAt: boolean, isRange: boolean, isSpoken: boolean): SpanLine[number] {
  if (isSpoken) return span(isAt ? "here: " : "", "cursor");
  return isAt ? span("> ", "cursor") : isRange ? span("| ", "cursor") : span("  ");
}

function isInRange({ from, at }: NonNullable<ScreenState["open"]>, line: number): boolean {
  return from !== undefined && line >= Math.min(from, at.line) && line <= Math.max(from, at.line);
}

function footRows(state: ScreenState): readonly SpanLine[] {
  const { columns, message, mode, isGuarded } = state;
  const said: SpanLine = message
    ? [span(shorten(escapeLine(message.text), columns), message.isWarning ? "warning" : "title")]
    : [];
  if (mode.kind === "text") {
    const label = `${mode.label} `;
    const room = Math.max(5, columns - label.length - 2);
    const text = escapeLine(mode.text.replaceAll("\n", " ⏎ "));
    return [
      [span("Enter sends it, Escape goes back.", "dim")],
      [span(label, "key"), span(text.slice(-room)), span("_", "cursor")],
    ];
  }
  const wait = isGuarded ? "[wait] " : "";
  return [said, [span(shorten(`${wait}${keysOf(state)}`, columns), "dim")]];
}

/** The keys that matter here; `?` shows all. */
function keysOf(state: ScreenState): string {
  const { mode, open, isSpoken } = state;
  switch (mode.kind) {
    case "confirm":
      return "y does it  j k move  Escape goes back";
    case "sheet":
      return "j k move  Escape goes back";
    case "history":
      return "u takes back the change that you are at (* applied here)  j k move  Escape goes back";
    case "rule":
      return "y grants it  r another rule  e edits it  l changes how long  Escape goes back";
    case "text":
      return "";
    case "read":
      return readingKeys(state, open === undefined ? "queue" : isSpoken ? "spoken" : "shown");
  }
}

function readingKeys(state: ScreenState, where: "queue" | "spoken" | "shown"): string {
  const key = (action: KeyAction): string => keyFor(state, action);
  const both = (next: KeyAction, previous: KeyAction): string => `${key(next)}/${key(previous)}`;
  const always = [`${key("help")} keys`, `${key("leave")} leave`];
  switch (where) {
    case "queue":
      return [always[0], `${key("history")} history`, always[1]].join("  ");
    case "spoken":
      return `${key("apply")} applies, ${key("reject")} rejects, ${key("comment")} comments, ${key("help")} tells the keys`;
    case "shown":
      return [
        `${key("apply")} apply`,
        `${key("reject")} reject`,
        `${key("toggle")} in/out`,
        `${key("comment")} comment`,
        `${key("split")} split`,
        `${both("next-hunk", "previous-hunk")} hunk`,
        `${both("next-proposal", "previous-proposal")} next`,
        ...always,
      ].join("  ");
  }
}

function fill(rows: readonly SpanLine[], height: number): readonly SpanLine[] {
  return [...rows.slice(0, height), ...Array.from({ length: Math.max(0, height - rows.length) }, (): SpanLine => [])];
}

function beside(left: readonly SpanLine[], right: readonly SpanLine[], { rows }: ScreenState): readonly SpanLine[] {
  const height = Math.max(right.length, Math.min(left.length, rows - FRAME_ROWS));
  return Array.from({ length: height }, (_, at) => [
    ...padTo(left[at] ?? [], SIDE_COLUMNS),
    span("│", "dim"),
    ...(right[at] ?? []),
  ]);
}
