/**
 * What every search gets and every answer says: the scope to look through, when to stop, how much an answer can still
 * take, and how a cut answer names what it left out and the call that goes on.
 *
 * Invariant: nothing is left out in silence. Whatever was skipped is counted in `totals`; whatever was cut sets
 * `truncated`, and `at_least` when counting stopped too.
 *
 * A cursor needs no memory in the process: it is base64url JSON of the last place that was returned, with a mark of the
 * question and a mark of the tree. The mark of the tree sees names that came, went or were replaced on the way from the
 * start of the search to that place, and nothing elsewhere; searches that look at everything for each page add a sum of
 * all they saw.
 */
import { type AnswerBounds, answerBytes, type Cancel, type JobTurn, Failure } from "../base/index.ts";
import type { Scope, Located } from "../scope/index.ts";
import { type BigIntStats, fstatSync } from "node:fs";

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
  /** Patterns of an ignore file at the top of each root, which hold besides those that stand there. */
  readonly ignore?: readonly string[] | undefined;
  /** Where `.gitignore` holds. Default: in repositories. */
  readonly gitignore?: GitignoreReach | undefined;
  /** The answer is for a model: what could be a part of a private key is judged by what stands before it. */
  readonly hidesKeys?: boolean | undefined;
  /** Default: `ANSWER_BOUNDS`. */
  readonly bounds?: AnswerBounds | undefined;
}

export type GitignoreReach = "repositories" | "everywhere";

export type StoppedBy = "timed_out" | "cancelled";

/** How an answer that may be cut ends. `next` holds the arguments, as on the wire, of the call that continues. */
export interface Cut {
  truncated: boolean;
  next?: Record<string, unknown>;
  stopped_by?: StoppedBy;
  /** A directory on the way to the place where this page begins changed since the page before ended. */
  tree_changed?: true;
}

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
  /** So many results are passed over first. */
  skip: number;
}

export function isFull({ results, bytes, isEmpty }: Room): boolean {
  return results <= 0 || (!isEmpty && bytes <= 0);
}

/** @returns false when there is no room for it; one result is always taken, so that every page makes progress */
export function takeOne(room: Room, bytes: number): boolean {
  if (room.skip > 0) {
    room.skip--;
    return true;
  }
  if (room.results <= 0 || (!room.isEmpty && bytes > room.bytes)) return false;
  room.results--;
  room.bytes -= bytes;
  room.isEmpty = false;
  return true;
}

/** @param asked the limit that the call named @param results how many there may be for that @param skip how many come before */
export function newRoom({ bounds }: SearchContext, asked: number | undefined, results: number, skip = 0): Room {
  return { results, bytes: answerBytes(bounds, asked) * TEXT_SHARE, isEmpty: true, skip };
}

/** The share of an answer that texts may take. The rest is for what stands between them, so that one message can hold it. */
const TEXT_SHARE = 0.9;
/** A number, its colon and the line end take about as much. */
const COUNT_BYTES = 10;

export function sizeOfPath(path: string): number {
  return Buffer.byteLength(path) + COUNT_BYTES;
}

/**
 * How a page of an answer ends: what stopped the search, whether the tree changed since the page before, and the call
 * that goes on.
 *
 * @param from where the page began @param to where the next one begins @param mark what the tree is like on the way to a place
 */
export function endOfPage<Place extends object>(
  options: object,
  stoppedBy: StoppedBy | undefined,
  from: (Place & { readonly mark: string }) | undefined,
  to: Place | undefined,
  mark: (place: Place) => string,
): Omit<Cut, "truncated"> {
  return {
    ...(stoppedBy ? { stopped_by: stoppedBy } : {}),
    ...(from && !stoppedBy && from.mark !== mark(from) ? { tree_changed: true as const } : {}),
    ...(to ? { next: nextCall(options, { ...to, mark: mark(to) }) } : {}),
  };
}

/** The arguments of the call that continues: those of this call, and the new cursor. */
export function nextCall(options: object, place: unknown): Record<string, unknown> {
  const cursor = Buffer.from(JSON.stringify([CURSOR_VERSION, questionMark(options), place])).toString("base64url");
  return { ...options, cursor };
}

