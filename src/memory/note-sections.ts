/**
 * The sections of a note: which headings it has, and which lines stand below one of them, to the next heading of its rank.
 */
import { Failure } from "../base/index.ts";
import { countLines, nearestNames } from "../text/index.ts";
import { createHeadingReader, type NoteHeading } from "./headings.ts";

export interface NoteSection extends NoteHeading {
  readonly line: number;
}

/** Lines of a note, 1-based. A note without any has 0 as its last line. */
export interface NoteLines {
  readonly first: number;
  readonly last: number;
}

export const MAX_TITLE_CHARS = 120;

export function sectionsOf(text: string): NoteSection[] {
  const headingOf = createHeadingReader();
  return text.split(/\r?\n/).flatMap((line, index) => {
    const heading = headingOf(line);
    return heading ? [{ ...heading, line: index + 1 }] : [];
  });
}

/** @param all the sections of the text. @throws Failure `not_found` with the nearest headings */
export function linesOfSection(
  text: string,
  all: readonly NoteSection[],
  section: string,
  namespace: string,
): NoteLines {
  const wanted = section
    .replace(/^#+\s*/, "")
    .trim()
    .toLowerCase();
  const index = all.findIndex(({ title }) => title.toLowerCase() === wanted);
  const found = all[index];
  if (!found) throw unknownSection(all, section, namespace);
  const next = all.slice(index + 1).find(({ level }) => level <= found.level);
  return { first: found.line, last: next ? next.line - 1 : countLines(text) };
}

function unknownSection(all: readonly NoteSection[], section: string, namespace: string): Failure {
  const near = nearestNames(
    section,
    all.map(({ title }) => title),
    5,
  );
  const state = `it has no heading "${section.slice(0, 200)}"`;
  return new Failure("not_found", `Cannot read a section of "${namespace}": ${state}`, {
    hint:
      near.length > 0
        ? `There is ${near.map((title) => `"${title.slice(0, MAX_TITLE_CHARS)}"`).join(", ")}.`
        : "Leave out section to read all of it.",
  });
}
