/**
 * The record that a host has left, for tests of how it ends: its lines in the order in which they were written, and which
 * calls have an end there.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./serve-process.ts";

export interface RecordLine {
  readonly event: string;
  readonly tool?: string;
  readonly code?: string;
  readonly why?: string;
  readonly proposal?: string;
  readonly status?: string;
}

/** The record of one host, without a line that is still being written. */
export function recordOf(place: Place): RecordLine[] {
  const folder = join(place.stateDir, "audit");
  return namesIn(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as RecordLine),
  );
}

export function hasStarted(place: Place, tool: string): boolean {
  return recordOf(place).some((line) => line.event === "started" && line.tool === tool);
}

/** `hash_file failed cancelled`, sorted: one for each call that has an end, each as often as it has one. */
export function endsOf(place: Place): string[] {
  return recordOf(place)
    .filter(({ event }) => event === "completed" || event === "failed")
    .map(({ tool, proposal, event, code }) => [tool ?? proposal, event, code].filter(Boolean).join(" "))
    .sort();
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
