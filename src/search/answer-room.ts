/**
 * How much an answer of a search or a listing can still take: results, and their text. A file is searched with a copy, so
 * that what it gave can be dropped again.
 */
import { answerBytes } from "../base/index.ts";
import type { SearchContext } from "./context.ts";
import type { GrepMatch } from "./grep/grep-answer.ts";

/** What an answer can still take. */
export interface Room {
  /** Matches, or paths where only they are listed. */
  results: number;
  /** Of text, about. */
  bytes: number;
  /** Nothing was taken yet. */
  isEmpty: boolean;
}

export function isFull({ results, bytes, isEmpty }: Room): boolean {
  return results <= 0 || (!isEmpty && bytes <= 0);
}

/** @returns false when there is no room for it; one result is always taken, so that every page makes progress */
export function takeOne(room: Room, bytes: number): boolean {
  if (room.results <= 0 || (!room.isEmpty && bytes > room.bytes)) return false;
  room.results--;
  room.bytes -= bytes;
  room.isEmpty = false;
  return true;
}

/** @param asked the limit that the call named @param results how many there may be for that */
export function newRoom({ bounds }: SearchContext, asked: number | undefined, results: number): Room {
  return { results, bytes: answerBytes(bounds, asked) * TEXT_SHARE, isEmpty: true };
}

/** The rest is for what stands between the texts, so that an answer stays below what one message may hold. */
const TEXT_SHARE = 0.9;
/** Of a number, its colon and the line end. */
const COUNT_BYTES = 10;

/** Of a file that is named, in bytes. */
export function sizeOfPath(path: string): number {
  return Buffer.byteLength(path) + COUNT_BYTES;
}

/** Of its text in the answer, in bytes. */
export function sizeOf({ path, text, before = [], after = [] }: GrepMatch): number {
  const lines = [...before, ...after];
  const context = lines.reduce((sum, line) => sum + sizeOfPath(path) + Buffer.byteLength(line.text), 0);
  return sizeOfPath(path) + Buffer.byteLength(text) + context;
}
