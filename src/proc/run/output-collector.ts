/**
 * The output of one command: read from its pipe as long as anything comes, and collected on its way past, as what an answer
 * shows (its beginning and its end), the totals, lines that look like errors, and the whole in a spill file. Memory is bounded
 * whatever comes. Then all of it as text for a model: without escape sequences, with what was left out said, and what is no
 * text described instead of shown.
 *
 * Usual mistake: to keep the text and cut it at the end; `yes` writes a gigabyte a second.
 */
import { closeSync, readSync, writeSync } from "node:fs";
import { limits } from "../../base/index.ts";
import { neverWait, widen } from "../../sys/index.ts";
import { sharedScanner } from "../../text/index.ts";
import type { DescribedOutput } from "../launcher-protocol.ts";
import { ErrorLines, LOOK_ROOM_BYTES } from "./error-lines.ts";

export interface OpenSpill {
  readonly id: string;
  readonly fd: number;
  /** Told when the descriptor is closed. */
  readonly onClosed: () => void;
}

/** The lines that look like errors are those between head and tail, as far as was looked. */
export interface CollectedOutput extends Omit<DescribedOutput, "text" | "binary" | "truncated"> {
  readonly head: Buffer;
  /** Empty when the head is everything. */
  readonly tail: Buffer;
}

/** How much of the latest output people are shown who wait. */
const RECENT_BYTES = 4096;

/** So far it is looked at; of the rest only the end is wanted. */
const FOLLOWED_BYTES: number = limits.MAX_COMMAND_SPILL_BYTES;
/** So much is copied into the scanner's memory at once, to be looked at there. */
const PIECE_BYTES: number = 256 * 1024;
const NEWLINE = 0x0a;

export class OutputCollector {
  readonly #head: Buffer;
  /** The last bytes, which end where it ends. */
  readonly #tail: Buffer;
  #total = 0;
  #newlines = 0;
  #errors: ErrorLines | undefined;
  readonly #openSpill: () => OpenSpill;
  #spill: OpenSpill | undefined;
  #spilled = 0;
  #isSpillBroken = false;

  /** @param shownBytes what an answer shows of it: its beginning and its end; until there is more, nothing else need be done */
  constructor(openSpill: () => OpenSpill, shownBytes: number) {
    this.#openSpill = openSpill;
    this.#head = Buffer.alloc(Math.ceil(shownBytes / 2));
    this.#tail = Buffer.alloc(this.#head.length);
  }

  get total(): number {
    return this.#total;
  }

