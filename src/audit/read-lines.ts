/**
 * The lines of one segment, one after the other, however long the segment is: a look at the whole record never holds more than a
 * part of a file in memory. A line longer than any that is written here is passed over, so that a hostile file cannot fill the
 * memory either.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { Failure, isObject } from "../base/index.ts";
import { lineId, SUFFIX } from "./segment.ts";

/** A part of a file, and enough for the first line of one. */
const PART_BYTES = 256 * 1024;
export const FIRST_LINE_BYTES: number = 8 * 1024;
/** Several times what the longest line of a host has. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Whole lines as they stand in the file; nothing for a segment that was tidied away. */
export function* linesOf(folder: string, segment: string, partBytes: number = PART_BYTES): Generator<string> {
  const fd = openSegment(folder, segment);
  if (fd === undefined) return;
  try {
    const part = Buffer.allocUnsafe(partBytes);
    let rest = Buffer.alloc(0);
    for (let count = readSync(fd, part); count > 0; count = readSync(fd, part)) {
      const bytes = Buffer.concat([rest, part.subarray(0, count)]);
      const end = bytes.lastIndexOf(0x0a) + 1;
      rest = bytes.length - end > MAX_LINE_BYTES ? Buffer.alloc(0) : bytes.subarray(end);
      if (end > 0) yield* bytes.toString("utf8", 0, end - 1).split("\n");
    }
  } finally {
    closeSync(fd);
  }
}

function openSegment(folder: string, segment: string): number | undefined {
  try {
    return openSync(join(folder, segment + SUFFIX), "r");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw thrown;
  }
}

/** The event of a line without reading all of it; `undefined` for what is no line of a record. */
export function eventOf(line: string): { readonly time: string; readonly event: string } | undefined {
  const [, time, event] = HEAD.exec(line) ?? [];
  return time === undefined || event === undefined ? undefined : { time, event };
}

const HEAD = /^\{"seq":\d+,"time":"([^"]{1,40})","event":"(\w{1,40})"/;

type Fields = Readonly<Record<string, unknown>>;

/** All fields of a line; `undefined` for what cannot be read. */
export function fieldsOf(line: string): Fields | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

const LINE_ID = /^(\d{8}T\d{9}Z-[\w-]{8}):(\d{9})$/;
const SEGMENT_ID = /^\d{8}T\d{9}Z-[\w-]{8}$/;

/** Whether a text has the form of a segment's name, which is the form of a session's id too. */
export function isSegmentId(text: string): boolean {
  return SEGMENT_ID.test(text);
}

/** @throws Failure `invalid_input` for a text that is no id, so that no part of it ever becomes a path */
export function parseLineId(given: string): { readonly segment: string; readonly seq: number } {
  const [, segment, seq] = LINE_ID.exec(given) ?? [];
  if (segment !== undefined && seq !== undefined) return { segment, seq: Number(seq) };
  throw new Failure("invalid_input", `Cannot find "${given.slice(0, 80)}": that is no audit id`, {
    hint: `An audit id looks like ${lineId("20261123T093000000Z-a1B2c3D4", 7)}. Every answer has one, and ringfence audit show --json lists all.`,
  });
}
