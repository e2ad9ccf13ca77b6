/**
 * Lines of some events out of the whole record, in the order of their times. Every other line is passed over unread, so that a
 * question about a month costs little more than reading the files.
 */
import { findSessions } from "./sessions.ts";
import { eventOf, fieldsOf, linesOf } from "./read-lines.ts";
import { lineId, type AuditLine } from "./segment.ts";

/** @param since ISO 8601; a segment that ended before is read all the same, because its name says when it began */
export function readEvents(folder: string, events: ReadonlySet<string>, since = ""): AuditLine[] {
  const segments = findSessions(folder).flatMap((session) => session.segments);
  return segments
    .flatMap((segment) => [...eventsOf(folder, segment, events, since)])
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** What tells of a host is needed for every line of it. */
const OF_HOST: ReadonlySet<string> = new Set(["segment", "start"]);

function* eventsOf(folder: string, segment: string, events: ReadonlySet<string>, since: string): Generator<AuditLine> {
  for (const line of linesOf(folder, segment)) {
    const head = eventOf(line);
    if (!head || !events.has(head.event) || (head.time < since && !OF_HOST.has(head.event))) continue;
    const { hash: _, seq, ...fields } = fieldsOf(line) ?? {};
    if (typeof seq === "number") yield { ...fields, ...head, id: lineId(segment, seq) };
  }
}
