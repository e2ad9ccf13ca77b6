/**
 * One note for the caller: a page of its lines, its headings, and the hash of the whole. A link in the place of a note is
 * refused: it would be a file that rules know under another name. A note is read once, so its headings are those of its hash.
 */
import { Failure, limits } from "../base/index.ts";
import { readHeldFile, readRange, refuseLarge, type FilesContext, type TextRead } from "../files/index.ts";
import { failureOf, type OpenFile } from "../scope/index.ts";
import { decodeText, formatBytes, nearestNames } from "../text/index.ts";
import { createHeadingReader, type NoteHeading } from "./headings.ts";
import { fileOfNamespace } from "./namespace.ts";
import { memoryRoot, walkNotes } from "./walk-notes.ts";

export interface NoteAsked {
  readonly namespace: string;
  /** A heading of the note: only what stands below it, to the next heading of its rank. */
  readonly section?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly unless_hash?: string | undefined;
}

export interface NoteSection extends NoteHeading {
  readonly line: number;
}

export type NoteRead =
  | { readonly kind: "unchanged"; readonly path: string; readonly hash?: string }
  | (TextRead & { readonly sections: readonly NoteSection[]; readonly more_sections?: number });

/** More headings than anybody looks through are counted. */
const MAX_SECTIONS = 100;
const MAX_TITLE_CHARS = 120;

/** @throws Failure `not_found` with the nearest names, `denied` for a link, `not_text` */
export async function readNote(ctx: FilesContext, asked: NoteAsked): Promise<NoteRead> {
  const { namespace, section, offset, limit, unless_hash } = asked;
  const { scope } = ctx;
  const path = `${scope.absolute(memoryRoot(scope))}/${fileOfNamespace(namespace, "read")}`;
  using file = openNote(ctx, path, namespace);
  const bytes = bytesOf(ctx, file, namespace);
  const decoded = decodeText(bytes);
  if (decoded.kind !== "text") throw notText(namespace);
  const { text } = decoded;
  const all = sectionsOf(text);
  const range = section === undefined ? { offset, limit } : rangeOf(text, all, { namespace, section, offset, limit });
  const read = await readHeldFile(ctx, { path, ...range, unless_hash }, file, bytes);
  if (read.kind === "unchanged") return read;
  if (read.kind !== "text") throw notText(namespace);
  const shown = all.slice(0, MAX_SECTIONS).map((one) => ({ ...one, title: one.title.slice(0, MAX_TITLE_CHARS) }));
  return {
    ...read,
    sections: shown,
    ...(all.length > shown.length ? { more_sections: all.length - shown.length } : {}),
  };
}

function notText(namespace: string): Failure {
  return new Failure("not_text", `Cannot read "${namespace}": its file holds something else than text`);
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

function sectionsOf(text: string): NoteSection[] {
  const headingOf = createHeadingReader();
  return text.split(/\r?\n/).flatMap((line, index) => {
    const heading = headingOf(line);
    return heading ? [{ ...heading, line: index + 1 }] : [];
  });
}

function rangeOf(text: string, all: readonly NoteSection[], asked: NoteAsked & { readonly section: string }) {
  const wanted = asked.section
    .replace(/^#+\s*/, "")
    .trim()
    .toLowerCase();
  const index = all.findIndex(({ title }) => title.toLowerCase() === wanted);
  const found = all[index];
  if (!found) {
    const near = nearestNames(
      asked.section,
      all.map(({ title }) => title),
      5,
    );
    throw new Failure(
      "not_found",
      `Cannot read a section of "${asked.namespace}": it has no heading "${asked.section.slice(0, 200)}"`,
      {
        hint:
          near.length > 0
            ? `There is ${near.map((title) => `"${title.slice(0, MAX_TITLE_CHARS)}"`).join(", ")}.`
            : "Leave out section to read all of it.",
      },
    );
  }
  const next = all.slice(index + 1).find(({ level }) => level <= found.level);
  const last = next ? next.line - 1 : text.split("\n").length;
  const offset = found.line - 1 + Math.max(1, asked.offset ?? 1);
  return { offset, limit: Math.max(1, Math.min(asked.limit ?? Infinity, last - offset + 1)) };
}
