/**
 * What every search gets and every answer says: the scope to look through, when to stop, how much an answer can still take,
 * and how a cut answer names what it left out and the call that goes on.
 *
 * Invariant: nothing is left out in silence. Whatever was skipped is counted in `totals`; whatever was cut sets `truncated`,
 * and `at_least` when counting stopped too.
 */
import { type AnswerBounds, answerBytes, type Cancel, type JobTurn } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";

export interface SearchContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  /** Absent: nobody else waits for the thread. */
  readonly turn?: JobTurn | undefined;
  /** Called about every thousand entries or few megabytes; `total` when it is known. */
  readonly progress: (done: number, total: number | undefined, what: string) => void;
  /** Gives a part of the work to another worker; `undefined` when none has time. Absent: there is none. */
  readonly share?: (name: string, input: string) => Promise<string | undefined>;
  /**
   * A whole search in a process of its own, which is killed at the deadline: its options and its answer as JSON. Absent:
   * this process may start none, or it is that process.
   */
  readonly apart?: (options: string) => Promise<string>;
  /** Called between two parts of a search: a good moment to collect garbage. */
  readonly tidy?: () => void;
  /** Names of directories that recursive searches leave out unless `no_ignore` is given; usually `SKIPPED_DIRECTORIES`. */
  readonly skip: readonly string[];
  /** Default: `ANSWER_BOUNDS`. */
  readonly bounds?: AnswerBounds | undefined;
}

export type StoppedBy = "timed_out" | "cancelled";

/** How an answer that may be cut ends. `next` holds the arguments, as on the wire, of the call that continues. */
export interface Cut {
  truncated: boolean;
  next?: Record<string, unknown>;
  stopped_by?: StoppedBy;
  /** A directory on the way to the place where this page begins changed since the page before ended. */
  tree_changed?: true;
}

/** How many results a search may give when `most` were asked for. */
export function mostResults({ bounds }: SearchContext, most: number): number {
  return Math.min(most, bounds?.mostResults ?? most);
}

/** The limit of a call, at least 1: a page without an entry would never come to an end. */
export function clampLimit(asked: number | undefined, most: number): number {
  return Math.max(1, Math.min(Math.trunc(asked ?? most), most));
}

/** What an answer can still take. */
export interface Room {
  /** Matches, or paths where only they are listed. */
  results: number;
  /** Bytes of text, about. */
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

/** The share of an answer that texts may take. The rest is for what stands between them, so that one message can hold it. */
const TEXT_SHARE = 0.9;
/** A number, its colon and the line end take about as much. */
const COUNT_BYTES = 10;

/** The bytes that the name of a file takes in an answer. */
export function sizeOfPath(path: string): number {
  return Buffer.byteLength(path) + COUNT_BYTES;
}
