/**
 * How much an answer of grep can still take: results, and their text. A file is searched with a copy, so that what it
 * gave can be dropped again.
 */
import { limits } from "../base/index.ts";
import type { GrepMatch } from "./grep-answer.ts";
import type { GrepPlan } from "./grep-options.ts";

/** What an answer can still take. */
export interface Room {
  /** Matches, or files where only they are listed. */
  results: number;
  /** Of text, about. */
  bytes: number;
  /** Nothing was taken yet: one result is always taken, so that every page makes progress. */
  isEmpty: boolean;
}

export function isFull({ results, bytes, isEmpty }: Room): boolean {
  return results <= 0 || (!isEmpty && bytes <= 0);
}

export function takeOne(room: Room, bytes: number): void {
  room.results--;
  room.bytes -= bytes;
  room.isEmpty = false;
}

export function newRoom({ limit }: GrepPlan): Room {
  return { results: limit, bytes: limits.MAX_READ_BYTES, isEmpty: true };
}

/** Of its text in the answer, about. */
export function sizeOf(match: GrepMatch): number {
  let size = match.text.length;
  for (const line of match.before ?? []) size += line.text.length;
  return size;
}
