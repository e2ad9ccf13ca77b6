/**
 * The difference of two files, or of a file and a text that the caller has. Texts are compared as text, whatever their
 * encodings; what is not text is compared by its bytes and described. A long difference is shown in
 * part and kept whole: made once more for a next page it might come out another one, because it is bounded in time.
 */
import { answerBytes, Failure, limits, sha256 } from "../base/index.ts";
import { failureOf, quotable } from "../scope/index.ts";
import { decodeText, sliceLines, unifiedDiff, type EncodingName } from "../text/index.ts";
import { readRange, refuseLarge, type FilesContext } from "./file-source.ts";

export interface DiffRequest {
  readonly a: string;
  /** Exactly one of `b` and `text`. */
  readonly b?: string | undefined;
  readonly text?: string | undefined;
  /** Unchanged lines around a change. Default 3. */
  readonly context?: number | undefined;
}

export interface DiffSide {
  /** Absent for a text that the caller gave. */
  readonly path?: string;
  readonly size: number;
  readonly hash: string;
  /** Absent for content that is not text. */
  readonly encoding?: EncodingName;
}

export interface FilesDiff {
  /** The first lines of a long diff. Empty when the texts are the same, or when one side is binary. */
  readonly diff: string;
  /** The lines of `diff`, and of the whole diff; only where it was cut. */
  readonly lines?: number;
  readonly total_lines?: number;
  /** The whole diff: `read` and `grep` take this id as a path. */
  readonly spill?: { readonly id: string; readonly bytes: number };
  /** How many secrets in the whole diff were replaced by placeholders. */
  readonly secrets?: number;
  readonly added: number;
  readonly removed: number;
  /** Both sides are equal, byte for byte. */
  readonly identical: boolean;
  readonly truncated: boolean;
  /** One side is not text: only hashes and sizes were compared. */
  readonly binary?: true;
  /** What differs when the diff cannot show it. */
  readonly note?: string;
  readonly a: DiffSide;
  readonly b: DiffSide;
}

/** @throws Failure `invalid_input` for none or both of `b` and `text`, `too_large` */
export function diffFiles(ctx: FilesContext, request: DiffRequest): FilesDiff {
  if ((request.b === undefined) === (request.text === undefined)) {
    throw new Failure("invalid_input", `Cannot diff "${quotable(request.a)}": give either b or text`);
  }
  const a = loadSide(ctx, request.a);
  const b = request.b === undefined ? givenSide(request.text ?? "") : loadSide(ctx, request.b);
  const sides = { a: a.side, b: b.side };
  const identical = a.side.hash === b.side.hash;
  const nothing = { diff: "", added: 0, removed: 0, truncated: false };
  if (a.text === undefined || b.text === undefined) {
    const note = identical ? {} : { note: "not text on both sides, so only sizes and hashes were compared" };
    return { ...nothing, identical, binary: true, ...note, ...sides };
  }
  if (a.text === b.text) {
    const note = identical ? {} : { note: "the text is the same, but its encoding or byte order mark is not" };
    return { ...nothing, identical, ...note, ...sides };
  }
  const path = a.side.path ?? "";
  const [before = "", after = ""] = [a.text, b.text].map((text) => ctx.secrets?.hideKeys(text) ?? text);
  const { text: diff, ...counts } = unifiedDiff(before, after, {
    path,
    newPath: b.side.path ?? path,
    maxBytes: MAX_KEPT_BYTES,
    ...(request.context === undefined ? {} : { context: request.context }),
  });
  return { ...counts, ...partOf(ctx, diff), identical: false, ...sides };
}

/** The most that one diff takes in the state folder. */
const MAX_KEPT_BYTES: number = 32 * 1024 * 1024;

type DiffPart = Pick<FilesDiff, "diff" | "truncated" | "lines" | "total_lines" | "spill" | "secrets">;

function partOf(ctx: FilesContext, diff: string): DiffPart {
  const maxBytes = answerBytes(ctx.bounds, undefined);
  if (Buffer.byteLength(diff) <= maxBytes) return { diff, truncated: false };
  // Before the end of a part can cut a secret in two.
  const { text: whole, count } = ctx.secrets?.redact(diff) ?? { text: diff, count: 0 };
  const { text, lines, totalLines } = sliceLines(whole, {
    maxBytes,
    maxLineBytes: limits.MAX_READ_LINE_BYTES,
  });
  const id = ctx.keep?.(whole);
  return {
    diff: text,
    truncated: true,
    lines,
    total_lines: totalLines,
    ...(id === undefined ? {} : { spill: { id, bytes: Buffer.byteLength(whole) } }),
    ...(count === 0 ? {} : { secrets: count }),
  };
}

interface Side {
  readonly side: DiffSide;
  readonly text?: string;
}

function loadSide(ctx: FilesContext, path: string): Side {
  const at = ctx.scope.locate(path, "diff");
  using file = ctx.scope.openFile(at, "diff");
  refuseLarge(ctx, path, Number(file.stat.size), "diff");
  if (file.stat.size > limits.MAX_EDIT_FILE_BYTES) {
    const state = `it is larger than ${limits.MAX_EDIT_FILE_BYTES} bytes`;
    throw new Failure("too_large", `Cannot diff "${quotable(path)}": ${state}`, {
      hint: "Compare whole files with hash_file, or parts of them with read_file.",
    });
  }
  try {
    const bytes = readRange(file.fd, 0, Number(file.stat.size));
    return sideOf(ctx, bytes, ctx.scope.show(at));
  } catch (thrown) {
    throw failureOf(thrown, ctx.scope, at, "diff");
  }
}

function sideOf(ctx: FilesContext, bytes: Buffer, path: string): Side {
  const legacy = ctx.legacyEncoding;
  const side = { path, size: bytes.length, hash: sha256(bytes) };
  const decoded = decodeText(bytes, legacy === undefined ? {} : { legacy });
  if (decoded.kind === "not_text") return { side };
  return { side: { ...side, encoding: decoded.encoding }, text: decoded.text };
}

function givenSide(text: string): Side {
  const bytes = Buffer.from(text, "utf8");
  return { side: { size: bytes.length, hash: sha256(bytes), encoding: "utf-8" }, text };
}
