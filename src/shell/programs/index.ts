/**
 * All programs that are known, by name. One file per family; a name stands in one of them only.
 */
import type { Program, ProgramTable } from "../model/call.ts";
import { BUILTINS } from "./builtins.ts";
import { FILE_READERS, SYSTEM_READERS } from "./file-readers.ts";
import { GIT } from "./git.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { NETWORK } from "./network.ts";
import { SEARCHERS } from "./searchers.ts";
import { STREAM_LANGUAGES } from "./stream-languages.ts";
import { SYSTEM } from "./system.ts";
import { TEXT_READERS } from "./text-readers.ts";
import { WRAPPERS } from "./wrappers.ts";
import { WRITERS } from "./writers.ts";

/** By name, for the test that no program stands in two of them. */
export const FAMILIES: Readonly<Record<string, ProgramTable>> = {
  builtins: BUILTINS,
  fileReaders: FILE_READERS,
  git: GIT,
  interpreters: INTERPRETERS,
  network: NETWORK,
  searchers: SEARCHERS,
  streamLanguages: STREAM_LANGUAGES,
  system: SYSTEM,
  systemReaders: SYSTEM_READERS,
  textReaders: TEXT_READERS,
  wrappers: WRAPPERS,
  writers: WRITERS,
};

const PROGRAMS: ReadonlyMap<string, Program> = new Map(
  Object.values(FAMILIES).flatMap((family) => Object.entries(family)),
);

/** Whether a program of this very name is known, and not one whose version or ending was taken off. */
export function isKnown(name: string): boolean {
  return PROGRAMS.has(name);
}

/** @param name without its folder, in lower case: a file system may not tell case apart */
export function findProgram(name: string): Program | undefined {
  const plain = name.replace(/\.(?:exe|com|cmd|bat)$/, "");
  return (
    PROGRAMS.get(plain) ?? PROGRAMS.get(plain.replace(/^(mkfs|fsck)\..*$/, "$1").replace(/^([a-z]+?)-?\d[\d.]*$/, "$1"))
  );
}
