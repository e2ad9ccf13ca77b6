/**
 * Makes one entry of all sections of a path: hunks are joined, a delete and an add become a replacement. Whatever else
 * is said twice about a path contradicts itself and is refused.
 *
 * Usual mistake: applying sections one after the other, so that the second one meets a file it was not written for.
 */
import { isProblem, patchProblem } from "./patch-model.ts";
import type { AddFile, FilePatch, PatchProblem, Section, UpdateFile } from "./patch-model.ts";
import type { PatchNotes } from "./patch-notes.ts";

export function mergeSections(sections: readonly Section[], notes: PatchNotes): FilePatch[] | PatchProblem {
  const files = new Map<string, FilePatch>();
  const joined = new Map<string, UpdateFile[]>();
  for (const section of sections) {
    const key = keyOf(section.file);
    const before = files.get(key);
    if (!before) {
      files.set(key, section.file);
      continue;
    }
    if (before.kind === "update" && section.file.kind === "update") {
      notes.add("Sections of the same file were joined", section.at);
      const parts = joined.get(key) ?? [before];
      parts.push(section.file);
      joined.set(key, parts);
      continue;
    }
    const merged = replaceFile(before, section, notes);
    if (isProblem(merged)) return merged;
    files.set(key, merged);
  }
  return joinUpdates(files, joined, sections) ?? findClash(files, sections) ?? [...files.values()];
}

/** What is made as a copy may have the name of a file that goes away. */
function keyOf({ kind, path }: FilePatch): string {
  const plain = path.startsWith("./") ? path.slice(2) : path;
  return kind === "copy" ? `\0${plain}` : plain;
}

function findClash(
  files: ReadonlyMap<string, FilePatch>,
  sections: readonly Section[],
): PatchProblem | undefined {
  for (const section of sections) {
    const other = section.file.kind === "copy" ? files.get(keyOf(section.file).slice(1)) : undefined;
    const goes = other?.kind === "delete" || (other?.kind === "update" && other.moveTo !== undefined);
    if (other && !goes) return contradiction(other, section);
  }
  return undefined;
}

function replaceFile(before: FilePatch, section: Section, notes: PatchNotes): FilePatch | PatchProblem {
  const after = section.file;
  const isPair =
    (before.kind === "delete" && after.kind === "add") || (before.kind === "add" && after.kind === "delete");
  if (!isPair) return contradiction(before, section);
  notes.add("Delete and add of the same file were read as its replacement", section.at);
  const add = (before.kind === "add" ? before : after) as AddFile;
  return { ...add, kind: "replace" };
}

function contradiction(before: FilePatch, section: Section): PatchProblem {
  return patchProblem(
    "conflict",
    section.at,
    `"${section.file.path}" is to be ${PAST[section.file.kind]} here, and ${PAST[before.kind]} in a section above`,
    "Say once what is to happen to each file; all hunks of a file go into one section.",
  );
}

const PAST: Readonly<Record<FilePatch["kind"], string>> = {
  add: "added",
  replace: "replaced",
  delete: "deleted",
  update: "updated",
  copy: "made as a copy",
};

/** At the end and at once: joining pair by pair is quadratic in a patch of many small sections. */
function joinUpdates(
  files: Map<string, FilePatch>,
  joined: ReadonlyMap<string, readonly UpdateFile[]>,
  sections: readonly Section[],
): PatchProblem | undefined {
  for (const [key, parts] of joined) {
    const [first] = parts;
    const moves = new Set(parts.flatMap(({ moveTo }) => moveTo ?? []));
    const modes = new Set(parts.flatMap(({ mode }) => mode ?? []));
    if (moves.size > 1 || modes.size > 1) {
      const last = sections.findLast(({ file }) => keyOf(file) === key);
      const message = `"${key}" is given two different ${moves.size > 1 ? "new paths" : "modes"}`;
      return patchProblem("conflict", last?.at ?? 1, message, "Say it once.");
    }
    const [moveTo] = moves;
    const [mode] = modes;
    if (!first) continue;
    files.set(key, {
      ...first,
      hunks: parts.flatMap(({ hunks }) => hunks),
      ...(moveTo === undefined ? {} : { moveTo }),
      ...(mode === undefined ? {} : { mode }),
    });
  }
  return undefined;
}
