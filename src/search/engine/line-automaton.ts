/**
 * Whether lines of ASCII text hold a match of a pattern: a deterministic automaton whose rows are made when a text first
 * needs them, and through which the scanner goes at one step a byte. That is linear by its nature, whatever the pattern:
 * nothing is ever looked at twice. What a pattern could cost is the making of rows, and that is bounded by their number and
 * by the work on them; an automaton that reaches a bound has given up for good.
 *
 * A row stands for the places of the program that a match may have come to, and for what stands before the next byte. An
 * assertion is decided when the next byte is known. A match can begin everywhere, so the program's start is in every row.
 */
import { MOST_ROWS, NO_ROW, ROW_NUMBERS, type Scanner } from "../../text/index.ts";
import { type Beside, besideOf, holdsLook, type LineProgram } from "./line-program.ts";

interface Row {
  /** What is waited for: bytes, assertions, and the match itself. Sorted. */
  readonly places: Uint16Array;
  readonly before: Beside;
  readonly numbers: Uint32Array;
}

const ASCII_BYTES = 128;
const LF = 10;
/** Places looked at while rows are made: some tens of milliseconds. */
const MOST_WORK = 300_000;

export class LineAutomaton {
  readonly #program: LineProgram;
  readonly #leavesStart: boolean;
  readonly #rows: Row[] = [];
  readonly #indexes = new Map<string, number>();
  /** The number of the last list in which each place was put. */
  readonly #listed: Uint32Array;
  #lists = 0;
  /** By byte, the bytes that every part of the program treats as it. */
  readonly #alike: readonly (readonly number[])[];
  #work = 0;
  #hasGivenUp = false;
  #memory: Uint32Array = new Uint32Array(0);
  #at = 0;

  /** @param leavesStart the text is not followed where no match has begun: the scanner goes on at the next needle */
  constructor(program: LineProgram, leavesStart: boolean) {
    this.#program = program;
    this.#leavesStart = leavesStart;
    this.#listed = new Uint32Array(program.nodes.length);
    this.#alike = alikeBytes(program);
    this.#indexOf(this.#placesFrom([program.start]), "line");
  }

  get hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  /** Puts the rows into the scanner's memory. @returns the row at the start of a line */
  load(scanner: Scanner): number {
    const { rows, at, isNew } = scanner.rows(this);
    this.#at = at;
    if (isNew) {
      this.#memory = rows;
      this.#rows.forEach(({ numbers }, index) => rows.set(numbers, index * ROW_NUMBERS));
    }
    return at;
  }

  /** Fills the empty place of a byte in a row. @returns whether it could */
  extend(address: number, byte: number): boolean {
    const index = this.#indexAt(address);
    const row = this.#rows[index];
    if (!row || this.#hasGivenUp) return false;
    const number = this.#numberFor(row, byte);
    this.#hasGivenUp ||= this.#work > MOST_WORK || this.#rows.length > MOST_ROWS;
    if (this.#hasGivenUp) return false;
    for (const alike of this.#alike[byte] ?? [])
      row.numbers[alike] = this.#memory[index * ROW_NUMBERS + alike] = number;
    return true;
  }

  /** Whether a line that the text ends with, without a line feed, holds a match. */
  endsIn(address: number): boolean {
    const row = this.#rows[this.#indexAt(address)];
    return row !== undefined && this.#waiting(row, "end") === undefined;
  }

  #indexAt(address: number): number {
    return (address - this.#at) / (ROW_NUMBERS * Uint32Array.BYTES_PER_ELEMENT);
  }

  #numberFor(row: Row, byte: number): number {
    const waiting = this.#waiting(row, besideOf(byte));
    if (!waiting) return NO_ROW.found;
    if (byte === LF) return NO_ROW.atStart;
    const { nodes, hasLooks, start } = this.#program;
    const nexts = [start];
    for (const place of waiting) {
      const node = nodes[place];
      if (node?.kind === "byte" && node.set[byte]) nexts.push(node.next);
    }
    const places = this.#placesFrom(nexts);
    // Nothing that comes behind it can undo this.
    if (places.some((place) => nodes[place]?.kind === "match")) return NO_ROW.found;
    const index = this.#indexOf(places, hasLooks ? besideOf(byte) : "line");
    if (index === 0 && this.#leavesStart) return NO_ROW.atStart;
    return this.#at + index * ROW_NUMBERS * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** The places that wait for a byte, once it is known what stands behind; `undefined`: there is a match. */
  #waiting({ places, before }: Row, behind: Beside): readonly number[] | undefined {
    const { nodes } = this.#program;
    const list = this.#listOf(places);
    // What is added meanwhile is gone through as well.
    for (const place of list) {
      const node = nodes[place];
      if (node?.kind === "match") return undefined;
      if (node?.kind === "split") node.nexts.forEach((next) => this.#put(list, next));
      if (node?.kind === "look" && holdsLook(node.name, before, behind)) this.#put(list, node.next);
    }
    return list;
  }

  /** The places that are reached without a byte and without an assertion. */
  #placesFrom(starts: readonly number[]): Uint16Array {
    const { nodes } = this.#program;
    const list = this.#listOf(starts);
    for (const place of list) {
      const node = nodes[place];
      if (node?.kind === "split") node.nexts.forEach((next) => this.#put(list, next));
    }
    return Uint16Array.from(list.filter((place) => nodes[place]?.kind !== "split")).sort();
  }

  /** A new list, each place once. */
  #listOf(places: Iterable<number>): number[] {
    this.#lists++;
    const list: number[] = [];
    for (const place of places) this.#put(list, place);
    return list;
  }

  #put(list: number[], place: number): void {
    if (this.#listed[place] === this.#lists) return;
    this.#listed[place] = this.#lists;
    this.#work++;
    list.push(place);
  }

  #indexOf(places: Uint16Array, before: Beside): number {
    const key = before + String.fromCharCode(...places);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const numbers = new Uint32Array(ROW_NUMBERS).fill(NO_ROW.undecided, ASCII_BYTES);
    const index = this.#rows.push({ places, before, numbers }) - 1;
    this.#indexes.set(key, index);
    if (index * ROW_NUMBERS < this.#memory.length) this.#memory.set(numbers, index * ROW_NUMBERS);
    return index;
  }
}

function alikeBytes({ nodes, hasLooks }: LineProgram): readonly (readonly number[])[] {
  const sets = nodes.flatMap((node) => (node.kind === "byte" ? [node.set] : []));
  const known = new Map<string, number[]>();
  return Array.from({ length: ASCII_BYTES }, (_, byte) => {
    const beside = hasLooks || byte === LF ? besideOf(byte) : "";
    const key = beside + sets.map((set) => (set[byte] ? "1" : "0")).join("");
    const alike = known.get(key) ?? [];
    known.set(key, alike);
    alike.push(byte);
    return alike;
  });
}
