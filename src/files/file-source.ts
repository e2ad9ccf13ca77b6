/**
 * One open file on its way to an answer: everything that a form of reading needs, so that each form is a function of it; and
 * the bytes of an open file by position, never more than asked and never past what is there.
 *
 * Usual mistakes: trusting one `readSync` to fill the buffer, because network file systems and signals give less; keeping a
 * context for the next call, when its deadline has passed.
 */
import { sha256, type AnswerBounds, type Cancel, type JobTurn } from "../base/index.ts";
import type { Scope } from "../scope/index.ts";
import type { EncodingName, LegacyEncoding } from "../text/index.ts";
import type { BinaryRead, ContentMark, NextRead, ReadRequest } from "./file-read.ts";
import { readSync, type BigIntStats } from "node:fs";

/** How secrets are found, where what is read is for a model. */
export interface SecretLook {
  redact(text: string): { readonly text: string; readonly count: number };
  /** The part of `shown` that belongs to a secret which begins in what stands before it. */
  findBegun(
    before: string,
    shown: string,
  ): { readonly start: number; readonly end: number; readonly placeholder: string } | undefined;
}

export interface FilesContext {
  readonly scope: Scope;
  readonly cancel: Cancel;
  /** Absent: nobody else waits for the thread. */
  readonly turn?: JobTurn | undefined;
  /** Told how many bytes are done, and of how many where that is known. Called every few MB; whoever gets it decides what to show. */
  readonly progress: (done: number, total: number | undefined, what: string) => void;
  /** The one code page that the operator configured for text that is not Unicode. */
  readonly legacyEncoding?: LegacyEncoding | undefined;
  readonly secrets?: SecretLook | undefined;
  /** Keeps a text that is shown in part, for a day. @returns its id, which is a path for reading */
  readonly keep?: ((text: string) => string) | undefined;
  /** Default: `ANSWER_BOUNDS`. */
  readonly bounds?: AnswerBounds | undefined;
}

export interface FileSource {
  readonly ctx: FilesContext;
  readonly fd: number;
  readonly size: number;
  /** The whole content, where it was read: what is shown is then what was hashed. */
  readonly whole?: Buffer;
  /** The path as callers see it. */
  readonly path: string;
  readonly mark: ContentMark;
  readonly request: ReadRequest;
  /** Bounds the content in the answer. */
  readonly maxBytes: number;
}

export function readSource(source: FileSource, position: number, length: number): Buffer {
  return source.whole?.subarray(position, position + length) ?? readRange(source.fd, position, length);
}

/** The arguments of the call that continues from another place. */
export function nextRead(source: FileSource, offset: number): NextRead {
  const { limit, line_numbers, encoding } = source.request;
  return {
    path: source.path,
    offset,
    ...(limit === undefined ? {} : { limit }),
    ...(line_numbers === undefined ? {} : { line_numbers }),
    ...(encoding === undefined ? {} : { encoding }),
  };
}

interface CutText {
  readonly text: string;
  readonly encoding: EncodingName;
  /** Where the part that is left out begins. */
  readonly cutAt?: number | undefined;
}

/** The call that reads the rest of a line that was cut, as bytes. @param position of the text in the file */
export function restOfLine(
  { path }: FileSource,
  { text, encoding, cutAt }: CutText,
  position = 0,
): { readonly rest?: NextRead } {
  if (cutAt === undefined || (encoding !== "utf-8" && encoding !== "utf-8-bom")) return {};
  const mark = encoding === "utf-8-bom" && position === 0 ? 3 : 0;
  const before = position + mark + Buffer.byteLength(text.slice(0, cutAt));
  return { rest: { path, offset: before + 1, encoding: "base64" } };
}

export function binaryRead(source: FileSource, mime: string, note?: string): BinaryRead {
  const { path, size, mark } = source;
  return { kind: "binary", type: "binary", path, mime, size, ...mark, ...(note ? { note } : {}) };
}

/** Fills as much of `target` as the file has from `position` on; returns the filled part. */
export function readInto(fd: number, target: Buffer, position: number): Buffer {
  let filled = 0;
  while (filled < target.length) {
    const got = readSync(fd, target, filled, target.length - filled, position + filled);
    if (got === 0) break;
    filled += got;
  }
  return filled === target.length ? target : target.subarray(0, filled);
}

/** Reads into new memory, so that the bytes may be kept; not zeroed, because only the filled part is returned. */
export function readRange(fd: number, position: number, length: number): Buffer {
  return readInto(fd, Buffer.allocUnsafe(length), position);
}

/**
 * The mark of a file where hashing would cost more than reading: a version of the inode's state. It also changes when nothing
 * but a time does; it never stays when the content changed, as far as the file system keeps ctime. 32 hex digits, so that it
 * cannot be taken for a sha256.
 */
export function versionOf(stat: BigIntStats): string {
  const state = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
  return sha256(state).slice(0, 32);
}
