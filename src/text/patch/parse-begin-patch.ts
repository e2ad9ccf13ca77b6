/**
 * Reads the format between `*** Begin Patch` and `*** End Patch`:
 *
 *   patch   = begin, { section }, end         section = add | delete | update
 *   add     = "*** Add File: " path, { "+" line }          delete = "*** Delete File: " path
 *   update  = "*** Update File: " path, [ "*** Move to: " path ], { chunk }
 *   chunk   = { "@@" [ " " context line ] }, { (" " | "-" | "+") line }, [ "*** End of File" ]
 *
 * Text outside the markers is ignored and told; a header that is none of these is refused, never skipped.
 */
import { findPlaceholder } from "../placeholder.ts";
import { NO_NEWLINE, placeholderProblem } from "./build-hunk.ts";
import { selectBody } from "./patch-envelope.ts";
import { FILE_HEADER, HEADERS_HINT, isUnifiedStart, quote, type PatchLine } from "./patch-lines.ts";
import { isProblem, patchProblem, type FilePatch, type PatchProblem, type Section } from "./patch-model.ts";
import type { PatchNotes } from "./patch-notes.ts";
import { readNamedPath } from "./read-path.ts";
import { readUpdate } from "./read-update.ts";

export function parseBeginPatch(
  lines: readonly PatchLine[],
  first: number,
  notes: PatchNotes,
): Section[] | PatchProblem {
  const body = selectBody(lines, first, notes);
  if (isProblem(body)) return body;
  const sections: Section[] = [];
  let next = 0;
  while (next < body.length) {
    const line = body[next];
    const header = line && FILE_HEADER.exec(line.text);
    if (!line || !header) {
      const problem = line && judgeOutside(body, next, notes);
      if (problem) return problem;
      next++;
      continue;
    }
    const end = findNextHeader(body, next + 1);
    const path = readNamedPath(header[2] ?? "", line.at, notes);
    if (typeof path !== "string") return path;
    const read = SECTIONS[(header[1] ?? "").toLowerCase() as "add" | "delete" | "update"];
    const file = read(path, line, body.slice(next + 1, end), notes);
    if (isProblem(file)) return file;
    sections.push({ file, at: line.at });
    next = end;
  }
  return sections;
}

const SECTIONS = { add: readAdd, delete: readDelete, update: readUpdate };

/** Between sections only empty lines, fences and the environment id may stand. */
function judgeOutside(
  body: readonly PatchLine[],
  index: number,
  notes: PatchNotes,
): PatchProblem | undefined {
  const { text, at } = body[index] ?? { text: "", at: 1 };
  if (text.trim() === "") return undefined;
  if (/^\*\*\* Environment[ _]ID:/i.test(text)) {
    notes.add("The environment id was ignored", at);
    return undefined;
  }
  if (isUnifiedStart(body, index)) {
    const hint = 'Leave out "*** Begin Patch" and "*** End Patch": a unified diff is read as it is.';
    return patchProblem("mixed_dialects", at, "a unified diff stands inside *** Begin Patch", hint);
  }
  return patchProblem("bad_header", at, `${quote(text)} stands under no file header`, HEADERS_HINT);
}

function findNextHeader(body: readonly PatchLine[], from: number): number {
  for (let index = from; index < body.length; index++) {
    if (FILE_HEADER.test(body[index]?.text ?? "")) return index;
  }
  return body.length;
}

function readAdd(
  path: string,
  header: PatchLine,
  section: readonly PatchLine[],
  notes: PatchNotes,
): FilePatch | PatchProblem {
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
      const message = `${quote(text)} has no +, but other lines of the new file "${path}" have`;
      return patchProblem(
        "bad_line",
        at,
        message,
        "Put + before every line of a new file, also of empty ones.",
      );
    }
  }
  const marker = findPlaceholder(content.join("\n"), "");
  if (marker) return placeholderProblem(header.at + marker.line, marker.text);
  const isEmpty = content.length === 0;
  const text = content.join("\n") + (finalNewline && !isEmpty ? "\n" : "");
  return { kind: "add", path, content: text, finalNewline: finalNewline && !isEmpty };
}

/** Without empty lines at the end, the mark of the end, and a hunk header at the beginning. */
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

function readDelete(
  path: string,
  _header: PatchLine,
  section: readonly PatchLine[],
  notes: PatchNotes,
): FilePatch | PatchProblem {
  for (const { text, at } of section) {
    if (text.trim() === "") continue;
    if (!/^[-@]/.test(text)) {
      const hint = "A deleted file has only its header. To remove lines use *** Update File.";
      return patchProblem("bad_line", at, `${quote(text)} stands under the delete of "${path}"`, hint);
    }
    notes.add("The lines under a deleted file were ignored", at);
  }
  return { kind: "delete", path };
}
