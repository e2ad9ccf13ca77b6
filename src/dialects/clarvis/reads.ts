/**
 * The answers of Clarvis' tools that look at files, made from our structured ones: lists, trees, differences, JSON. What they
 * cut is said in their sentences, with the way to go on.
 */
import { basename } from "node:path";
import { Failure } from "../../base/index.ts";
import type { Show } from "../dialect-table.ts";
import { fitLines } from "../fit-answer.ts";

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

export const listing: Show = ({ structured, bytes }) => {
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
  const more = (shown: number): string =>
    `[... output truncated: ${shown} of ${totals.entries} entries shown; find the others with glob ...]`;
  return fitLines(lines, bytes, more, truncated);
};

function compareNames(a: Entry, b: Entry): number {
  return basename(a.path) < basename(b.path) ? -1 : 1;
}

export const found: Show = ({ structured, bytes }) => {
  const { paths, truncated } = structured as unknown as {
    readonly paths: readonly string[];
    readonly truncated: boolean;
  };
  if (paths.length === 0) return "(no matches)";
  return fitLines(paths, bytes, morePaths, truncated);
};

function morePaths(shown: number): string {
  return `[... output truncated: the ${shown} newest are shown; narrow the pattern for the others ...]`;
}

export const difference: Show = ({ structured, bytes }) => {
  const { diff, identical, binary, truncated, spill } = structured as {
    readonly diff: string;
    readonly identical: boolean;
    readonly binary?: boolean;
    readonly truncated: boolean;
    readonly spill?: { readonly id: string };
  };
  if (binary)
    throw new Failure("not_text", "Cannot compare the files: one of them is binary", {
      hint: "Only text can be compared line by line.",
    });
  if (identical || (!truncated && isSameButForEndings(diff))) return "(no differences)";
  const plain = diff
    .replaceAll("\r\n", "\n")
    .replace(/^(--- )a\/|^(\+\+\+ )b\//gm, (_, old: string | undefined, fresh: string) => old ?? fresh);
  const rest = spill ? `; read_file with path=${spill.id} shows all of it` : "";
  const more = (): string => `[... output truncated: the beginning of the diff is shown${rest} ...]`;
  // A whole one ends with its last line end.
  return truncated ? fitLines(plain.replace(/\n$/, "").split("\n"), bytes, more, truncated) : plain;
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

export const tree: Show = ({ given, structured, bytes }) => {
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
  return fitLines([top, ...lines], bytes, moreOfTree, truncated === true);
};

/** @param lines that are shown, with that of the directory itself */
function moreOfTree(lines: number): string {
  return `[... output truncated: ${lines - 1} entries shown; name a directory in it for the others ...]`;
}

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
