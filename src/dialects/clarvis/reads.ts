/**
 * The answers of Clarvis' tools that read, made from our structured ones: numbered lines, `path:line:text`, JSON. What they
 * cut is said in their sentences, with the argument that goes on.
 */
import { basename } from "node:path";
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
  const { rows, shown } = numberedRows(read, bytes);
  const next = read.first_line + shown;
  const isWhole = next > read.total_lines;
  const more = `[... ${shown} of ${read.total_lines} lines shown; continue with offset=${next} ...]`;
  return [...rows, ...(isWhole ? [] : [more])].join("\n");
};

const LINE_CUT = " [... line truncated ...]";
/** One line of a read; longer ones are cut and say so. */
const MAX_LINE_UNITS = 2000;

function numberedRows({ text, first_line: first, cut_lines: cut = [] }: TextRead, bytes: number) {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  if (lines.at(-1) === "" && lines.length > 1) lines.pop();
  const rows: string[] = [];
  let left = bytes;
  for (const [index, line] of lines.entries()) {
    const number = `${String(first + index).padStart(6)}\t`;
    const row = number + cutLine(line, bytes - number.length - 1, cut.includes(first + index));
    left -= Buffer.byteLength(row) + 1;
    if (left < 0 && index > 0) break;
    rows.push(row);
  }
  return { rows, shown: rows.length };
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
  const sections = files.map((file, index) => {
    const path = paths[index] ?? file.path;
    const { failure } = file;
    if (failure) return `==> ${path} — ${errorCodeOf(failure, "read_files")}: ${failure.message} <==`;
    if (file.kind !== "text") return `==> ${path} — is_binary: the file is binary <==`;
    if (file.text === "") return `==> ${path} <==\n(empty file)`;
    const { rows, shown } = numberedRows(file, bytes);
    const isWhole = file.first_line + shown > file.total_lines;
    const more = `[... ${shown} of ${file.total_lines} lines shown; use read_file for the rest ...]`;
    return [`==> ${path} <==`, ...rows, ...(isWhole ? [] : [more])].join("\n");
  });
  const left = paths.length - files.length;
  if (left > 0) sections.push(`[... ${left} more file(s) not shown; call read_files with fewer paths ...]`);
  return sections.join("\n\n");
};

export const image: Show = ({ given, blocks }) => {
  const block = blocks.find(({ type }) => type === "image");
  if (block) return block;
  throw new Failure("unsupported", `Cannot read "${String(given["path"])}": it is no image that can be shown`, {
    hint: "PNG, JPEG, GIF and WebP can.",
    details: { reason: "not_an_image" },
  });
};

interface Entry {
  readonly path: string;
  readonly type: string;
  readonly size: number;
  /** What a link leads to. */
  readonly target_type?: string;
  readonly target_size?: number;
}

export const listing: Show = ({ structured }) => {
  const { entries, truncated, totals } = structured as unknown as {
    readonly entries: readonly Entry[];
    readonly truncated: boolean;
    readonly totals: { readonly entries: number };
  };
  if (entries.length === 0) return "(empty directory)";
  const isFolder = ({ type, target_type: target }: Entry): boolean => (target ?? type) === "directory";
  const sizeOf = ({ type, size, target_size: target = 0 }: Entry): number => (type === "symlink" ? target : size);
  const lines = [...entries]
    .sort((a, b) => Number(isFolder(b)) - Number(isFolder(a)) || compareNames(a, b))
    .map((entry) => `${basename(entry.path)}${isFolder(entry) ? "/" : `\t${sizeOf(entry)}`}`);
  if (truncated) lines.push(`[... output truncated: ${entries.length} of ${totals.entries} entries shown ...]`);
  return lines.join("\n");
};

function compareNames(a: Entry, b: Entry): number {
  return basename(a.path) < basename(b.path) ? -1 : 1;
}

