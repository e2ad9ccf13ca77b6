/**
 * What is asked of a reading, the forms that its answer can take, and the open file between the two, of which each form of
 * reading is a function. Requests and answers are plain JSON with the names of the wire; sizes in bytes, lines 1-based.
 *
 * Usual mistakes: trusting one `readSync` to fill the buffer, because network file systems and signals give less; keeping a
 * context for the next call, when its deadline has passed.
 */
import { type BigIntStats, readSync } from "node:fs";
import { type AnswerBounds, type Cancel, Failure, type JobTurn, sha256 } from "../base/index.ts";
import type { PictureWanted, ShownPicture } from "../pictures/index.ts";
import { quotable, type Scope } from "../scope/index.ts";
import { encodeText, type EncodingName, type LegacyEncoding } from "../text/index.ts";

/** How secrets are found, where what is read is for a model. */
export interface SecretLook {
  redact(text: string): { readonly text: string; readonly count: number };
  /** A text whose private keys are replaced and whose lines stand where they did: a part of one looks like any text. */
  hideKeys(text: string): string;
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
  /**
   * Told how many bytes are done, and of how many where that is known. Called every few MB; whoever gets it decides
   * what to show.
   */
  readonly progress: (done: number, total: number | undefined, what: string) => void;
  /** The one code page that the operator configured for text that is not Unicode. */
  readonly legacyEncoding?: LegacyEncoding | undefined;
  readonly secrets?: SecretLook | undefined;
  /** Keeps a text that is shown in part, or bytes that are only linked, for a day. @returns its id, a path for reading */
  readonly keep?: ((content: string | Uint8Array) => string) | undefined;
  /** Decodes pictures apart from this thread and from all files. Absent: they are decoded here. @throws Failure */
  readonly showPicture?: ((bytes: Uint8Array, wanted: PictureWanted) => Promise<ShownPicture>) | undefined;
  /** Default: `ANSWER_BOUNDS`. */
  readonly bounds?: AnswerBounds | undefined;
}

/** @throws Failure `too_large` for a file beyond what the host reads */
export function refuseLarge({ bounds }: FilesContext, path: string, size: number, verb: string): void {
  const limit = bounds?.maxFileBytes ?? Infinity;
  if (size <= limit) return;
  const state = `it has ${size} bytes, and this host reads files of ${limit} bytes at most (max_file_bytes)`;
  throw new Failure("too_large", `Cannot ${verb} "${quotable(path)}": ${state}`, { details: { size, limit } });
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

/** The call that reads the rest of a line that was cut, as bytes. @param position of the text in the file */
export function restOfLine(
  { path }: FileSource,
  {
    text,
    encoding,
    cutAt,
  }: { readonly text: string; readonly encoding: EncodingName; readonly cutAt?: number | undefined },
  position = 0,
): { readonly rest?: NextRead } {
  if (cutAt === undefined) return {};
  const shown = encodeText(text.slice(0, cutAt), encoding);
  const mark = encodeText("", encoding);
  if (shown.kind !== "bytes" || mark.kind !== "bytes") return {};
  // A byte order mark stands at the beginning of the file only.
  const before = position + shown.bytes.length - (position === 0 ? 0 : mark.bytes.length);
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

/** Bytes instead of lines: `offset` is then the 1-based number of the first byte, `limit` a number of bytes. */
type ReadEncoding = "auto" | EncodingName | "base64";

export interface ReadRequest {
  readonly path: string;
  /** First line; negative counts from the end (-1 is the last line). Default 1. */
  readonly offset?: number | undefined;
  /** Lines; default DEFAULT_READ_LINES. */
  readonly limit?: number | undefined;
  readonly line_numbers?: boolean | undefined;
  readonly encoding?: ReadEncoding | undefined;
  /** Answer `unchanged` when the content still has this hash (or, of a large file, this version). */
  readonly unless_hash?: string | undefined;
  /** The most bytes of content in the answer. Default 32 KiB, or MAX_READ_BYTES when `limit` is given; never over that. */
  readonly maxBytes?: number | undefined;
  /** The most bytes of one line; the rest is cut, and the answer says so. Default MAX_READ_LINE_BYTES. */
  readonly maxLineBytes?: number | undefined;
}

/** What the content was: sha256 of all of it, or, above MAX_HASHED_READ_BYTES, a digest of the inode's state. */
interface ContentMark {
  readonly hash?: string;
  readonly version?: string;
}

/** The arguments of the call that continues. */
export type NextRead = Omit<ReadRequest, "unless_hash" | "maxBytes" | "maxLineBytes"> & {
  readonly offset: number;
};

export interface TextRead extends ContentMark {
  readonly kind: "text";
  readonly path: string;
  readonly text: string;
  readonly encoding: EncodingName;
  /** Negative when it was reached from the end of a file too large to count: -50 is the fiftieth line from the end. */
  readonly first_line: number;
  readonly lines: number;
  readonly total_lines: number;
  /** The file is too large to be counted for one read: it has `total_lines` or more. */
  readonly total_lines_at_least?: true;
  readonly size: number;
  readonly truncated: boolean;
  /** Lines of which only the beginning is given. */
  readonly cut_lines?: readonly number[];
  /**
   * The call that gives the rest of the first of them, as bytes. Absent where characters are stored as other bytes than
   * UTF-8.
   */
  readonly rest?: NextRead;
  readonly next?: NextRead;
}

export interface BinaryRead extends ContentMark {
  readonly kind: "binary";
  readonly type: "binary";
  readonly path: string;
  readonly mime: string;
  readonly size: number;
  /** Why an image is not shown as one. */
  readonly note?: string;
}

export interface Base64Read extends ContentMark {
  readonly kind: "base64";
  readonly path: string;
  /** Pages are multiples of three bytes long, so the texts of consecutive pages can simply be joined. */
  readonly data: string;
  /** 1-based number of the first byte. */
  readonly first_byte: number;
  readonly bytes: number;
  readonly size: number;
  readonly truncated: boolean;
  readonly next?: NextRead;
}

export interface ImageRead extends ContentMark {
  readonly kind: "image";
  readonly path: string;
  readonly mime: string;
  /** base64 */
  readonly data: string;
  /** The width and height of the image as it is sent. */
  readonly width: number;
  readonly height: number;
  /** The size of the file. */
  readonly size: number;
  readonly scaled?: true;
}

interface UnchangedRead extends ContentMark {
  readonly kind: "unchanged";
  readonly path: string;
}

export type FileRead = TextRead | BinaryRead | Base64Read | ImageRead | UnchangedRead;
