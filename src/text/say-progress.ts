/**
 * How far a piece of work is, in words: `1.6 of 64 GB hashed`. Most clients show the words alone or behind bare numbers, so
 * the words have the unit.
 */
import { formatBytes } from "./format-bytes.ts";

/** @param what what is counted and what is done with it, as `bytes hashed`; anything else is the words of its author */
export function sayProgress(done: number, total: number | undefined, what: string): string {
  const [unit = "", ...rest] = what.split(" ");
  if (unit === "bytes") return [sayBytes(done, total), ...rest].join(" ");
  if (unit === "entries") return [done === 1 ? "1 entry" : `${withCommas(done)} entries`, ...rest].join(" ");
  return what || [done, total].filter((one) => one !== undefined).join(" of ");
}

function withCommas(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function sayBytes(done: number, total: number | undefined): string {
  if (total === undefined) return short(done);
  const [all, some] = [short(total), short(done)];
  const unit = all.slice(all.indexOf(" "));
  return `${some.endsWith(unit) ? some.slice(0, -unit.length) : some} of ${all}`;
}

function short(bytes: number): string {
  return formatBytes(bytes).replace(".0 ", " ");
}
