/**
 * How a change is put to people: the one-line summary and the diff. Texts here are what a person approves, so sizes and
 * counts are exact and names are shown in the form that cannot hide control characters.
 */
import { limits } from "../base/index.ts";
import { decodeText, formatBytes, unifiedDiff, type LegacyEncoding } from "../text/index.ts";
import type { Operation, SealedFile } from "./sealed.ts";

export interface Shown {
  readonly path: string;
  readonly absolute: string;
}

const TITLES: Readonly<Record<Operation, string>> = {
  create: "Create",
  overwrite: "Overwrite",
  edit: "Edit",
  append: "Append to",
  create_directory: "Create directory",
  move: "Move",
  copy: "Copy",
  delete: "Delete",
  none: "Leave",
};

/** `Overwrite report.txt (1.2 kB -> 1.4 kB)`; several files: the first and how many more. */
export function summarise(files: readonly SealedFile[]): string {
  const [first, ...more] = files;
  if (!first) return "Change nothing";
  const one = summariseOne(first);
  return more.length === 0 ? one : `${one} and ${more.length} more`;
}

function summariseOne(file: SealedFile): string {
  const title = TITLES[file.operation];
  if (file.source !== undefined) return `${title} ${file.source} -> ${file.path}${sizePart(file)}`;
  return `${title} ${file.path}${sizePart(file)}`;
}

function sizePart(file: SealedFile): string {
  const { size_before: before, size_after: after } = file;
  if (before !== undefined && after !== undefined && file.source === undefined)
    return ` (${formatBytes(before)} -> ${formatBytes(after)})`;
  const size = after ?? before;
  return size === undefined ? "" : ` (${formatBytes(size)})`;
}

/** The part of a file's description that comes from its bytes before and after; binary content has no diff. */
export function describeContent(
  shown: Shown,
  before: Uint8Array | undefined,
  after: Uint8Array,
  legacy: LegacyEncoding | undefined,
  context?: number,
): Pick<SealedFile, "diff" | "diff_truncated" | "added" | "removed" | "size_before" | "size_after"> {
  const sizes = { ...(before ? { size_before: before.length } : {}), size_after: after.length };
  const oldText = before ? textOf(before, legacy) : "";
  const newText = textOf(after, legacy);
  if (oldText === undefined || newText === undefined) return { added: 0, removed: 0, ...sizes };
  const diff = unifiedDiff(oldText, newText, {
    path: shown.path,
    maxBytes: limits.MAX_DIFF_BYTES,
    ...(before ? {} : { missingBefore: true }),
    ...(context === undefined ? {} : { context }),
  });
  const cut = diff.truncated ? { diff_truncated: true } : {};
  return { diff: diff.text, ...cut, added: diff.added, removed: diff.removed, ...sizes };
}

function textOf(bytes: Uint8Array, legacy: LegacyEncoding | undefined): string | undefined {
  const decoded = decodeText(bytes, legacy === undefined ? {} : { legacy });
  return decoded.kind === "text" ? decoded.text : undefined;
}