export const found: Show = ({ structured }) => {
  const { paths, truncated } = structured as unknown as {
    readonly paths: readonly string[];
    readonly truncated: boolean;
  };
  if (paths.length === 0) return "(no matches)";
  const more = `[... output truncated: the ${paths.length} newest are shown; narrow the pattern for the others ...]`;
  return [...paths, ...(truncated ? [more] : [])].join("\n");
};

export const difference: Show = ({ structured }) => {
  const { diff, identical, binary, truncated } = structured as {
    readonly diff: string;
    readonly identical: boolean;
    readonly binary?: boolean;
    readonly truncated: boolean;
  };
  if (binary)
    throw new Failure("not_text", "Cannot compare the files: one of them is binary", {
      hint: "Only text can be compared line by line.",
    });
  if (identical || (!truncated && isSameButForEndings(diff))) return "(no differences)";
  const plain = diff
    .replaceAll("\r\n", "\n")
    .replace(/^(--- )a\/|^(\+\+\+ )b\//gm, (_, old: string | undefined, fresh: string) => old ?? fresh);
  return truncated ? `${plain}\n[... output truncated: the beginning of the diff is shown ...]` : plain;
};

/** Line ends do not count there. */
function isSameButForEndings(diff: string): boolean {
  const side = (sign: string): string =>
    diff
      .split("\n")
      .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
      .map((line) => line.slice(1).replace(/\r$/, ""))
      .join("\n");
  return side("-") === side("+");
}

export const status: Show = ({ structured }) => {
  const { path, type, size, mtime, mode, binary, mime, link_target: target } = structured;
  const known = type === "file" || type === "directory" || type === "symlink" ? type : "other";
  const isImage = typeof mime === "string" && mime.startsWith("image/");
  return JSON.stringify({
    path,
    type: known,
    size,
    mtime,
    mode,
    ...(known === "file" ? { binary, mime: isImage ? mime : null } : {}),
    ...(known === "symlink" ? { symlink_target: target ?? null } : {}),
  });
};

export const tree: Show = ({ given, structured }) => {
  const { path = "" } = given as { readonly path?: string };
  const top = withoutSlash(path) || ".";
  const {
    entries = [],
    truncated,
    totals,
  } = structured as {
    readonly entries?: readonly Entry[];
    readonly truncated?: boolean;
    readonly totals?: { readonly unreadable: number };
  };
  // A tree without the directories that cannot be read would look whole.
  if (totals?.unreadable)
    throw new Failure("denied", `Cannot list "${top}": the operating system does not permit it`, {
      hint: `${totals.unreadable} of the directories in it cannot be read. Name one that can, or list each by itself.`,
    });
  if (entries.length === 0) return `${top}\n(no entries)`;
  const below = new Map<string, Entry[]>();
  for (const entry of entries) {
    const parent = entry.path.slice(0, -basename(entry.path).length - 1);
    below.set(parent, [...(below.get(parent) ?? []), entry]);
  }
  // The list is depth first, so the directory that was asked for is the parent of the first entry.
  const first = entries[0]?.path ?? "";
  const lines = branchesOf(below, first.slice(0, -basename(first).length - 1), "");
  const more = `[... output truncated: ${entries.length} entries shown ...]`;
  return [top, ...lines, ...(truncated ? [more] : [])].join("\n");
};

function branchesOf(below: ReadonlyMap<string, readonly Entry[]>, parent: string, indent: string): string[] {
  const isFolder = ({ type }: Entry): boolean => type === "directory";
  const entries = [...(below.get(parent) ?? [])].sort(
    (a, b) => Number(isFolder(b)) - Number(isFolder(a)) || compareNames(a, b),
  );
  return entries.flatMap((entry, index) => {
    const isLast = index === entries.length - 1;
    const label = `${indent}${isLast ? "└── " : "├── "}${basename(entry.path)}${markOf(entry)}`;
    return [label, ...branchesOf(below, entry.path, `${indent}${isLast ? "    " : "│   "}`)];
  });
}

function markOf({ type, size }: Entry): string {
  if (type === "directory") return "/";
  return type === "symlink" ? "@" : `\t${size}`;
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}
