/**
 * Where a cut answer goes on, as an opaque string that needs no memory in the process: base64url JSON of the last place that
 * was returned, a mark of the question, so that a cursor is not used with other arguments, and a mark of the tree.
 *
 * The mark of the tree is a cheap look: every directory from the start of the search down to the place where a page ended, and
 * the file itself when the next page goes into it again. It sees names that came, went or were replaced on that way, and not
 * what changed elsewhere or inside of other files. Searches that look at everything for each page add a sum of all they saw.
 */
import { type BigIntStats, fstatSync } from "node:fs";
import { Failure } from "../base/index.ts";
import type { Located } from "../scope/index.ts";
import type { SearchContext } from "./context.ts";

/** The arguments of the call that continues: those of this call, and the new cursor. */
export function nextCall(options: object, place: unknown): Record<string, unknown> {
  return { ...options, cursor: writeCursor(options, place) };
}

function writeCursor(options: object, place: unknown): string {
  return Buffer.from(JSON.stringify([CURSOR_VERSION, questionMark(options), place])).toString("base64url");
}

/**
 * The place that `writeCursor` was given; `isPlace` checks its shape, because a cursor comes from outside.
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
