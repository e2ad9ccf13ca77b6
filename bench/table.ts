/**
 * Measurements as a Markdown table that also reads well in a terminal. A ratio is ours to the reference's: `1/20` is a
 * twentieth of its time, `8.1x` is 8.1 times its rate.
 */
import { isMet, ratioOf, type Measurement } from "./measurement.ts";

const HEAD = ["measure", "ours", "reference", "ratio", "target", "ok?", "how"];
/** Columns of numbers, which are aligned at their ends. */
const RIGHT = new Set([1, 2, 3, 4]);

export function formatTable(rows: readonly Measurement[]): string {
  const cells = rows.map(cellsOf);
  const widths = HEAD.map((head, at) => Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => pad(cell, widths[at] ?? 0, RIGHT.has(at))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (RIGHT.has(at) ? `${"-".repeat(width - 1)}:` : "-".repeat(width))).join(" | ")} |`;
  return [line(HEAD), rule, ...cells.map(line)].join("\n");
}

export function isMissed(row: Measurement): boolean {
  return isMet(row) === false;
}

function cellsOf(row: Measurement): string[] {
  const ratio = ratioOf(row);
  const met = isMet(row);
  return [
    row.measure,
    `${formatNumber(row.ours)} ${row.unit}`,
    row.reference === undefined ? "" : `${formatNumber(row.reference)} ${row.unit}`,
    ratio === undefined ? "" : formatRatio(ratio),
    formatTarget(row),
    met === undefined ? "" : met ? "yes" : "NO",
    row.detail ?? "",
  ];
}

function formatTarget({ target, unit }: Measurement): string {
  if (target === undefined) return "";
  if (target.kind === "at_most") return `<= ${formatNumber(target.value)} ${unit}`;
  return `${target.kind === "ratio_at_most" ? "<=" : ">="} ${formatRatio(target.value)}`;
}

/** Below 1 as a fraction, because a target is given as one. */
export function formatRatio(ratio: number): string {
  if (!(ratio > 0) || !Number.isFinite(ratio)) return String(ratio);
  return ratio < 1 ? `1/${formatNumber(1 / ratio)}` : `${formatNumber(ratio)}x`;
}

/** Three figures are as much as a benchmark on a shared machine can tell; whole numbers stay whole. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

function pad(text: string, width: number, isRight: boolean): string {
  return isRight ? text.padStart(width) : text.padEnd(width);
}
