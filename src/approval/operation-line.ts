/**
 * One file of a change as people see it, and its words. What stands there before and afterwards is data, so that every output
 * says the same of it.
 *
 * Usual mistake: to store one and to show what was stored. It is computed from the steps, the content and the disk.
 */
import { escapeLine, formatBytes, type EncodingName } from "../text/index.ts";
import { showName } from "../scope/index.ts";
import { clearName } from "./shorten.ts";

export type Operation =
  | "create"
  | "overwrite"
  | "edit"
  | "append"
  | "create_directory"
  | "move"
  | "copy"
  | "delete"
  | "none";

/** What stands at a place, or will stand there. */
export interface ObjectFacts {
  readonly kind: "file" | "directory" | "symlink" | "other";
  /** The size in bytes; for a directory, of everything in it. */
  readonly size?: number;
  /** Permission bits. */
  readonly mode?: number;
  /** The encoding of new content; "binary" when it is not text. */
  readonly encoding?: EncodingName | "binary";
  /** How many entries a directory has, at any depth. */
  readonly entries?: number;
  /** Where a link leads, as it is written; shown to people only. */
  readonly target?: string;
}

/** Paths as callers give them; `absolute` for a person's eyes. */
export interface FileChange {
  readonly operation: Operation;
  readonly path: string;
  readonly absolute: string;
  /** The source of a move or copy. */
  readonly source?: string;
  readonly source_absolute?: string;
  readonly diff?: string;
  /** What a model is told in its place: the whole texts show that a part of the diff is a part of a secret. */
  readonly told_diff?: string;
  /** There is such a diff, for whoever shows this one. */
  readonly tells_secrets?: true;
  readonly diff_truncated?: boolean;
  /** The texts were too large to compare: the diff is all of the old against all of the new. */
  readonly diff_whole?: boolean;
  /** The whole file is replaced without having been read, and has other names, maybe outside: its diff is for people. */
  readonly shared?: boolean;
  /** The diff of a move or copy onto a file: what the place holds now against what it will hold. Shown to people only. */
  readonly replaced_diff?: string;
  readonly added: number;
  readonly removed: number;
  /** How many places of an edit were replaced, where its caller is told. */
  readonly replacements?: number;
  /** sha256 of the content afterwards. */
  readonly hash?: string;
  readonly size_before?: number;
  readonly size_after?: number;
  /** What stands there now and is replaced or goes. */
  readonly before?: ObjectFacts;
  /** What will stand there. */
  readonly after?: ObjectFacts;
  /** Directories that are made on the way. */
  readonly makes?: number;
  /** The content is written into the existing file, which is not atomic. */
  readonly in_place?: true;
}

/** The diff that a person is shown: that of the change, or of the file that a move or copy replaces. */
export function diffOf({ diff, replaced_diff }: FileChange): string {
  return diff ?? replaced_diff ?? "";
}

/** The bytes differ from what the text of the diff says. */
export function isOtherwiseRead({ after }: FileChange): boolean {
  return after?.encoding !== undefined && after.encoding !== "utf-8";
}

/** `name`: what is done to what; `short`: for a model; `point`: for the first lines of a sheet; `full`: for who approves it. */
type LineForm = "name" | "short" | "point" | "full";

export const VERBS: Readonly<Record<Operation, string>> = {
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

/** `Overwrite report.txt (1.2 kB -> 1.4 kB)` */
export function operationLine(file: FileChange, form: LineForm): string {
  const details = detailsOf(file, form);
  const named = details.length === 0 ? "" : ` (${details.join(", ")})`;
  return escapeLine(`${VERBS[file.operation]} ${placesOf(file, form)}${named}`);
}

/** Sums up a change: its first operation, and how many more there are. */
export function summarise(files: readonly FileChange[], form: LineForm = "short"): string {
  const [first, ...more] = files;
  if (!first) return "Change nothing";
  const one = operationLine(first, form);
  return more.length === 0 ? one : `${one} and ${more.length} more`;
}

function placesOf({ path, absolute, source, source_absolute }: FileChange, form: LineForm): string {
  const [from, to] = form === "full" ? [source_absolute ?? source, showName(absolute)] : [source, path];
  const place = clearName(to);
  if (from === undefined) return place;
  return `${clearName(form === "full" ? showName(from) : from)} -> ${place}`;
}

export function detailsOf(file: FileChange, form: LineForm): string[] {
  if (form === "name") return [];
  const { operation, before, after } = file;
  const isMoved = operation === "move" || operation === "copy";
  const details = [
    kindOf(isMoved ? after : (after ?? before), form),
    // The lines say more than the bytes.
    form === "point" && hasLines(file) ? "" : sizeOf(file),
    modeOf(file, form),
    encodingOf(file, form),
    isMoved && before && form !== "short" ? `replaces ${objectOf(before)}` : "",
    form === "full" && file.makes ? `makes ${file.makes} ${file.makes === 1 ? "directory" : "directories"} above` : "",
    form === "full" && file.in_place ? "written in place" : "",
  ];
  return details.filter((part) => part !== "");
}

export function hasLines({ added, removed, source }: FileChange): boolean {
  return added + removed > 0 && source === undefined;
}

function kindOf(facts: ObjectFacts | undefined, form: LineForm): string {
  if (form === "short" || !facts) return "";
  if (facts.kind === "symlink") return `link to ${JSON.stringify(facts.target ?? "?")}`;
  if (facts.kind === "other") return "a FIFO, socket or device";
  return facts.entries === undefined ? "" : `a directory with ${facts.entries} entries`;
}

function sizeOf({ size_before: before, size_after: after, source }: FileChange): string {
  if (before !== undefined && after !== undefined && source === undefined)
    return `${formatBytes(before)} -> ${formatBytes(after)}`;
  const size = after ?? before;
  return size === undefined ? "" : formatBytes(size);
}

function modeOf({ operation, before, after }: FileChange, form: LineForm): string {
  const isPut = operation !== "move" && operation !== "copy" && operation !== "delete";
  const now = after?.mode ?? before?.mode;
  if (now === undefined || (after ?? before)?.kind === "symlink") return "";
  const old = isPut ? (before?.mode ?? now) : now;
  const isOrdinary = old === now && ((now & 0o7111) === 0 || !isPut || after?.kind === "directory");
  if (form !== "full" && isOrdinary) return "";
  return old === now ? `mode ${octal(now)}` : `mode ${octal(old)} -> ${octal(now)}`;
}

function encodingOf({ before, after }: FileChange, form: LineForm): string {
  const now = after?.encoding;
  if (now === undefined) return "";
  const old = before?.encoding ?? now;
  if (old === now && now === "utf-8" && form !== "full") return "";
  return old === now ? nameOf(now) : `${nameOf(old)} -> ${nameOf(now)}`;
}

/** Names an encoding with its byte order mark, which the bare name does not tell everybody. */
function nameOf(encoding: NonNullable<ObjectFacts["encoding"]>): string {
  if (encoding === "utf-8-bom") return "utf-8 with a byte order mark";
  if (encoding === "binary") return "not text";
  return encoding.startsWith("utf-16") ? `${encoding} with a byte order mark` : encoding;
}

function objectOf({ kind, size, mode, target }: ObjectFacts): string {
  const what = kind === "symlink" ? `a link to ${JSON.stringify(target ?? "?")}` : `a ${kind}`;
  const facts = [size === undefined ? "" : formatBytes(size), mode === undefined ? "" : `mode ${octal(mode)}`];
  const said = facts.filter((part) => part !== "").join(" and ");
  return kind === "symlink" || said === "" ? what : `${what} of ${said}`;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}
