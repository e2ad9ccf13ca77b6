/**
 * The sessions in the record. A session is one run of a host: it begins with the line `start`, is written by one process, and has
 * one segment or several. The name of the first segment is the id of the session.
 *
 * A process holds a lock on the segment that it writes, so a session whose last segment is locked is still running, and one that
 * is not locked and has no `stop` ended without a word: its process was killed. Where the system has no locks (Windows), a
 * session without `stop` counts as running, because nothing of it may be deleted then.
 */
import { constants } from "node:fs";
import { join } from "node:path";
import { tryLock, withOpen } from "../state/index.ts";
import { eventOf, fieldsOf, FIRST_LINE_BYTES, isSegmentId, linesOf } from "./read-lines.ts";
import { listSegments, SUFFIX } from "./segment.ts";

export interface SessionFacts {
  readonly id: string;
  /** ISO 8601 */
  readonly started: string;
  /** The time of its last line, when it has ended. */
  readonly ended?: string;
  readonly state: "running" | "ended" | "crashed";
  /** Why it ended, as it stands on record. */
  readonly why?: string;
  readonly client?: string;
  readonly mode?: string;
  readonly roots: readonly string[];
  readonly calls: number;
  readonly failed: number;
  /** Changes that were made, not those that were only proposed. */
  readonly changes: number;
  /** Outputs that were too long for an answer and kept, by their ids. */
  readonly outputs: readonly string[];
}

export interface SessionSegments {
  readonly id: string;
  /** In the order in which they were written. */
  readonly segments: readonly string[];
}

/** The newest first. Looks at the first line of each segment and no further. */
export function findSessions(folder: string): SessionSegments[] {
  const found = new Map<string, string[]>();
  for (const segment of listSegments(folder)) {
    if (!isSegmentId(segment)) continue;
    const known = found.get(sessionOf(folder, segment));
    if (known) known.push(segment);
    else found.set(segment, [segment]);
  }
  return [...found].map(([id, segments]) => ({ id, segments })).reverse();
}

/** The first segment of the process that wrote this one. */
function sessionOf(folder: string, segment: string): string {
  for (const line of linesOf(folder, segment, FIRST_LINE_BYTES)) {
    const session = fieldsOf(line)?.["session"];
    return typeof session === "string" ? session : segment;
  }
  return segment;
}

/** More lines than this are not read without letting others have their turn. */
const LINES_AT_ONCE = 5000;
/** More outputs than a session of a day keeps. */
const MAX_OUTPUTS = 10_000;

/** `undefined` for a process that was no host with roots, for example a command that listed proposals. */
export async function readSession(
  folder: string,
  { id, segments }: SessionSegments,
): Promise<SessionFacts | undefined> {
  const seen = new SessionCount();
  let lines = 0;
  for (const segment of segments)
    for (const line of linesOf(folder, segment)) {
      seen.add(line);
      if (++lines % LINES_AT_ONCE === 0) await new Promise(setImmediate);
    }
  if (seen.roots.length === 0) return undefined;
  const { why, client, mode, roots, calls, failed, changes, outputs, hasStopped } = seen;
  const isRunning = isWritten(folder, segments.at(-1) ?? id, hasStopped);
  return {
    id,
    started: seen.started,
    ...(isRunning ? {} : { ended: seen.last }),
    state: isRunning ? "running" : hasStopped ? "ended" : "crashed",
    ...(why === undefined ? {} : { why }),
    ...(client === undefined ? {} : { client }),
    ...(mode === undefined ? {} : { mode }),
    roots,
    calls,
    failed,
    changes,
    outputs: [...outputs],
  };
}

/** @param hasStopped a host that says so writes nothing more */
function isWritten(folder: string, segment: string, hasStopped: boolean): boolean {
  if (hasStopped) return false;
  if (process.platform === "win32") return true;
  try {
    return withOpen(join(folder, segment + SUFFIX), constants.O_RDONLY, (fd) => !tryLock(fd));
  } catch {
    return false;
  }
}

class SessionCount {
  started = "";
  last = "";
  why: string | undefined;
  client: string | undefined;
  mode: string | undefined;
  roots: readonly string[] = [];
  calls = 0;
  failed = 0;
  changes = 0;
  hasStopped = false;
  readonly outputs = new Set<string>();

  add(line: string): void {
    const head = eventOf(line);
    if (!head) return;
    this.last = head.time;
    if (head.event === "proposed") this.calls++;
    if (head.event !== "proposed" || this.client === undefined) this.#look(head.event, head.time, line);
  }

  #look(event: string, time: string, line: string): void {
    if (!LOOKED_AT.has(event)) return;
    const fields = fieldsOf(line) ?? {};
    if (event === "start" && this.started === "") {
      this.started = time;
      this.mode = textOf(fields["mode"]);
      this.roots = rootsOf(fields["roots"]);
    }
    if (event === "proposed") this.client = textOf(fields["client"]);
    if (event === "failed" && fields["call"] !== undefined) this.failed++;
    if (event === "applied" || (event === "change" && fields["status"] === "applied")) this.changes++;
    if (event === "spilled" && this.outputs.size < MAX_OUTPUTS) this.outputs.add(String(fields["output"]));
    if (event === "stop") {
      this.hasStopped = true;
      this.why = textOf(fields["why"]);
    }
  }
}

const LOOKED_AT: ReadonlySet<string> = new Set(["start", "proposed", "failed", "applied", "change", "spilled", "stop"]);

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function rootsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((root: unknown) => textOf((Object(root) as { path?: unknown }).path) ?? []);
}
