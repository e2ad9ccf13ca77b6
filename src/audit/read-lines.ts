/**
 * The lines of the record for people and for export, in the order of their times, over all segments. Lines that cannot
 * be read are left out here; `verify` is there to complain about them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lineId, listSegments, SUFFIX } from "./segment.ts";

export interface AuditLine extends Readonly<Record<string, unknown>> {
  /** `segment:number` */
  readonly id: string;
  readonly time: string;
  readonly event: string;
}

export interface AuditFilter {
  readonly events?: readonly string[] | undefined;
  readonly tool?: string | undefined;
  /** ISO 8601, or the beginning of one. */
  readonly since?: string | undefined;
  readonly call?: string | undefined;
}

export function readAudit(folder: string, filter: AuditFilter): AuditLine[] {
  const lines = listSegments(folder).flatMap((segment) => readSegment(folder, segment));
  return lines
    .filter((line) => isWanted(line, filter))
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

function readSegment(folder: string, segment: string): AuditLine[] {
  const text = readFileSync(join(folder, segment + SUFFIX), "utf8");
  return text.split("\n").flatMap((line) => {
    try {
      const { hash: _, ...fields } = JSON.parse(line) as AuditLine & { seq: number; hash: string };
      return [{ ...fields, id: lineId(segment, fields.seq) }];
    } catch {
      return [];
    }
  });
}

function isWanted(line: AuditLine, { events, tool, since, call }: AuditFilter): boolean {
  return (
    (!events || events.length === 0 || events.includes(line.event)) &&
    (tool === undefined || line["tool"] === tool) &&
    (since === undefined || line.time >= since) &&
    (call === undefined || line.id === call || line["call"] === call)
  );
}
