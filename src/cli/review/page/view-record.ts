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
  const foldersOf = createFolders();
  for (const line of lines) {
    const folders = foldersOf(line);
    const kind = kindOf(line);
    if (!kind) continue;
    const hour = byHour.get(line.time.slice(0, HOUR_CHARS));
    if (hour) hour[kind]++;
    for (const about of folders) {
      const count = byFolder.get(about) ?? emptyCount();
      byFolder.set(about, count);
      count[kind]++;
    }
  }
  const counted = namedCounts(byFolder).sort((a, b) => total(b) - total(a));
  return {
    hours: namedCounts(byHour),
    folders: counted.slice(0, MAX_FOLDERS),
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

/**
 * Gives the folders that lines are about, as their calls have named them: a change is of the call that proposed it, and a line
 * about an applied proposal names neither files nor call.
 */
function createFolders(): (line: AuditLine) => ReadonlySet<string> {
  const ofCall = new Map<unknown, ReadonlySet<string>>();
  const ofProposal = new Map<unknown, ReadonlySet<string>>();
  return (line) => {
    const { call, proposal } = line as { readonly call?: unknown; readonly proposal?: unknown };
    if (Array.isArray(line["paths"])) {
      const paths = line["paths"] as unknown[];
      const named = new Set(paths.flatMap((path) => (typeof path === "string" ? [escapeLine(dirname(path))] : [])));
      if (call !== undefined) ofCall.set(call, named);
      return named;
    }
    const folders = ofCall.get(call) ?? ofProposal.get(proposal) ?? new Set<string>();
    if (proposal !== undefined && call !== undefined) ofProposal.set(proposal, folders);
    return folders;
  };
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
