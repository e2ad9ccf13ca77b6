/**
 * A text in the pieces that a search finds: paragraphs below their headings, joined while they stay short. A mark of the host
 * begins a piece, so that a hit has one origin.
 */
import { originOfMark, parseEntries, type Origin } from "../entries.ts";
import { createHeadingReader, type NoteHeading } from "../headings.ts";

/** One piece. */
export interface Chunk {
  /** 1-based, in the file. */
  readonly line: number;
  readonly text: string;
  /** The headings above it, which say what it is about. */
  readonly about: string;
  readonly origin?: Origin | undefined;
}

export const MAX_CHUNK_CHARS = 1200;
/** Each piece below a heading has it once more. */
const MAX_TITLE_CHARS = 200;

export function chunkText(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  for (const entry of parseEntries(text)) {
    const origin = entry.mark === undefined ? undefined : originOfMark(entry.mark);
    const first = entry.mark === undefined ? entry.line : entry.line + 1;
    for (const chunk of chunkEntry(entry.text, first + entry.skipped)) chunks.push({ ...chunk, origin });
  }
  return chunks;
}

function* chunkEntry(text: string, first: number): Generator<Chunk> {
  let above: NoteHeading[] = [];
  let [piece, start, about]: [string, number, string] = ["", first, ""];
  for (const { block, line, heading } of blocksOf(text, first)) {
    if (piece !== "" && (heading || piece.length + block.length > MAX_CHUNK_CHARS)) {
      yield { line: start, text: piece, about };
      piece = "";
    }
    if (heading) {
      above = [
        ...above.filter(({ level }) => level < heading.level),
        { ...heading, title: heading.title.slice(0, MAX_TITLE_CHARS) },
      ];
      about = above
        .slice(0, -1)
        .map((one) => one.title)
        .join(" / ");
    }
    if (piece === "") {
      start = line;
      if (!heading) about = above.map((one) => one.title).join(" / ");
    }
    if (block.length <= MAX_CHUNK_CHARS) piece = piece === "" ? block : `${piece}\n\n${block}`;
    else yield* cutLong(block, line, about);
  }
  if (piece !== "") yield { line: start, text: piece, about };
}

interface Block {
  readonly block: string;
  readonly line: number;
  /** The first line, where that is one. */
  readonly heading?: NoteHeading | undefined;
}

/** Paragraphs: what blank lines divide, and headings. */
function* blocksOf(text: string, first: number): Generator<Block> {
  const headingOf = createHeadingReader();
  let [lines, above]: [string[], NoteHeading | undefined] = [[], undefined];
  let at = first;
  for (const line of [...text.split("\n"), ""]) {
    const heading = headingOf(line);
    if (lines.length > 0 && (heading || line.trim() === "")) {
      yield { block: lines.join("\n"), line: at - lines.length, heading: above };
      [lines, above] = [[], undefined];
    }
    if (heading) above = heading;
    if (line.trim() !== "") lines.push(line);
    at++;
  }
}

/** At the end of a line or of a word where there is one. */
function* cutLong(block: string, first: number, about: string): Generator<Chunk> {
  let line = first;
  for (let at = 0; at < block.length;) {
    const part = block.slice(at, at + MAX_CHUNK_CHARS);
    const isLast = at + part.length >= block.length;
    const end = isLast ? part.length : Math.max(part.lastIndexOf("\n"), part.lastIndexOf(" "));
    const taken = part.slice(0, end > MAX_CHUNK_CHARS / 2 ? end : part.length);
    yield { line, text: taken.trim(), about };
    line += taken.split("\n").length - 1;
    at += taken.length;
    if (block[at] === "\n") line++;
    if (/\s/.test(block[at] ?? "")) at++;
  }
}
