/**
 * The order of every answer: names by the bytes of their UTF-8, and paths name by name, so that a directory's content follows
 * it and a cursor can go on anywhere; and the first entries of many in some order.
 *
 * Usual mistake: to compare whole paths as strings; "a.b" would then stand between "a" and "a/c".
 */
import { fsName } from "../../sys/index.ts";

/** UTF-16 order is UTF-8 order below the surrogates; names above are rare and compared as bytes. */
const ABOVE_SIMPLE = /[\ud800-\uffff]/;

export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  return isSimple(left, right) ? left - right : Buffer.compare(bytesOf(a), bytesOf(b));
}

/** A byte below 0x80 comes before all that stands for other bytes. */
function isSimple(left: number, right: number): boolean {
  return (left < SURROGATES && right < SURROGATES) || left < 0x80 || right < 0x80;
}

const SURROGATES = 0xd800;

export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  // Before every other sign: then a directory's content follows it.
  if (left === SLASH || right === SLASH) return left === SLASH ? -1 : 1;
  // They are in names of which all above are the same.
  return isSimple(left, right) ? left - right : compareNames(nameAt(a, at), nameAt(b, at));
}

/** The name that a sign of a path belongs to. */
function nameAt(path: string, at: number): string {
  const end = path.indexOf("/", at);
  return path.slice(path.lastIndexOf("/", at) + 1, end < 0 ? path.length : end);
}

const SLASH = 0x2f;

export function sortByName<Named extends { readonly name: string }>(entries: Named[]): Named[] {
  return entries.some((entry) => ABOVE_SIMPLE.test(entry.name))
    ? entries.sort((a, b) => compareNames(a.name, b.name))
    : entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function bytesOf(name: string): Buffer {
  const exact = fsName(name);
  return typeof exact === "string" ? Buffer.from(exact, "utf8") : exact;
}

export class TopEntries<Entry extends Order, Order = Entry> {
  readonly #limit: number;
  readonly #compare: (a: Order, b: Order) => number;
  #entries: Entry[] = [];
  /** The last that would be given, once there are enough: what comes behind it need not be kept. */
  last: Order | undefined;
  /** Everything that was offered. */
  seen = 0;

  /** @param last of entries elsewhere, when there are enough of them before it */
  constructor(limit: number, compare: (a: Order, b: Order) => number, last?: Order) {
    this.last = last;
    this.#limit = limit;
    this.#compare = compare;
  }

  offer(entry: Entry): void {
    this.seen++;
    if (this.last !== undefined && this.#compare(entry, this.last) > 0) return;
    this.#entries.push(entry);
    if (this.#entries.length >= this.#limit * 2 + 1000) this.#cut();
  }

  take(): Entry[] {
    this.#cut();
    return this.#entries;
  }

  #cut(): void {
    this.#entries = this.#entries.sort(this.#compare).slice(0, this.#limit);
    if (this.#entries.length === this.#limit) this.last = this.#entries.at(-1);
  }
}
