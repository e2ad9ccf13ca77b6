/**
 * What is called while the tree races. Reads never change anything, so they can be played in any order; the changes of a
 * lane put back by themselves what they took away, so that a lane can go on for ever, whichever of them fail.
 */
import { INSIDE_HASH, INSIDE_TEXT } from "./race-tree.ts";

export interface RaceCall {
  readonly tool: string;
  readonly args: string;
  /** What an answer that is ok must hold. */
  readonly holds?: string;
}

/** Calls for the race about a directory. The third one asks for suggestions, which must not come from outside. */
export const DIRECTORY_READS: readonly RaceCall[] = [
  made("read_file", { path: "x/secret.txt" }, "inside"),
  made("stat", { path: "x/secret.txt", hash: true }, INSIDE_HASH),
  made("read_file", { path: "x/leakname.txt" }),
  made("read_file", { path: "x/tree/../tree/deep/../b.txt" }, "inside"),
  made("list_directory", { path: "x" }),
  made("hash_file", { path: "x/secret.txt" }),
  made("glob", { pattern: "**/*", path: "x" }),
  made("read_file", { path: "swap/secret.txt" }, "inside"),
  made("grep", { pattern: "SECRET|inside", path: "x" }),
  made("list_directory", { path: "x/tree", recursive: true }),
  made("grep", { pattern: "SECRET", path: "." }),
  made("read_files", { paths: ["x/secret.txt", "x/tree/b.txt"] }),
  made("glob", { pattern: "**/*.txt" }),
  made("tree", { path: "." }),
  made("diff_files", { a: "keep.txt", b: "x/tree/b.txt" }, '"identical":true'),
  made("disk_usage", { path: "x" }),
];

/** Calls for the race about a file. */
export const FILE_READS: readonly RaceCall[] = [
  made("read_file", { path: "f" }, "inside"),
  made("hash_file", { path: "f" }),
  made("read_file", { path: "fl" }, "inside"),
  made("stat", { path: "f", hash: true }),
  made("grep", { pattern: "SECRET|inside", path: "f" }),
];

export function directoryChanges(lane: number): readonly RaceCall[] {
  const [moved, copied, taken] = [`m${lane}.txt`, `c${lane}.txt`, `taken${lane}`];
  return [
    made("write_file", { path: `x/w${lane}.txt`, content: INSIDE_TEXT }),
    made("move", { source: moved, destination: `x/${moved}`, overwrite: true }),
    made("move", { source: `x/${moved}`, destination: moved, overwrite: true }),
    made("copy", { source: "keep.txt", destination: `x/w${lane}.txt`, overwrite: true }),
    made("copy", { source: "x/secret.txt", destination: copied, overwrite: true }),
    made("delete", { path: `x/made${lane}`, recursive: true }),
    made("create_directory", { path: `x/made${lane}/deep` }),
    made("write_file", { path: `x/made${lane}/deep/f.txt`, content: INSIDE_TEXT }),
    made("copy", { source: "x/tree", destination: taken, recursive: true }),
    made("delete", { path: taken, recursive: true }),
    made("edit_file", { path: `x/e${lane}.txt`, old_text: "one", new_text: "1" }),
    made("edit_file", { path: `x/e${lane}.txt`, old_text: "1", new_text: "one" }),
    made("append_file", { path: `x/w${lane}.txt`, content: "more\n" }),
    made("delete", { path: `x/w${lane}.txt` }),
    made("delete", { path: copied }),
  ];
}

/** A write that wins replaces the link, and with it the race ends: the tree is laid anew after a while. */
export function fileChanges(lane: number): readonly RaceCall[] {
  return [
    made("copy", { source: "f", destination: `g${lane}.txt`, overwrite: true }),
    made("edit_file", { path: "f", old_text: "inside one", new_text: "inside 1" }),
    made("edit_file", { path: "f", old_text: "inside 1", new_text: "inside one" }),
    made("append_file", { path: "f", content: "more\n" }),
    made("move", { source: `g${lane}.txt`, destination: "f", overwrite: true }),
    made("write_file", { path: "f", content: INSIDE_TEXT }),
  ];
}

function made(tool: string, args: object, holds?: string): RaceCall {
  return { tool, args: JSON.stringify(args), ...(holds === undefined ? {} : { holds }) };
}
