/**
 * Reads the section of an updated file: where it moves, and its chunks. Chunks may come without the first `@@`, with
 * several `@@` (class, then method), with the numbers of a unified diff, or with the same `@@` repeated in the middle.
 *
 * An update that has no chunk and does not move is refused: something is missing.
 */
import { buildHunk } from "./build-hunk.ts";
import { HEADERS_HINT, isFileNames, quote, SEARCH_MARKER, type PatchLine } from "./patch-lines.ts";
import { isProblem, patchProblem, type FilePatch, type Hunk, type PatchProblem } from "./patch-model.ts";
import type { PatchNotes } from "./patch-notes.ts";
import { readNamedPath } from "./read-path.ts";

export function readUpdate(
  path: string,
  header: PatchLine,
  section: readonly PatchLine[],
  notes: PatchNotes,
): FilePatch | PatchProblem {
  const moves: string[] = [];
  const chunks: PatchLine[] = [];
  for (const [index, line] of section.entries()) {
    const problem = findForeign(section, index);
    if (problem) return problem;
    const moveTo = /^\*\*\* Move(?: File)? to ?:(.*)$/i.exec(line.text)?.[1];
    if (moveTo === undefined) {
      chunks.push(line);
      continue;
    }
    const target = readNamedPath(moveTo, line.at, notes);
    if (typeof target !== "string") return target;
    moves.push(target);
    if (moves.length > 1) {
      return patchProblem("conflict", line.at, `"${path}" is moved twice`, "Name one new path.");
    }
  }
  const hunks = readChunks(chunks, notes);
  if (isProblem(hunks)) return hunks;
  const [moveTo] = moves;
  if (hunks.length === 0 && moveTo === undefined) {
    const hint = 'Add "@@" and lines signed " ", "-" or "+", or "*** Move to: path" to rename it.';
    return patchProblem("no_hunks", header.at, `the update of "${path}" changes nothing`, hint);
  }
  return { kind: "update", path, ...(moveTo === undefined ? {} : { moveTo }), hunks };
}

/** What would be read as lines of the file, though it is the header of another kind of patch. */
function findForeign(section: readonly PatchLine[], index: number): PatchProblem | undefined {
  const { text, at } = section[index] ?? { text: "", at: 1 };
  if (SEARCH_MARKER.test(text)) {
    const hint =
      'Use "@@" and signed lines here, or send the SEARCH/REPLACE block without "*** Begin Patch".';
    return patchProblem("mixed_dialects", at, "a SEARCH/REPLACE block stands inside *** Begin Patch", hint);
  }
  const isHeader = isFileNames(section, index) && section[index + 2]?.text.startsWith("@@") === true;
  if (isHeader || text.startsWith("diff --git ")) {
    const hint = 'Leave out the "---" and "+++" lines, or send a unified diff without "*** Begin Patch".';
    return patchProblem("mixed_dialects", at, "the header of a unified diff stands inside an update", hint);
  }
  if (!/^\*\*\* [A-Z][a-z]+(?: \w+){0,3} ?:/.test(text)) return undefined;
  if (/^\*\*\* Move(?: File)? to ?:/i.test(text)) return undefined;
  return patchProblem("bad_header", at, `${quote(text)} is no known header`, HEADERS_HINT);
}

interface OpenChunk {
  headers: PatchLine[];
  body: PatchLine[];
  endOfFile: boolean;
  follows: boolean;
}

function readChunks(lines: readonly PatchLine[], notes: PatchNotes): Hunk[] | PatchProblem {
  const chunks: OpenChunk[] = [emptyChunk()];
  for (const line of lines) {
    const chunk = chunks.at(-1) ?? emptyChunk();
    if (/^@@(?:\s|$)/.test(line.text) || /^@@ ?-\d/.test(line.text)) openChunk(chunks, chunk, line, notes);
    else if (/^\*\*\* End of File\s*$/i.test(line.text)) chunk.endOfFile = true;
    else if (chunk.endOfFile && line.text.trim() !== "") chunks.push({ ...emptyChunk(), body: [line] });
    else if (!chunk.endOfFile) chunk.body.push(line);
  }
  const hunks: Hunk[] = [];
  for (const chunk of chunks) {
    const hunk = buildHunk({ ...chunk, dialect: "begin_patch" }, notes);
    if (!hunk) continue;
    if (isProblem(hunk)) return hunk;
    hunks.push(hunk);
  }
  return hunks;
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
