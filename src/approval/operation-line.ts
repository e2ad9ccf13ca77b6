/**
 * One operation in one line: verb, source, destination, size, mode, encoding, byte order mark and link target. The full form is what
 * a person approves and leaves out nothing; the others leave out what is ordinary.
 *
 * Invariant: whatever a name holds, a line is one line, and nothing in it is invisible.
 */
import { showName } from "../scope/index.ts";
import { escapeLine, formatBytes } from "../text/index.ts";
import { clearName } from "./clear-name.ts";
import type { FileChange, ObjectFacts, Operation } from "./file-change.ts";

/** `name`: what is done to what; `short`: for a model; `point`: for the first lines of a sheet; `full`: for who approves it. */
export type LineForm = "name" | "short" | "point" | "full";

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

/** The first, and how many more. */
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
    form === "full" && file.makes
      ? `makes ${file.makes} ${file.makes === 1 ? "directory" : "directories"} above`
      : "",
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

/** With its byte order mark, which the name of an encoding does not tell everybody. */
function nameOf(encoding: NonNullable<ObjectFacts["encoding"]>): string {
  if (encoding === "utf-8-bom") return "utf-8 with a byte order mark";
  if (encoding === "binary") return "not text";
  return encoding.startsWith("utf-16") ? `${encoding} with a byte order mark` : encoding;
}

function objectOf({ kind, size, mode, target }: ObjectFacts): string {
  const what = kind === "symlink" ? `a link to ${JSON.stringify(target ?? "?")}` : `a ${kind}`;
  const facts = [
    size === undefined ? "" : formatBytes(size),
    mode === undefined ? "" : `mode ${octal(mode)}`,
  ];
  const said = facts.filter((part) => part !== "").join(" and ");
  return kind === "symlink" || said === "" ? what : `${what} of ${said}`;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}
