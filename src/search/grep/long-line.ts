/**
 * A line that is longer than any window, and comes in overlapping pieces: what was found in one of them is kept until the
 * line is over.
 */
import type { FileNotes, Hit } from "./file-hits.ts";
import type { Window } from "./line-windows.ts";
import { NEWLINE, type Matcher } from "../engine/matcher.ts";

interface KeptHit {
  readonly at: number;
  readonly bytes: Buffer;
  readonly bytesAt: number;
}

/** Kept from a long line: more than is ever shown of one. */
const KEPT_BYTES = 4096;

export class LongLine {
  readonly #matcher: Matcher;
  readonly #invert: boolean;
  #start: number | undefined;
  #hit: KeptHit | undefined;

  constructor(matcher: Matcher, invert: boolean) {
    this.#matcher = matcher;
    this.#invert = invert;
  }

  /** Whether the piece that was taken last ended its line. */
  get isOver(): boolean {
    return this.#start === undefined;
  }

  /** @returns the line as a hit, when this piece ends it and it is one */
  take(bytes: Buffer, { position, kind }: Window, notes: FileNotes, line: number): Hit | undefined {
    const start = (this.#start ??= position);
    this.#hit ??= this.#find(bytes, position, start);
    if (kind !== "end" && !notes.isBinary) return undefined;
    notes.longLines++;
    const hit = this.#hit;
    this.#start = this.#hit = undefined;
    if ((hit !== undefined) === this.#invert) return undefined;
    const kept = hit ?? { at: start, bytes: Buffer.from(bytes.subarray(0, KEPT_BYTES)), bytesAt: position };
    return {
      line,
      endLine: line,
      start,
      end: position + bytes.length - (bytes.at(-1) === NEWLINE ? 1 : 0),
      matchStart: kept.at,
      bytes: kept.bytes,
      bytesAt: kept.bytesAt,
    };
  }

  #find(bytes: Buffer, position: number, lineStart: number): KeptHit | undefined {
    const hits = this.#matcher.lineHits(bytes);
    // The start of a later piece is no start of a line: what is found right there may be an anchor's mistake.
    const at = hits.find((offset, index) => index % 2 === 0 && (offset > 0 || position === lineStart));
    if (at === undefined) return undefined;
    const from = Math.max(0, at - KEPT_BYTES);
    return {
      at: position + at,
      bytes: Buffer.from(bytes.subarray(from, at + KEPT_BYTES)),
      bytesAt: position + from,
    };
  }
}
