/**
 * What agents did over time, counted from the record: calls, questions and changes, by the hour and by the folder that they
 * were about.
 */
import { dirname } from "node:path";
import { isoTime, nowMs } from "../../../base/index.ts";
import { readAudit, type AuditLine } from "../../../audit/index.ts";
import type { Host } from "../../../host/index.ts";
import type { ActivityCount, PageAnswers } from "../../../page/index.ts";
import { openStateFolder } from "../../../state/index.ts";
import { escapeLine } from "../../../text/index.ts";

const HOUR_MS: number = 60 * 60 * 1000;
const MAX_FOLDERS = 12;
const MAX_LINES = 300;
/** The end of a time of ISO 8601 behind its hour. */
const HOUR_CHARS = "2026-11-23T09".length;

export function viewRecord(host: Host, hours: number): PageAnswers["record"] {
  const from = nowMs() - (hours - 1) * HOUR_MS;
  const folder = openStateFolder(host.config.stateDir).audit;
  const lines = readAudit(folder, { since: `${isoTime(from).slice(0, HOUR_CHARS)}:00` });
  const byHour = new Map<string, Count>();
  for (let at = 0; at < hours; at++) byHour.set(isoTime(from + at * HOUR_MS).slice(0, HOUR_CHARS), emptyCount());
  const byFolder = new Map<string, Count>();
  for (const line of lines) {
    const kind = kindOf(line);
    if (!kind) continue;
    const hour = byHour.get(line.time.slice(0, HOUR_CHARS));
    if (hour) hour[kind]++;
    for (const about of foldersOf(line)) {
      const count = byFolder.get(about) ?? emptyCount();
      byFolder.set(about, count);
      count[kind]++;
    }
  }
  const folders = namedCounts(byFolder).sort((a, b) => total(b) - total(a));
  return {
    hours: namedCounts(byHour),
    folders: folders.slice(0, MAX_FOLDERS),
    lines: lines
      .slice(-MAX_LINES)
      .reverse()
      .map((line) => ({ time: line.time, event: line.event, about: wordsOf(line) })),
  };
}

type Kind = "calls" | "asks" | "changes";
type Count = Record<Kind, number>;

function emptyCount(): Count {
  return { calls: 0, asks: 0, changes: 0 };
}

/** A call is counted when it is decided about, because its paths are known then. */
function kindOf({ event, ...line }: AuditLine): Kind | undefined {
  if (event === "decided") return line["decision"] === "ask" ? "asks" : "calls";
  if (event === "change" && line["status"] === "applied") return "changes";
  return event === "applied" ? "changes" : undefined;
}

function foldersOf(line: AuditLine): ReadonlySet<string> {
  const paths = Array.isArray(line["paths"]) ? (line["paths"] as unknown[]) : filesOf(line["files"]);
  return new Set(paths.flatMap((path) => (typeof path === "string" ? [escapeLine(dirname(path))] : [])));
}

function filesOf(files: unknown): unknown[] {
  return Array.isArray(files) ? files.map((file: unknown) => (Object(file) as { path?: unknown }).path) : [];
}

function namedCounts(counts: ReadonlyMap<string, Count>): ActivityCount[] {
  return [...counts].map(([name, count]) => ({ name, ...count }));
}

function total({ calls, asks, changes }: ActivityCount): number {
  return calls + asks + changes;
}

const SAID: readonly string[] =
  "tool decision rule status outcome by answer proposal transaction code why client".split(" ");

function wordsOf(line: AuditLine): string {
  const words = SAID.flatMap((name) => {
    const value = line[name];
    return typeof value === "string" && value !== "" ? [`${name} ${value}`] : [];
  });
  const paths = Array.isArray(line["paths"]) ? (line["paths"] as unknown[]).map(String) : [];
  return escapeLine([...words, ...paths.slice(0, 3)].join(" · ")).slice(0, 400);
}
