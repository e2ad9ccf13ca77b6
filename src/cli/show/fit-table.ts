/**
 * The cells of a table, as narrow as the terminal is: the widest columns are cut first, with "…", and never the first one, which
 * names what the row is about. A path keeps its end, and everything else its beginning.
 *
 * Usual mistake: to count characters. A terminal has columns, of which a sign of Chinese takes two and an accent none.
 */

export interface FittedTable {
  readonly rows: readonly (readonly string[])[];
  readonly isCut: boolean;
  /** Not even the least widths fit. */
  readonly isTooWide: boolean;
}

/** Between two columns. */
export const GAP = 2;
/** Less of a cell tells nothing. */
const LEAST_COLUMNS = 8;

/** @param rows of one length, without line feeds. @param width of the terminal */
export function fitTable(rows: readonly (readonly string[])[], width: number): FittedTable {
  const natural = columnWidths(rows);
  const room = width - GAP * (natural.length - 1);
  const widths = shrink(natural, room);
  const fitted = rows.map((row) => row.map((cell, column) => cutCell(cell, widths[column] ?? 0)));
  const isCut = natural.some((was, column) => (widths[column] ?? 0) < was);
  return { rows: fitted, isCut, isTooWide: sum(widths) > room };
}

export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const [first = []] = rows;
  // Not as arguments of one call: a long record has more rows than a call takes.
  return first.map((_, column) => rows.reduce((most, row) => Math.max(most, Bun.stringWidth(row[column] ?? "")), 0));
}

/** All but the first column are cut at one level, so that short cells stay whole for as long as long ones can give. */
function shrink([first = 0, ...others]: readonly number[], room: number): number[] {
  const cutAt = (level: number): number[] => [first, ...others.map((one) => Math.min(one, level))];
  let level = Math.min(Math.max(0, ...others), Math.max(room, LEAST_COLUMNS));
  while (level > LEAST_COLUMNS && sum(cutAt(level)) > room) level--;
  return cutAt(level);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** @param most columns of the terminal; more than none */
export function cutCell(cell: string, most: number): string {
  if (Bun.stringWidth(cell) <= most) return cell;
  const signs = Array.from(GRAPHEMES.segment(cell), ({ segment }) => segment);
  const isPath = cell.startsWith("/");
  const head = signs.slice(0, countThatFits(signs, isPath ? Math.floor((most - 1) / 3) : most - 1)).join("");
  if (!isPath) return `${head}…`;
  const tail = countThatFits(signs.toReversed(), most - 1 - Bun.stringWidth(head));
  return `${head}…${signs.slice(signs.length - tail).join("")}`;
}

/** Cuts are made between signs as people see them. */
const GRAPHEMES: Intl.Segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

function countThatFits(signs: readonly string[], most: number): number {
  let columns = 0;
  const over = signs.findIndex((sign) => (columns += Bun.stringWidth(sign)) > most);
  return over < 0 ? signs.length : over;
}
