/**
 * How every tool says that something was cut: what is missing, and the exact next call. One form, so that a model learns
 * it once.
 */
import { formatBytes } from "../text/index.ts";

/** `To go on: read_file {"path":"a.txt","offset":2001}` */
export function nextCall(tool: string, next: object | undefined): string {
  return next === undefined ? "" : `To go on: ${tool} ${JSON.stringify(next)}`;
}

export function cutLinesNote(lines: readonly number[] = []): string {
  return lines.length === 0 ? "" : `cut for length: line ${lines.slice(0, 10).join(", ")}`;
}

/** `a.txt: bytes 1-300 of 900, base64` */
export function bytesNote(
  name: string,
  { first_byte, bytes, size }: { readonly first_byte: number; readonly bytes: number; readonly size: number },
): string {
  return `${name}: bytes ${first_byte}-${first_byte + bytes - 1} of ${size}, base64`;
}

/** The parts that are there, as one bracketed line. */
export function noteOf(...parts: readonly (string | false | undefined)[]): string {
  const said = parts.filter((part): part is string => typeof part === "string" && part !== "");
  return said.length === 0 ? "" : `[${said.join(". ")}]`;
}

/** Where nothing of a page is shown: it has no text, or none from there on. */
export function emptyText(offset: number): string {
  return offset > 0 ? "[The text ends before that.]" : "[It has no text.]";
}

export function sizeAndTime(entry: {
  readonly size?: number | undefined;
  readonly mtime?: string | undefined;
}): string {
  const size = entry.size === undefined ? "" : formatBytes(entry.size);
  const { mtime = "" } = entry;
  return size === "" || mtime === "" ? size + mtime : `${size}  ${mtime}`;
}
