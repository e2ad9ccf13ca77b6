/**
 * Rows as kubectl shows them: headings in upper case, columns by two spaces. A column in which no row has anything is left out.
 */
export type TableLine = Readonly<Record<string, string>>;

const MAX_CELL_CHARS = 80;

export function showTable(rows: readonly TableLine[]): string {
  const names = Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => (row[name] ?? "") !== ""));
  const cells = rows.map((row) => names.map((name) => cellOf(row[name] ?? "", name)));
  const all = [names.map((name) => name.toUpperCase()), ...cells];
  const widths = names.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0)));
  return all
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A name is copied into the next call, so it stays whole. */
function cellOf(text: string, column: string): string {
  const cell = text === "" ? "-" : text;
  return cell.length > MAX_CELL_CHARS && column !== "name" ? `${cell.slice(0, MAX_CELL_CHARS)}...` : cell;
}

const [MINUTE_S, HOUR_S, DAY_S] = [60, 3600, 86_400] as const;

/** As kubectl: `45s`, `12m`, `5h`, `3d`; "" for no time. */
export function ageOf(timestamp: string, now: number): string {
  const then = Date.parse(timestamp);
  if (Number.isNaN(then)) return "";
  const seconds = Math.max(0, Math.floor((now - then) / 1000));
  if (seconds < 2 * MINUTE_S) return `${seconds}s`;
  if (seconds < 3 * HOUR_S) return `${Math.floor(seconds / MINUTE_S)}m`;
  if (seconds < 2 * DAY_S) return `${Math.floor(seconds / HOUR_S)}h`;
  return `${Math.floor(seconds / DAY_S)}d`;
}
