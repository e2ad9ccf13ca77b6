/**
 * The lines of the record for people and for export, in the order of their times, over all segments. Lines that cannot
 * be read are left out here; `verify` is there to complain about them.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
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
  return new AuditReader(folder).next(filter);
}

/** Reads on where it was, in the segments that it knows and in those that came since. */
export class AuditReader {
  readonly #folder: string;
  /** Bytes that were read, by segment: whole lines only, because the last one may still be in the making. */
  readonly #read = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  next(filter: AuditFilter): AuditLine[] {
    const segments = listSegments(this.#folder);
    // Those that were tidied away are forgotten.
    for (const known of this.#read.keys()) if (!segments.includes(known)) this.#read.delete(known);
    return segments
      .flatMap((segment) => this.#linesOf(segment))
      .filter((line) => isWanted(line, filter))
      .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  }

  #linesOf(segment: string): AuditLine[] {
    const from = this.#read.get(segment) ?? 0;
    const bytes = readFrom(join(this.#folder, segment + SUFFIX), from);
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#read.set(segment, from + end);
    const text = bytes.toString("utf8", 0, end);
    return text === "" ? [] : text.split("\n").flatMap((line) => parseLine(segment, line));
  }
}

function readFrom(path: string, from: number): Buffer {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (thrown) {
    // Its time was over since it was listed.
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw thrown;
  }
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, fstatSync(fd).size - from));
    let got = 0;
    while (got < bytes.length) {
      const more = readSync(fd, bytes, got, bytes.length - got, from + got);
      if (more === 0) break;
      got += more;
    }
    return bytes.subarray(0, got);
  } finally {
    closeSync(fd);
  }
}

function parseLine(segment: string, line: string): AuditLine[] {
  try {
    const { hash: _, ...fields } = JSON.parse(line) as AuditLine & { seq: number; hash: string };
    return [{ ...fields, id: lineId(segment, fields.seq) }];
  } catch {
    return [];
  }
}

function isWanted(line: AuditLine, { events, tool, since, call }: AuditFilter): boolean {
  return (
    (!events || events.length === 0 || events.includes(line.event)) &&
    (tool === undefined || line["tool"] === tool) &&
    (since === undefined || line.time >= since) &&
    (call === undefined || line.id === call || line["call"] === call)
  );
}
