/**
 * Reads the format between `*** Begin Patch` and `*** End Patch`:
 *
 *   patch   = begin, { section }, end         section = add | delete | update
 *   add     = "*** Add File: " path, { "+" line }          delete = "*** Delete File: " path
 *   update  = "*** Update File: " path, [ "*** Move to: " path ], { chunk }
 *   chunk   = { "@@" [ " " context line ] }, { (" " | "-" | "+") line }, [ "*** End of File" ]
 *
 * Chunks may come without the first `@@`, with several `@@` (class, then method), with the numbers of a unified diff,
 * or with the same `@@` repeated in the middle. Text outside the markers is ignored and told; a header that is none of
 * these is refused, never skipped, and so is an update that has no chunk and does not move.
 */
import { findPlaceholder } from "../lines/sent-lines.ts";
import {
  NO_NEWLINE,
  buildHunk,
  placeholderRefusal,
  FILE_HEADER,
  HEADERS_HINT,
  SEARCH_MARKER,
  isFileNames,
  isUnifiedStart,
  quote,
  type PatchLine,
} from "./build-hunk.ts";
import { selectBody } from "./unwrap.ts";
import { refusal, type FilePatch, type Hunk, type NamedFile, type PatchNotes, type Section } from "./model.ts";
import { readNamedPath } from "./diff-file.ts";

export function parseBeginPatch(lines: readonly PatchLine[], first: number, notes: PatchNotes): Section[] {
  const body = selectBody(lines, first, notes);
  const sections: Section[] = [];
  let next = 0;
  while (next < body.length) {
    const line = body[next];
    const header = line && FILE_HEADER.exec(line.text);
    if (!line || !header) {
      judgeOutside(body, next, notes);
      next++;
      continue;
    }
    const end = findNextHeader(body, next + 1);
    const named = readNamedPath(header[2] ?? "", line.at, notes);
    const read = SECTIONS[(header[1] ?? "").toLowerCase() as "add" | "delete" | "update"];
    const file = read(named, line, body.slice(next + 1, end), notes);
    sections.push({ file, at: line.at });
    next = end;
  }
  return sections;
}

const SECTIONS = { add: readAdd, delete: readDelete, update: readUpdate };

/** Refuses what stands between sections, but for empty lines and the environment id. */
function judgeOutside(body: readonly PatchLine[], index: number, notes: PatchNotes): void {
  const { text, at } = body[index] ?? { text: "", at: 1 };
  if (text.trim() === "") return;
  if (/^\*\*\* Environment[ _]ID:/i.test(text)) {
    notes.add("The environment id was ignored", at);
    return;
  }
  if (isUnifiedStart(body, index)) {
    const hint = 'Leave out "*** Begin Patch" and "*** End Patch": a unified diff is read as it is.';
    throw refusal("mixed_dialects", at, "a unified diff stands inside *** Begin Patch", hint);
  }
  throw refusal("bad_header", at, `${quote(text)} stands under no file header`, HEADERS_HINT);
}

function findNextHeader(body: readonly PatchLine[], from: number): number {
  let index = from;
  while (index < body.length && !FILE_HEADER.test(body[index]?.text ?? "")) index++;
  return index;
}

function readAdd(named: NamedFile, header: PatchLine, section: readonly PatchLine[], notes: PatchNotes): FilePatch {
  const body = trimSection(section, notes);
  const isBare = body.length > 0 && body.every(({ text }) => !text.startsWith("+"));
  if (isBare) notes.add("Lines of a new file without + were taken as they stand", header.at);
  let finalNewline = true;
  const content: string[] = [];
  for (const { text, at } of body) {
    if (NO_NEWLINE.test(text)) finalNewline = false;
    else if (text.startsWith("+") || isBare) content.push(isBare ? text : text.slice(1));
    else if (text.trim() === "") {
      notes.add("Empty lines of a new file without + were kept", at);
      content.push("");
    } else {
      const message = `${quote(text)} has no +, but other lines of the new file "${named.path}" have`;
      throw refusal("bad_line", at, message, "Put + before every line of a new file, also of empty ones.");
    }
  }
  const marker = findPlaceholder(content.join("\n"), "");
  if (marker) throw placeholderRefusal(header.at + marker.line, marker.text);
  const isEmpty = content.length === 0;
  const text = content.join("\n") + (finalNewline && !isEmpty ? "\n" : "");
  return { kind: "add", ...named, content: text };
}

/** Leaves out empty lines at the end, the mark of the end, and a hunk header at the beginning. */
function trimSection(section: readonly PatchLine[], notes: PatchNotes): PatchLine[] {
  const kept = section.filter(({ text }) => !/^\*\*\* End of File\s*$/.test(text));
  while (kept.at(-1)?.text.trim() === "") kept.pop();
  const first = kept[0];
  if (first && /^@@(?:\s|$)/.test(first.text)) {
    notes.add("The @@ line of a new file was ignored", first.at);
    kept.shift();
  }
  return kept;
}

