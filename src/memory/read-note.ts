/**
 * One note for the caller: a page of its lines, its headings, and the hash of the whole. A link in the place of a note is
 * refused: it would be a file that rules know under another name. A note is read once, so its headings are those of its hash.
 */
import { answerBytes, Failure, limits } from "../base/index.ts";
import { readHeldFile, readRange, refuseLarge } from "../files/index.ts";
import type { Base64Read, FilesContext, TextRead } from "../files/index.ts";
import { failureOf, type OpenFile } from "../scope/index.ts";
import { countLines, decodeText, formatBytes, nearestNames } from "../text/index.ts";
import { fileOfNamespace } from "./namespace.ts";
import { linesOfSection, MAX_TITLE_CHARS, sectionsOf, type NoteLines, type NoteSection } from "./note-sections.ts";
import { memoryRoot, walkNotes } from "./walk-notes.ts";

export interface NoteAsked {
  readonly namespace: string;
  /** A heading of the note: only what stands below it, to the next heading of its rank. */
  readonly section?: string | undefined;
  /** The first line, of the section where one is given; with base64 the first byte. 1-based. */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  /** Bytes in the place of lines, by which the rest of a long line is read. */
  readonly encoding?: "base64" | undefined;
  readonly unless_hash?: string | undefined;
}

/** How a reading ends that is cut: the call that gives the rest. */
interface NoteCut {
  readonly next?: NoteAsked;
  /** The call that gives the rest of the first line that was cut for length, as bytes. */
  readonly rest?: NoteAsked;
}

type Own<T> = Omit<T, keyof NoteCut>;

export type NoteRead =
  | { readonly kind: "unchanged"; readonly path: string; readonly hash?: string }
  | (Own<Base64Read> & NoteCut)
  | (Own<TextRead> & NoteCut & { readonly sections: readonly NoteSection[]; readonly more_sections?: number });

/** More headings than anybody looks through are counted. */
const MAX_SECTIONS = 100;

/** @throws Failure `not_found` with the nearest names, `denied` for a link, `not_text`, `invalid_input` past the end */
export async function readNote(ctx: FilesContext, asked: NoteAsked): Promise<NoteRead> {
  const { unless_hash, ...again } = asked;
  const { namespace, section, limit } = again;
  const { scope } = ctx;
  const path = `${scope.absolute(memoryRoot(scope))}/${fileOfNamespace(namespace, "read")}`;
  using file = openNote(ctx, path, namespace);
  const bytes = bytesOf(ctx, file, namespace);
  if (asked.encoding === "base64") return await readBytes(ctx, asked, file, bytes);
  const decoded = decodeText(bytes);
  if (decoded.kind !== "text") throw notText(namespace);
  const { text } = decoded;
  const all = sectionsOf(text);
  const of =
    section === undefined ? { first: 1, last: countLines(text) } : linesOfSection(text, all, section, namespace);
  const before = of.first - 1;
  const offset = before + (asked.offset ?? 1);
  if (offset > Math.max(1, of.last)) throw pastTheEnd(asked, of);
  const lines = Math.max(1, Math.min(limit ?? limits.DEFAULT_READ_LINES, of.last - offset + 1));
  const request = { path: namespace, offset, limit: lines, maxBytes: answerBytes(ctx.bounds, limit), unless_hash };
  const read = await readHeldFile(ctx, request, file, bytes);
  if (read.kind === "unchanged") return read;
  if (read.kind !== "text") throw notText(namespace);
  const { next: _next, rest, ...page } = read;
  const end = page.first_line + page.lines;
  const shown = all.slice(0, MAX_SECTIONS).map((one) => ({ ...one, title: one.title.slice(0, MAX_TITLE_CHARS) }));
  return {
    ...page,
    truncated: end <= of.last || page.cut_lines !== undefined,
    ...(end <= of.last ? { next: { ...again, offset: end - before } } : {}),
    ...(rest ? { rest: { namespace, offset: rest.offset, encoding: "base64" } } : {}),
    sections: shown,
    ...(all.length > shown.length ? { more_sections: all.length - shown.length } : {}),
  };
}

async function readBytes(ctx: FilesContext, asked: NoteAsked, file: OpenFile, bytes: Buffer): Promise<NoteRead> {
  const { unless_hash: _seen, ...again } = asked;
  const read = await readHeldFile(ctx, { ...asked, path: asked.namespace }, file, bytes);
  if (read.kind === "unchanged") return read;
  if (read.kind !== "base64") throw notText(asked.namespace);
  const { next, ...page } = read;
  return { ...page, ...(next ? { next: { ...again, offset: next.offset } } : {}) };
}

function pastTheEnd({ namespace, section, offset }: NoteAsked, { first, last }: NoteLines): Failure {
  const total = last - first + 1;
  const where = section === undefined ? "the end" : "the end of the section";
  const state = `line ${offset} is past ${where} (it has ${total} ${total === 1 ? "line" : "lines"})`;
  return new Failure("invalid_input", `Cannot read "${namespace}": ${state}`, {
    hint: "Use a smaller offset.",
    details: { total_lines: total },
  });
}

function notText(namespace: string): Failure {
  return new Failure("not_text", `Cannot read "${namespace}": its file holds something else than text`, {
    hint: "Somebody has replaced its file: a note is text in UTF-8. memory_delete takes it away.",
  });
}

function openNote({ scope, cancel }: FilesContext, path: string, namespace: string): OpenFile {
  try {
    return scope.openFile(scope.locate(path, "read"), "read", "refuse");
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "not_found") throw thrown;
    throw unknownNote(
      namespace,
      walkNotes(scope, cancel).notes.map((note) => note.namespace),
    );
  }
}

/** A person may write longer notes than a tool: they are read as far as a file can be held. */
function bytesOf(ctx: FilesContext, { fd, at, stat }: OpenFile, namespace: string): Buffer {
  refuseLarge(ctx, namespace, Number(stat.size), "read");
  const most = limits.MAX_HASHED_READ_BYTES;
  if (stat.size > most)
    throw new Failure("too_large", `Cannot read "${namespace}": its file has more than ${formatBytes(most)}`);
  try {
    return readRange(fd, 0, Number(stat.size));
  } catch (thrown) {
    throw failureOf(thrown, ctx.scope, at, "read");
  }
}

function unknownNote(namespace: string, names: readonly string[]): Failure {
  const candidates = nearestNames(namespace, names, 5);
  const hint =
    candidates.length > 0
      ? "Give the whole name of a note; memory_list shows them."
      : "memory_list shows what there is, and memory_write makes a new note.";
  return new Failure("not_found", `Cannot read "${namespace}": there is no such note`, { hint, candidates });
}
