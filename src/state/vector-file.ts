/**
 * The vectors of one model beside the index of the memory, as rows of one length that are only ever appended: so all of them
 * are read in a few milliseconds into memory that is used again, and none of them has to be held. The index has them too, and
 * makes the file anew.
 *
 * A row is a number that grows from row to row, the id of a piece, and the bytes of its vector, filled up to a multiple of
 * eight; one row's length stands before the first. Half a row at the end, of a writer that was killed, is no row.
 *
 * Invariant: whoever appends holds the lock of the index; whoever reads holds nothing, and what it has opened does not shrink.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** A vector as the index has it. */
export interface VectorRow {
  /** Grows with each vector that was ever made. */
  readonly seq: number;
  /** The id of the piece. */
  readonly id: number;
  readonly vector: Uint8Array;
}

const HEAD_BYTES = 16;
/** The two numbers before each vector. */
export const ROW_HEAD_BYTES = 16;
const PREFIX = "vectors-";
/** Changes with the form of the file. */
const MARK = 0x52_46_56_31;

export class VectorFile implements Disposable {
  readonly path: string;
  /** The length of a row. */
  readonly stride: number;
  #fd: number;
  #rows = 0;

  /** @param file the file of the index @param size the numbers of one vector */
  constructor(file: string, name: string, size: number) {
    this.path = join(dirname(file), `${PREFIX}${name}`);
    this.stride = ROW_HEAD_BYTES + Math.ceil(size / 8) * 8;
    this.#fd = open(this.path);
    this.#count();
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  /** The rows that were there when it was opened, and those appended since by this one. */
  get rows(): number {
    return this.#rows;
  }

  /** The number of the last row. 0: there is none. */
  get last(): number {
    if (this.#rows === 0) return 0;
    const bytes = Buffer.alloc(8);
    readSync(this.#fd, bytes, 0, 8, HEAD_BYTES + (this.#rows - 1) * this.stride);
    return bytes.readDoubleLE();
  }

  /** @param from the number of rows to pass over @returns how many rows are in `into` now; 0 behind the last one */
  read(from: number, into: Uint8Array): number {
    const rows = Math.min(Math.floor(into.length / this.stride), this.#rows - from);
    if (rows <= 0) return 0;
    const length = readSync(this.#fd, into, 0, rows * this.stride, HEAD_BYTES + from * this.stride);
    return Math.floor(length / this.stride);
  }

  /** Counts anew what others have appended meanwhile. */
  append(rows: readonly VectorRow[]): void {
    this.#count();
    const bytes = Buffer.alloc(rows.length * this.stride);
    for (const [at, { seq, id, vector }] of rows.entries()) {
      bytes.writeDoubleLE(seq, at * this.stride);
      bytes.writeDoubleLE(id, at * this.stride + 8);
      bytes.set(vector, at * this.stride + ROW_HEAD_BYTES);
    }
    if (this.#rows === 0) writeWhole(this.#fd, headOf(this.stride), 0);
    writeWhole(this.#fd, bytes, HEAD_BYTES + this.#rows * this.stride);
    this.#rows += rows.length;
  }

  /** Begins anew, in a file of its own: who reads the old one goes on reading it. */
  clear(): void {
    rmSync(this.path, { force: true });
    // The old one stays open when a new one cannot be had: whoever disposes of this closes a file that is open.
    const fd = open(this.path);
    closeSync(this.#fd);
    this.#fd = fd;
    this.#rows = 0;
  }

  #count(): void {
    const head = Buffer.alloc(HEAD_BYTES);
    readSync(this.#fd, head, 0, HEAD_BYTES, 0);
    const { size } = fstatSync(this.#fd);
    const isOurs = size >= HEAD_BYTES && head.equals(headOf(this.stride));
    this.#rows = isOurs ? Math.floor((size - HEAD_BYTES) / this.stride) : 0;
  }
}

/** Files of models that the index knows no more, or of an index that is gone. */
export function sweepVectorFiles(file: string, isKnown: (name: string) => boolean): void {
  for (const name of readdirSync(dirname(file)))
    if (name.startsWith(PREFIX) && !isKnown(name.slice(PREFIX.length)))
      rmSync(join(dirname(file), name), { force: true });
}

function open(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
}

function headOf(stride: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(MARK, 0);
  head.writeUInt32LE(stride, 4);
  return head;
}

function writeWhole(fd: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}
