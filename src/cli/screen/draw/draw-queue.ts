/**
 * What waits, in rows: a line for each client and session, and below it a line for each proposal with its age, what is left of
 * its time, its risk and how many lines it changes.
 */
import type { HistoryEntry, QueueEntry } from "../../../review/index.ts";
import { escapeLine } from "../../../text/index.ts";
import { formatAge } from "../../review/format-age.ts";
import { shorten, span, widthOf, type SpanLine } from "./spans.ts";

export function groupRow(name: string, count: number, columns: number): SpanLine {
  return [span(shorten(` ${escapeLine(name)}: ${count}`, columns), "title")];
}

export function entryRow(entry: QueueEntry, isAt: boolean, columns: number): SpanLine {
  const { title: change, risk, ageMs, leftMs, added, removed, problem, edits } = entry;
  const title = edits === undefined ? change : `Edited: ${change}`;
  const lines = added === undefined ? "" : ` +${added} -${removed ?? 0}`;
  const facts = ` ${formatAge(ageMs)}, ${formatAge(leftMs)} left`;
  const mark = `${isAt ? ">" : " "} ${risk}${problem === undefined ? "" : " stale"} `;
  const room = Math.max(8, columns - widthOf(mark) - widthOf(lines) - widthOf(facts));
  return [
    span(mark, isAt ? "cursor" : problem === undefined ? (risk > "R2" ? "warning" : "dim") : "warning"),
    span(shorten(escapeLine(title), room), isAt ? "title" : "plain"),
    span(shorten(`${lines}${facts}`, Math.max(0, columns - widthOf(mark) - room)), "dim"),
  ];
}

export function historyRow(entry: HistoryEntry, isAt: boolean, columns: number): SpanLine {
  const { title, ageMs, state, isOwn } = entry;
  const words = state === "undone" ? " (taken back)" : state === "undo" ? " (an undo)" : "";
  const mark = `${isAt ? ">" : " "} ${isOwn ? "*" : " "} ${formatAge(ageMs).padStart(4)} ago  `;
  return [
    span(mark, isAt ? "cursor" : "dim"),
    span(
      shorten(`${escapeLine(title)}${words}`, Math.max(5, columns - widthOf(mark))),
      state === "undone" ? "out" : "plain",
    ),
  ];
}