/**
 * The place that `nextCall` was given; `isPlace` checks its shape, because a cursor comes from outside.
 * @throws Failure `invalid_input`
 */
export function readCursor<Place>(
  options: { readonly cursor?: string | undefined },
  verb: string,
  isPlace: (value: unknown) => value is Place,
): Place | undefined {
  const { cursor } = options;
  if (cursor === undefined || cursor === "") return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    parsed = undefined;
  }
  const fields: unknown[] = Array.isArray(parsed) ? parsed : [];
  const [version, mark, place] = fields;
  if (version !== CURSOR_VERSION || !isPlace(place)) throw badCursor(verb, "it was not made by this host");
  if (mark !== questionMark(options)) throw badCursor(verb, "it belongs to a call with other arguments");
  return place;
}

/** Whether a value is an object with members of these types: the check that places need. */
export function hasMembers(value: unknown, members: Readonly<Record<string, "string" | "number">>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const found = new Map<string, unknown>(Object.entries(value));
  return Object.entries(members).every(([name, type]) => typeof found.get(name) === type);
}

const CURSOR_VERSION = 1;

/** The page size may change between pages; everything else is the question. */
function questionMark(options: object): string {
  const asked = Object.entries(options)
    .filter(([name, value]) => name !== "cursor" && name !== "limit" && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Bun.hash(JSON.stringify(asked)).toString(36);
}

function badCursor(verb: string, state: string): Failure {
  return new Failure("invalid_input", `Cannot ${verb} from this cursor: ${state}`, {
    hint: "Repeat the arguments of `next` exactly, or leave out cursor to start again.",
  });
}

/**
 * Goes into the cursor when a page ends, and is made again when the next one begins.
 *
 * @param rel the place below the start; "" for the start itself
 * @param isFileToo the page ended inside of this file
 */
export function markTree(ctx: SearchContext, start: Located, rel: string, isFileToo = false): string {
  const names = rel === "" ? [] : rel.split("/");
  const marks = [markOf(ctx, start)];
  let at = start;
  names.forEach((name, index) => {
    at = ctx.scope.child(at, name);
    if (isFileToo || index < names.length - 1) marks.push(markOf(ctx, at));
  });
  return Bun.hash(marks.join()).toString(36);
}

/** The mark has both times, because a program can set the first back, and the number, because a replaced file has another. */
function markOf(ctx: SearchContext, at: Located): string {
  try {
    const { ino, mtimeNs, ctimeNs } = statDirectory(ctx, at) ?? ctx.scope.lstat(at, "search");
    return `${ino} ${mtimeNs} ${ctimeNs}`;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return "gone";
  }
}

/** The times of a directory by its handle, in a third of the time of `lstat`; `undefined` for what cannot be opened as one. */
function statDirectory(ctx: SearchContext, at: Located): BigIntStats | undefined {
  try {
    using directory = ctx.scope.openDirectory(at, "search", "refuse");
    return directory.fd < 0 ? undefined : fstatSync(directory.fd, { bigint: true });
  } catch {
    return undefined;
  }
}

/** How many there are, and a sum of a number of each (a size, a time), in whatever order and in parts. */
export class TreeSum {
  count = 0;
  sum = 0;

  add(value: number): void {
    this.#take(1, Math.trunc(value));
  }

  addAll({ count, sum }: { readonly count: number; readonly sum: number }): void {
    this.#take(count, sum);
  }

  /** The sum stays at zero or above, so that its order is of no matter: a time before 1970 is negative. */
  #take(count: number, value: number): void {
    this.count += count;
    this.sum += value;
    if (this.sum >= SUM_LIMIT || this.sum < 0) this.sum = ((this.sum % SUM_LIMIT) + SUM_LIMIT) % SUM_LIMIT;
  }

  mark(): string {
    return ` ${this.count} ${this.sum}`;
  }
}

/** Sums stay exact. */
const SUM_LIMIT: number = 2 ** 50;
