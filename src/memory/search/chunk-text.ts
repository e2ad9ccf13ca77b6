/**
 * A text in the pieces that a search finds: paragraphs below their headings, joined while they stay short. A mark of the host
 * begins a piece, so that a hit has one origin.
 */
import { originOfMark, parseEntries, type Origin } from "../entries.ts";

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

interface Heading {
  readonly level: number;
  readonly title: string;
}

function* chunkEntry(text: string, first: number): Generator<Chunk> {
  let above: Heading[] = [];
  let [piece, start, about]: [string, number, string] = ["", first, ""];
  for (const { block, line } of blocksOf(text, first)) {
    const [, signs, title] = /^(#{1,6})[ \t]+(\S[^\n]*)/.exec(block) ?? [];
    const isHeading = signs !== undefined && title !== undefined;
    if (piece !== "" && (isHeading || piece.length + block.length > MAX_CHUNK_CHARS)) {
      yield { line: start, text: piece, about };
      piece = "";
    }
    if (isHeading) {
      above = [
        ...above.filter(({ level }) => level < signs.length),
        { level: signs.length, title: title.slice(0, MAX_TITLE_CHARS) },
      ];
      about = above
        .slice(0, -1)
        .map((one) => one.title)
        .join(" / ");
    }
    if (piece === "") {
      start = line;
      if (!isHeading) about = above.map((one) => one.title).join(" / ");
    }
    if (block.length <= MAX_CHUNK_CHARS) piece = piece === "" ? block : `${piece}\n\n${block}`;
    else yield* cutLong(block, line, about);
  }
  if (piece !== "") yield { line: start, text: piece, about };
}

/** Paragraphs: what blank lines divide. */
function* blocksOf(text: string, first: number): Generator<{ readonly block: string; readonly line: number }> {
  let lines: string[] = [];
  let at = first;
  for (const line of [...text.split("\n"), ""]) {
    if (line.trim() !== "") lines.push(line);
    else if (lines.length > 0) {
      yield { block: lines.join("\n"), line: at - lines.length };
      lines = [];
    }
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
