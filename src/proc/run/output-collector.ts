/**
 * The output of one command, collected on its way past, as what an answer shows (its beginning and its end), both streams
 * together and each alone, the totals, lines that look like errors, and the whole in a spill file. Memory is bounded whatever
 * comes. Then all of it as text for a model: without escape sequences, with what was left out said, and what is no text
 * described instead of shown.
 *
 * Usual mistake: to keep the text and cut it at the end; `yes` writes a gigabyte a second.
 */
import { closeSync, writeSync } from "node:fs";
import { limits } from "../../base/index.ts";
import { sharedScanner } from "../../text/index.ts";
import type { ApartOutput, DescribedOutput } from "../run-answers.ts";
import { ErrorLines, LOOK_ROOM_BYTES } from "./error-lines.ts";
import { OutputEnds } from "./output-ends.ts";
import { StreamRuns, type OutputStream, type StreamTexts } from "./stream-runs.ts";

export interface OpenSpill {
  readonly id: string;
  readonly fd: number;
  /** Told when the descriptor is closed. */
  readonly onClosed: () => void;
}

interface Ends {
  readonly head: Buffer;
  /** Empty when the head is everything. */
  readonly tail: Buffer;
  readonly total_bytes: number;
}

/** The lines that look like errors are those between head and tail, as far as was looked. */
export interface CollectedOutput extends Omit<DescribedOutput, "text" | "binary" | "truncated">, Ends {
  /** Each stream alone; what is shown of both is never more than what is shown of them together. */
  readonly apart: StreamTexts<Ends>;
}

/** How much of the latest output people are shown who wait. */
const RECENT_BYTES = 4096;

/** So far it is looked at; of the rest only the end is wanted. */
const FOLLOWED_BYTES: number = limits.MAX_COMMAND_SPILL_BYTES;
/** So much is copied into the scanner's memory at once, to be looked at there. */
const PIECE_BYTES: number = 256 * 1024;
const NEWLINE = 0x0a;

export class OutputCollector {
  readonly #both: OutputEnds;
  readonly #stdout: OutputEnds;
  readonly #stderr: OutputEnds;
  /** What is where in it. */
  readonly runs: StreamRuns = new StreamRuns();
  #newlines = 0;
  #errors: ErrorLines | undefined;
  readonly #openSpill: () => OpenSpill;
  readonly #sureBytes: number;
  #spill: OpenSpill | undefined;
  #spilled = 0;
  #isSpillBroken = false;

  /**
   * @param shownBytes what an answer shows of it: its beginning and its end; until there is more, nothing else need be done
   * @param sureBytes what of it has room in every answer: more is kept whole
   */
  constructor(openSpill: () => OpenSpill, shownBytes: number, sureBytes: number = 2 * Math.ceil(shownBytes / 2)) {
    this.#openSpill = openSpill;
    this.#sureBytes = sureBytes;
    [this.#both, this.#stdout, this.#stderr] = [
      new OutputEnds(shownBytes),
      new OutputEnds(shownBytes),
      new OutputEnds(shownBytes),
    ];
  }

  get total(): number {
    return this.#both.total;
  }

  /** A little of what came last. */
  recent(): Buffer {
    return this.#both.last(Math.min(this.total, RECENT_BYTES, this.#both.size));
  }

  push(chunk: Uint8Array, stream: OutputStream = "stdout"): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const total = this.total + bytes.length;
    const isFollowed = total > 2 * this.#both.size && this.total < FOLLOWED_BYTES;
    const isKept = total > this.#sureBytes && this.total < FOLLOWED_BYTES;
    const isFirst = (isFollowed && !this.#errors) || (isKept && !this.#spill);
    const before = isFirst ? this.#both.ends() : [];
    this.#both.push(bytes);
    (stream === "stdout" ? this.#stdout : this.#stderr).push(bytes);
    this.runs.add(stream, bytes.length);
    if (isFollowed) this.#follow(bytes, this.#errors ? [] : before);
    if (isKept) for (const part of [...(this.#spill ? [] : before), bytes]) this.#spillNext(part);
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
    const [head, tail] = this.#both.ends();
    const lines = this.#lines([head, tail]);
    return {
      head,
      tail,
      total_bytes: this.total,
      apart: this.#apart(),
      errors: this.#errors?.found(this.total - this.#both.size) ?? [],
      ...(lines === undefined ? {} : { total_lines: lines }),
      ...(this.#spill ? { spill: { id: this.#spill.id, bytes: this.#spilled } } : {}),
    };
  }

  /** The stream that said less is shown first, with half of the room at most; the other one has what is left. */
  #apart(): StreamTexts<Ends> {
    const room = 2 * this.#both.size;
    const [less, more] = [this.#stdout, this.#stderr].sort((a, b) => a.total - b.total) as [OutputEnds, OutputEnds];
    const shownOfLess = Math.min(less.total, Math.max(room / 2, room - more.total));
    const endsOf = (stream: OutputEnds): Ends => {
      const [head, tail] = stream.ends(stream === less ? shownOfLess : room - shownOfLess);
      return { head, tail, total_bytes: stream.total };
    };
    return { stdout: endsOf(this.#stdout), stderr: endsOf(this.#stderr) };
  }

  #lines(ends: readonly Buffer[]): number | undefined {
    if (this.total > FOLLOWED_BYTES) return undefined;
    const isEnded = this.total === 0 || this.#both.last(1)[0] === NEWLINE;
    return (this.#errors ? this.#newlines : newlinesIn(ends)) + (isEnded ? 0 : 1);
  }

  /** What an answer cannot show is counted and looked at. @param before what came before, the first time */
  #follow(bytes: Buffer, before: readonly Buffer[]): void {
    if (!this.#errors) {
      const [head] = this.#both.ends();
      // Whole lines of the head are shown; the head is full.
      this.#errors = new ErrorLines(head.lastIndexOf(NEWLINE) + 1 || head.length);
    }
    for (const part of [...before, bytes]) this.#followPart(part);
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
}

/** Counts in a few kilobytes without the scanner, which takes milliseconds to be there: most programs say little. */
function newlinesIn(parts: readonly Buffer[]): number {
  let sum = 0;
  for (const part of parts) for (let at = part.indexOf(NEWLINE); at >= 0; at = part.indexOf(NEWLINE, at + 1)) sum++;
  return sum;
}

export function describeOutput(collected: CollectedOutput): DescribedOutput {
  const { head, tail, total_bytes, total_lines, errors, spill } = collected;
  const binary = isBinary(collected);
  return {
    text: describeEnds(collected),
    binary,
    truncated: total_bytes > head.length + tail.length,
    total_bytes,
    ...(total_lines === undefined ? {} : { total_lines }),
    errors: binary ? [] : errors.map(plain).filter((line) => line !== ""),
    ...(spill ? { spill } : {}),
  };
}

export function describeApart({ apart: { stdout, stderr } }: Pick<CollectedOutput, "apart">): ApartOutput {
  return {
    stdout: describeEnds(stdout),
    stdout_bytes: stdout.total_bytes,
    stderr: describeEnds(stderr),
    stderr_bytes: stderr.total_bytes,
  };
}

function isBinary({ head, tail }: Ends): boolean {
  return head.includes(0) || tail.includes(0);
}

function describeEnds(ends: Ends): string {
  const { head, tail, total_bytes } = ends;
  if (isBinary(ends)) return `[binary output, ${total_bytes} bytes]`;
  return textOf(head, tail, total_bytes - head.length - tail.length);
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
