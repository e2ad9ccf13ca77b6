/**
 * Text of a match that lies inside a private key: without the BEGIN line beside it, nobody would know it for one. A text that
 * could be of a key is judged by what stands before it in the file, 256 KiB far; for any other text nothing is read.
 *
 * Usual mistake: to give places out of order. It is no error, and every step back reads the 256 KiB anew.
 */
import { readRange, type TextSource } from "./line-windows.ts";

/** A line with hardly anything but letters of base64, or many of them in a row, whatever stands beside them. */
const COULD_BE_OF_KEY = /^[^A-Za-z0-9+/=\n]*[A-Za-z0-9+/=]{20,}(?:\\[nr]|[^A-Za-z0-9+/=\n])*$|[A-Za-z0-9+/=]{40}/m;
const MARK = /-----(BEGIN|END) (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const BEFORE_BYTES: number = 256 * 1024;
/** The longest mark that is looked for where a text begins in the middle of one. */
const MARK_BYTES = 100;
/** The placeholder of a secret of which a part is known. */
const HIDDEN = "[secret:000000]";

export class KeyLook {
  readonly #source: TextSource;
  /** What stands before this place is known. */
  #known = 0;
  #isInside = false;

  /** @param source of one file */
  constructor(source: TextSource) {
    this.#source = source;
  }

  /** @param at where the text begins in the source @param around the text, or more of its lines, to tell what it could be */
  hide(text: string, at: number, around: string = text): string {
    if (!this.#isInside && !COULD_BE_OF_KEY.test(around)) return text;
    this.#goTo(at);
    if (!this.#isInside) return text;
    const end = [...text.matchAll(MARK)].find(([, which]) => which === "END");
    return HIDDEN + (end ? text.slice(end.index + end[0].length) : "");
  }

  #goTo(at: number): void {
    const isNear = at >= this.#known && at - this.#known <= BEFORE_BYTES;
    if (!isNear) this.#isInside = false;
    const from = Math.max(0, isNear ? this.#known - MARK_BYTES : at - BEFORE_BYTES);
    const bytes = readRange(this.#source, from, at - from + MARK_BYTES);
    this.#known = at;
    if (!bytes.includes("PRIVATE KEY")) return;
    for (const { 1: which, index } of bytes.toString("latin1").matchAll(MARK))
      if (from + index < at) this.#isInside = which === "BEGIN";
  }
}
