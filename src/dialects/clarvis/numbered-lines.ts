/**
 * The answers of Clarvis' `read_file` and `read_files`: lines with their numbers, and at the end how to go on. Numbers, heads
 * and ends count for the bound of the answer as the lines do.
 */
import { Failure, type FailureData } from "../../base/index.ts";
import { truncateUtf8 } from "../../text/index.ts";
import type { Show } from "../dialect-table.ts";
import { errorCodeOf } from "./failures.ts";

interface TextRead {
  readonly kind: string;
  readonly text: string;
  readonly first_line: number;
  readonly lines: number;
  readonly total_lines: number;
  readonly cut_lines?: readonly number[];
  readonly next?: { readonly offset?: number };
}

export const numberedFile: Show = ({ given, structured, bytes }) => {
  const { offset } = given as { readonly offset?: number };
  const path = String(given["path"]);
  const read = structured as unknown as TextRead;
  if (read.kind !== "text")
    throw new Failure("not_text", `Cannot read "${path}": it is binary`, {
      hint: "Look for the text that it was made from.",
    });
  if (read.total_lines === 0 && read.text === "") return "(empty file)";
  if (offset === 0)
    throw new Failure("invalid_input", `Cannot read "${path}": offset is 0, and lines are counted from 1`, {
      hint: "Give 1 for the first line, or a negative number to count from the end.",
    });
  return numberedText(read, bytes, (shown) => {
    const next = read.first_line + shown;
    return `[... ${shown} of ${read.total_lines} lines shown; continue with offset=${next} ...]`;
  });
};

/** @param more what is said where only so many lines are shown */
function numberedText(read: TextRead, bytes: number, more: (shown: number) => string): string {
  const isWhole = (rows: readonly string[]): boolean => read.first_line + rows.length > read.total_lines;
  const all = numberedRows(read, bytes);
  if (isWhole(all)) return all.join("\n");
  const rows = numberedRows(read, bytes - more(read.total_lines).length - 1);
  return [...rows, more(rows.length)].join("\n");
}

const LINE_CUT = " [... line truncated ...]";
/** One line of a read; longer ones are cut and say so. */
const MAX_LINE_UNITS = 2000;

function numberedRows({ text, first_line: first, cut_lines: cut = [] }: TextRead, bytes: number): string[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  if (lines.at(-1) === "" && lines.length > 1) lines.pop();
  const rows: string[] = [];
  // Nothing stands behind the last one.
  let left = bytes + 1;
  for (const [index, line] of lines.entries()) {
    const number = `${String(first + index).padStart(6)}\t`;
    const row = number + cutLine(line, bytes - number.length, cut.includes(first + index));
    left -= Buffer.byteLength(row) + 1;
    if (left < 0 && index > 0) break;
    rows.push(row);
  }
  return rows;
}

function cutLine(line: string, bytes: number, isCut: boolean): string {
  const isShort = line.length <= MAX_LINE_UNITS && Buffer.byteLength(line) <= bytes;
  if (isShort && !isCut) return line;
  const units = line.slice(0, MAX_LINE_UNITS);
  const whole = units.isWellFormed() ? units : units.slice(0, -1);
  if (!isCut && Buffer.byteLength(whole) + LINE_CUT.length <= bytes) return whole + LINE_CUT;
  return truncateUtf8(whole, Math.max(0, bytes - LINE_CUT.length)).text + LINE_CUT;
}

interface ManyRead {
  readonly files: readonly (TextRead & { readonly path: string; readonly failure?: FailureData })[];
}

export const numberedFiles: Show = ({ given, structured, bytes }) => {
  const paths = given["paths"] as readonly string[];
  const { files } = structured as unknown as ManyRead;
  const sectionAt = (index: number, room: number): string => {
    const file = files[index] as ManyRead["files"][number];
    return sectionOf(file, paths[index] ?? file.path, room);
  };
  const whole = joined(
    files.map((_, index) => sectionAt(index, Infinity)),
    paths.length,
  );
  if (Buffer.byteLength(whole) <= bytes) return whole;
  const sections: string[] = [];
  let left = bytes - Buffer.byteLength(notShown(paths.length));
  // Each may use an equal part of what is left, so short ones leave more for those after them.
  for (let index = 0; index < files.length; index++) {
    const share = Math.min(left, Math.max(LEAST_SECTION_BYTES, Math.floor(left / (files.length - index))));
    const section = sectionAt(index, share - BETWEEN.length);
    left -= Buffer.byteLength(section) + BETWEEN.length;
    if (left < 0 && index > 0) break;
    sections.push(section);
  }
  return joined(sections, paths.length);
};

/** A few lines at least: of many files some are shown so, and the others not at all. */
const LEAST_SECTION_BYTES = 1024;
const BETWEEN = "\n\n";

function joined(sections: readonly string[], wanted: number): string {
  const left = wanted - sections.length;
  return [...sections, ...(left > 0 ? [notShown(left)] : [])].join(BETWEEN);
}

function notShown(files: number): string {
  return `[... ${files} more file(s) not shown; call read_files with fewer paths ...]`;
}

function sectionOf(file: ManyRead["files"][number], path: string, bytes: number): string {
  const { failure } = file;
  if (failure) return `==> ${path} — ${errorCodeOf(failure, "read_files")}: ${failure.message} <==`;
  if (file.kind !== "text") return `==> ${path} — is_binary: the file is binary <==`;
  const head = `==> ${path} <==\n`;
  if (file.text === "") return `${head}(empty file)`;
  return (
    head +
    numberedText(file, bytes - Buffer.byteLength(head), (shown) => {
      return `[... ${shown} of ${file.total_lines} lines shown; use read_file for the rest ...]`;
    })
  );
}
