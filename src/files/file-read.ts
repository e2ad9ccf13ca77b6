/**
 * The forms that an answer of `readFile` can take. All of it is plain JSON and goes out as the structured result, so the
 * names are those of the wire. Sizes in bytes, lines 1-based.
 */
import type { EncodingName } from "../text/index.ts";

/** Bytes instead of lines: `offset` is then the 1-based number of the first byte, `limit` a number of bytes. */
export type ReadEncoding = "auto" | EncodingName | "base64";

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
export interface ContentMark {
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
  /** The call that gives the rest of the first of them, as bytes. Absent where characters are stored as other bytes than UTF-8. */
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

export interface UnchangedRead extends ContentMark {
  readonly kind: "unchanged";
  readonly path: string;
}

export type FileRead = TextRead | BinaryRead | Base64Read | ImageRead | UnchangedRead;
