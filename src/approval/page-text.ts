/**
 * A text that may be long, in pages: nothing of it is left out, and all pages joined are the text.
 */

export interface Page {
  readonly text: string;
  /** 1 is the first. */
  readonly page: number;
  readonly pages: number;
}

/** Of a page, as one message holds it. */
export const MAX_PAGE_BYTES: number = 64 * 1024;

/** @param lines without line feeds; made one by one, because all of them may be more than fits in memory */
export function pageText(lines: Iterable<string>, wanted: number, maxBytes: number = MAX_PAGE_BYTES): Page {
  let [page, room] = [1, maxBytes];
  const kept: string[] = [];
  for (const line of lines) {
    for (const piece of piecesOf(`${line}\n`, maxBytes)) {
      const bytes = Buffer.byteLength(piece);
      if (bytes > room) [page, room] = [page + 1, maxBytes];
      room -= bytes;
      if (page === wanted) kept.push(piece);
    }
  }
  return { text: kept.join(""), page: wanted, pages: page };
}

/** A line that is longer than a page. */
function* piecesOf(line: string, maxBytes: number): Generator<string> {
  if (Buffer.byteLength(line) <= maxBytes) {
    yield line;
    return;
  }
  // Of no character more than four bytes.
  const step = Math.floor(maxBytes / 4);
  for (let at = 0; at < line.length;) {
    const isPair = (line.codePointAt(at + step - 1) ?? 0) > 0xffff;
    const end = at + step + (isPair ? 1 : 0);
    yield line.slice(at, end);
    at = end;
  }
}
