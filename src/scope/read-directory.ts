/**
 * The entries of an open directory with their types, names exact: from the kernel where it can be asked directly. Bun decodes names that are not UTF-8 with U+FFFD, so a
 * directory that shows one is read again as bytes.
 */
import { lstatSync, readdirSync } from "node:fs";
import { typeOf, type EntryType } from "./entry-type.ts";
import { loadGetdents, type ReadEntries } from "./getdents.ts";
import { fsName, nameFromBytes } from "./names.ts";
import type { OpenDirectory } from "./located.ts";

export interface DirectoryEntry {
  readonly name: string;
  readonly type: EntryType;
}

let readEntries: ReadEntries | undefined | "not looked for" = "not looked for";

export function readDirectory(directory: OpenDirectory): DirectoryEntry[] {
  if (readEntries === "not looked for") readEntries = loadGetdents();
  return directory.fd >= 0 && readEntries ? readEntries(directory.fd) : readByPath(directory);
}

function readByPath(directory: OpenDirectory): DirectoryEntry[] {
  const entries = readdirSync(fsName(directory.path), { withFileTypes: true });
  if (!entries.some((entry) => entry.name.includes("\ufffd"))) {
    return entries.map((entry) => ({ name: entry.name, type: typeOf(entry) }));
  }
  // Bun 1.4.5 ignores withFileTypes together with encoding "buffer", and gives bare names.
  return readdirSync(fsName(directory.path), { encoding: "buffer" })
    .map(nameFromBytes)
    .map((name) => ({
      name,
      type: typeOf(lstatSync(fsName(`${directory.path}/${name}`))),
    }));
}