function readDelete(named: NamedFile, _header: PatchLine, section: readonly PatchLine[], notes: PatchNotes): FilePatch {
  for (const { text, at } of section) {
    if (text.trim() === "") continue;
    if (!/^[-@]/.test(text)) {
      const hint = "A deleted file has only its header. To remove lines use *** Update File.";
      throw refusal("bad_line", at, `${quote(text)} stands under the delete of "${named.path}"`, hint);
    }
    notes.add("The lines under a deleted file were ignored", at);
  }
  return { kind: "delete", ...named };
}

function readUpdate(named: NamedFile, header: PatchLine, section: readonly PatchLine[], notes: PatchNotes): FilePatch {
  const moves: string[] = [];
  const chunks: PatchLine[] = [];
  for (const [index, line] of section.entries()) {
    refuseRemote(section, index);
    const moveTo = /^\*\*\* Move(?: File)? to ?:(.*)$/i.exec(line.text)?.[1];
    if (moveTo === undefined) {
      chunks.push(line);
      continue;
    }
    moves.push(readNamedPath(moveTo, line.at, notes).path);
    if (moves.length > 1) throw refusal("conflict", line.at, `"${named.path}" is moved twice`, "Name one new path.");
  }
  const hunks = readChunks(chunks, notes);
  const [moveTo] = moves;
  if (hunks.length === 0 && moveTo === undefined) {
    const hint = 'Add "@@" and lines signed " ", "-" or "+", or "*** Move to: path" to rename it.';
    throw refusal("no_hunks", header.at, `the update of "${named.path}" changes nothing`, hint);
  }
  return { kind: "update", ...named, ...(moveTo === undefined ? {} : { moveTo }), hunks };
}

/** Refuses the header of another kind of patch, which would be read as lines of the file. */
function refuseRemote(section: readonly PatchLine[], index: number): void {
  const { text, at } = section[index] ?? { text: "", at: 1 };
  if (SEARCH_MARKER.test(text)) {
    const hint = 'Use "@@" and signed lines here, or send the SEARCH/REPLACE block without "*** Begin Patch".';
    throw refusal("mixed_dialects", at, "a SEARCH/REPLACE block stands inside *** Begin Patch", hint);
  }
  const isHeader = isFileNames(section, index) && section[index + 2]?.text.startsWith("@@") === true;
  if (isHeader || text.startsWith("diff --git ")) {
    const hint = 'Leave out the "---" and "+++" lines, or send a unified diff without "*** Begin Patch".';
    throw refusal("mixed_dialects", at, "the header of a unified diff stands inside an update", hint);
  }
  if (!/^\*\*\* [A-Z][a-z]+(?: \w+){0,3} ?:/.test(text)) return;
  if (/^\*\*\* Move(?: File)? to ?:/i.test(text)) return;
  throw refusal("bad_header", at, `${quote(text)} is no known header`, HEADERS_HINT);
}

interface OpenChunk {
  headers: PatchLine[];
  body: PatchLine[];
  endOfFile: boolean;
  follows: boolean;
}

function readChunks(lines: readonly PatchLine[], notes: PatchNotes): Hunk[] {
  const chunks: OpenChunk[] = [emptyChunk()];
  for (const line of lines) {
    const chunk = chunks.at(-1) ?? emptyChunk();
    if (/^@@(?:\s|$)/.test(line.text) || /^@@ ?-\d/.test(line.text)) openChunk(chunks, chunk, line, notes);
    else if (/^\*\*\* End of File\s*$/i.test(line.text)) chunk.endOfFile = true;
    else if (chunk.endOfFile && line.text.trim() !== "") chunks.push({ ...emptyChunk(), body: [line] });
    else if (!chunk.endOfFile) chunk.body.push(line);
  }
  return chunks.flatMap((chunk) => buildHunk({ ...chunk, dialect: "begin_patch" }, notes) ?? []);
}

function emptyChunk(): OpenChunk {
  return { headers: [], body: [], endOfFile: false, follows: false };
}

/** Headers that stand together belong to one chunk. */
function openChunk(chunks: OpenChunk[], chunk: OpenChunk, line: PatchLine, notes: PatchNotes): void {
  if (chunk.body.every(({ text }) => text.trim() === "") && !chunk.endOfFile) {
    chunk.headers.push(line);
    chunk.body.length = 0;
    return;
  }
  const isRepeated = line.text.trim() !== "@@" && chunk.headers.at(-1)?.text === line.text;
  if (isRepeated) notes.add("A repeated @@ line was read as going on at the same place", line.at);
  chunks.push({ ...emptyChunk(), headers: [line], follows: isRepeated });
}
