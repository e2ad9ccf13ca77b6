/**
 * The output of one command on its way past: what an answer shows (its beginning and its end), the totals, lines that look
 * like errors, and the whole in a spill file. Memory is bounded whatever comes.
 *
 * Usual mistake: to keep the text and cut it at the end; `yes` writes a gigabyte a second.
 */
import { closeSync, writeSync } from "node:fs";
import { limits } from "../base/index.ts";

export interface OpenSpill {
  readonly id: string;
  readonly fd: number;
}

export interface CollectedOutput {
  readonly head: Buffer;
  /** Empty when the head is everything. */
  readonly tail: Buffer;
  readonly total_bytes: number;
  /** Absent when there was so much that they were not counted. */
  readonly total_lines?: number;
  /** Lines between head and tail that look like errors, as far as was looked. */
  readonly errors: readonly string[];
  readonly spill?: { readonly id: string; readonly bytes: number };
}

/** Of what came last, for people who wait. */
export const RECENT_BYTES = 4096;

/** So far lines are counted and looked at; it costs more than all the rest. */
const MAX_COUNTED_BYTES: number = 8 * 1024 * 1024;
const MAX_LOOKED_BYTES: number = 1024 * 1024;
const MAX_ERRORS = 20;
const MAX_ERROR_BYTES = 300;
/** Not with the line around it: to look for `^.*` costs ten times as much. */
const ERROR_WORD =
  /\berrors?\b|\bfail(?:ed|ures?)?\b|\bfatal\b|\bpanic(?:ked)?\b|exception\b|\btraceback\b|\bundefined reference\b|\bsegmentation fault\b/gi;

export class OutputCollector {
  readonly #head = Buffer.alloc(limits.COMMAND_HEAD_BYTES);
  /** A ring: the last bytes end at `total % length`. */
  readonly #ring = Buffer.alloc(limits.COMMAND_TAIL_BYTES);
  #total = 0;
  #lines = 0;
  #endsLine = true;
  readonly #errors: string[] = [];
  readonly #openSpill: () => OpenSpill;
  #spill: OpenSpill | undefined;
  #spilled = 0;
  #isSpillBroken = false;

  constructor(openSpill: () => OpenSpill) {
    this.#openSpill = openSpill;
  }

  get total(): number {
    return this.#total;
  }

  get spill(): string | undefined {
    return this.#spill?.id;
  }

  /** A little of what came last. */
  recent(): Buffer {
    return this.#lastBytes(Math.min(this.#total, RECENT_BYTES));
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#total < MAX_COUNTED_BYTES) this.#count(bytes);
    if (this.#total < MAX_LOOKED_BYTES) this.#look(bytes);
    this.#spillIfNeeded(bytes);
    if (this.#total < this.#head.length) bytes.copy(this.#head, this.#total);
    this.#keepTail(bytes);
    this.#total += bytes.length;
  }

  /** Nothing more comes. The descriptor is closed. */
  end(): CollectedOutput {
    const collected = this.show();
    if (this.#spill) closeSync(this.#spill.fd);
    this.#spill = undefined;
    return collected;
  }

  show(): CollectedOutput {
    const headLength = Math.min(this.#total, this.#head.length);
    const tailLength = Math.min(this.#total - headLength, this.#ring.length);
    return {
      head: Buffer.from(this.#head.subarray(0, headLength)),
      tail: this.#lastBytes(tailLength),
      total_bytes: this.#total,
      errors: [...this.#errors],
      ...(this.#total <= MAX_COUNTED_BYTES ? { total_lines: this.#lines + (this.#endsLine ? 0 : 1) } : {}),
      ...(this.#spill ? { spill: { id: this.#spill.id, bytes: this.#spilled } } : {}),
    };
  }

  #count(bytes: Buffer): void {
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) this.#lines++;
    if (bytes.length > 0) this.#endsLine = bytes.at(-1) === 0x0a;
  }

  #look(bytes: Buffer): void {
    // The first bytes are shown anyway.
    if (this.#errors.length >= MAX_ERRORS || this.#total + bytes.length <= this.#head.length) return;
    let lastEnd = 0;
    for (const { index } of bytes.toString("latin1").matchAll(ERROR_WORD)) {
      if (this.#errors.length >= MAX_ERRORS) return;
      if (index < lastEnd) continue;
      const start = bytes.lastIndexOf(0x0a, index) + 1;
      const end = bytes.indexOf(0x0a, index);
      lastEnd = end < 0 ? bytes.length : end;
      this.#errors.push(bytes.toString("utf8", start, Math.min(lastEnd, start + MAX_ERROR_BYTES)));
    }
  }

  /** Only what an answer cannot show is worth a file. */
  #spillIfNeeded(bytes: Buffer): void {
    const shown = this.#head.length + this.#ring.length;
    if (this.#total + bytes.length <= shown || this.#isSpillBroken) return;
    try {
      if (!this.#spill) {
        this.#spill = this.#openSpill();
        const { head, tail } = this.show();
        this.#write(head);
        this.#write(tail);
      }
      this.#write(bytes);
    } catch {
      // A full disk must not end the command, nor lose what memory holds.
      this.#isSpillBroken = true;
    }
  }

  #write(bytes: Buffer): void {
    if (!this.#spill) return;
    const left = limits.MAX_COMMAND_SPILL_BYTES - this.#spilled;
    const kept = bytes.subarray(0, Math.max(0, left));
    for (let at = 0; at < kept.length;) {
      const written = writeSync(this.#spill.fd, kept, at);
      at += written;
      this.#spilled += written;
    }
  }

  #keepTail(bytes: Buffer): void {
    const size = this.#ring.length;
    const last = bytes.length > size ? bytes.subarray(bytes.length - size) : bytes;
    const start = (this.#total + bytes.length - last.length) % size;
    const first = last.copy(this.#ring, start);
    if (first < last.length) last.copy(this.#ring, 0, first);
  }

  #lastBytes(length: number): Buffer {
    const size = this.#ring.length;
    const end = this.#total % size;
    if (length <= end) return Buffer.from(this.#ring.subarray(end - length, end));
    return Buffer.concat([this.#ring.subarray(size - (length - end)), this.#ring.subarray(0, end)]);
  }
}