  /** A little of what came last. */
  recent(): Buffer {
    return this.#lastBytes(Math.min(this.#total, RECENT_BYTES, this.#tail.length));
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#total < this.#head.length) bytes.copy(this.#head, this.#total);
    const shown = this.#head.length + this.#tail.length;
    if (this.#total + bytes.length > shown && this.#total < FOLLOWED_BYTES) this.#follow(bytes);
    this.#keepTail(bytes);
    this.#total += bytes.length;
  }

  /** Nothing more comes. The descriptor is closed. */
  end(): CollectedOutput {
    const collected = this.show();
    if (this.#spill) {
      closeSync(this.#spill.fd);
      this.#spill.onClosed();
    }
    this.#spill = undefined;
    return collected;
  }

  show(): CollectedOutput {
    const [head, tail] = this.#ends();
    const lines = this.#lines([head, tail]);
    return {
      head,
      tail,
      total_bytes: this.#total,
      errors: this.#errors?.found(this.#total - this.#tail.length) ?? [],
      ...(lines === undefined ? {} : { total_lines: lines }),
      ...(this.#spill ? { spill: { id: this.#spill.id, bytes: this.#spilled } } : {}),
    };
  }

  #ends(): [Buffer, Buffer] {
    const headLength = Math.min(this.#total, this.#head.length);
    const tailLength = Math.min(this.#total - headLength, this.#tail.length);
    return [Buffer.from(this.#head.subarray(0, headLength)), this.#lastBytes(tailLength)];
  }

  #lines(ends: readonly Buffer[]): number | undefined {
    if (this.#total > FOLLOWED_BYTES) return undefined;
    const isEnded = this.#total === 0 || this.#lastBytes(1)[0] === NEWLINE;
    return (this.#errors ? this.#newlines : newlinesIn(ends)) + (isEnded ? 0 : 1);
  }

  /** What an answer cannot show is counted, looked at and worth a file. */
  #follow(bytes: Buffer): void {
    if (!this.#errors) {
      // Whole lines of the head are shown; the head is full.
      this.#errors = new ErrorLines(this.#head.lastIndexOf(NEWLINE) + 1 || this.#head.length);
      for (const before of this.#ends()) this.#followPart(before);
    }
    this.#followPart(bytes);
  }

  #followPart(bytes: Buffer): void {
    const scanner = sharedScanner();
    const room = scanner.text.subarray(LOOK_ROOM_BYTES, LOOK_ROOM_BYTES + PIECE_BYTES);
    for (let at = 0; at < bytes.length; at += room.length) {
      const placed = room.subarray(0, bytes.copy(room, 0, at));
      const newlines = scanner.count(placed, NEWLINE);
      this.#newlines += newlines;
      this.#errors?.look(placed, newlines > 0);
    }
    this.#spillNext(bytes);
  }

  #spillNext(bytes: Buffer): void {
    if (this.#isSpillBroken) return;
    const kept = bytes.subarray(0, Math.max(0, limits.MAX_COMMAND_SPILL_BYTES - this.#spilled));
    try {
      const { fd } = (this.#spill ??= this.#openSpill());
      for (let at = 0; at < kept.length;) {
        const written = writeSync(fd, kept, at);
        at += written;
        this.#spilled += written;
      }
    } catch {
      // A full disk must not end the command, nor lose what memory holds.
      this.#isSpillBroken = true;
    }
  }

  #keepTail(bytes: Buffer): void {
    const size = this.#tail.length;
    this.#tail.copyWithin(0, bytes.length);
    bytes.copy(this.#tail, Math.max(0, size - bytes.length), Math.max(0, bytes.length - size));
  }

  #lastBytes(length: number): Buffer {
    return Buffer.from(this.#tail.subarray(this.#tail.length - length));
  }
}

/** Counts in a few kilobytes without the scanner, which takes milliseconds to be there: most programs say little. */
function newlinesIn(parts: readonly Buffer[]): number {
  let sum = 0;
  for (const part of parts) for (let at = part.indexOf(NEWLINE); at >= 0; at = part.indexOf(NEWLINE, at + 1)) sum++;
  return sum;
}

export function describeOutput(collected: CollectedOutput): DescribedOutput {
  const { head, tail, total_bytes, total_lines, errors, spill } = collected;
  const binary = head.includes(0) || tail.includes(0);
  const omitted = total_bytes - head.length - tail.length;
  return {
    text: binary ? `[binary output, ${total_bytes} bytes]` : textOf(head, tail, omitted),
    binary,
    truncated: omitted > 0,
    total_bytes,
    ...(total_lines === undefined ? {} : { total_lines }),
    errors: binary ? [] : errors.map(plain).filter((line) => line !== ""),
    ...(spill ? { spill } : {}),
  };
}

function textOf(head: Buffer, tail: Buffer, omitted: number): string {
  if (omitted <= 0) return plain(Buffer.concat([head, tail]).toString("utf8"));
  // Whole lines on both sides of the cut, where there are any.
  const headEnd = head.lastIndexOf(0x0a) + 1 || head.length;
  const tailStart = (tail.indexOf(0x0a) + 1) % tail.length;
  const left = omitted + (head.length - headEnd) + tailStart;
  const [before, after] = [head.subarray(0, headEnd), tail.subarray(tailStart)].map((part) =>
    plain(part.toString("utf8")),
  );
  return `${before}[... ${left} bytes left out ...]\n${after}`;
}

/**
 * The last line that is whole and not empty, for people who wait: of a part of one nobody could tell whether it is a part of
 * a secret. @param isCut whether something came before `recent`
 */
export function lastLine(recent: Buffer, isCut: boolean): string {
  if (recent.includes(0)) return "";
  const lines = Bun.stripANSI(recent.toString("utf8")).split(/[\r\n]+/);
  const whole = lines.slice(isCut ? 1 : 0, -1);
  return plain(whole.findLast((one) => one.trim() !== "") ?? "").trim();
}

/** A line that a program wrote over again is shown as it was last. */
export function plain(text: string): string {
  return Bun.stripANSI(text)
    .replaceAll("\r\n", "\n")
    .replaceAll(/[^\n]*\r(?=[^\n])/g, "")
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
}

export interface Drain {
  /** Nothing more comes. */
  readonly ended: Promise<void>;
  readonly giveUp: () => Promise<void>;
  readonly close: () => void;
}

/** @param fd of a pipe; `close` closes it */
export function drainPipe(fd: number, push: (bytes: Uint8Array) => void): Drain {
  widen(fd);
  const reader = Bun.file(fd).stream().getReader();
  const readAll = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      push(value);
    }
  };
  return {
    // A read that fails is as good as the end: nothing more can be read.
    ended: readAll().catch(() => undefined),
    async giveUp() {
      await reader.cancel();
      takeRest(fd, push);
    },
    close: () => closeSync(fd),
  };
}

/**
 * What was written before is never lost, however late this process has its turn: as much as the largest pipe holds that a
 * program can make of it, and no more.
 */
function takeRest(fd: number, push: (bytes: Uint8Array) => void): void {
  neverWait(fd);
  const memory = Buffer.allocUnsafe(REST_BYTES);
  try {
    for (let part = 0; part < MAX_RESTS; part++) {
      const read = readSync(fd, memory);
      if (read === 0) return;
      push(memory.subarray(0, read));
    }
  } catch {
    // The pipe is empty, or broken: both are its end.
  }
}

const REST_BYTES: number = 64 * 1024;
const MAX_RESTS = 16;
