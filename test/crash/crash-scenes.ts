/**
 * What is under way when the crash comes: a tree, and calls that change it. The first call has every kind of act in it,
 * also such as work on what earlier ones made; the others have one each, because a change of one act is committed on a
 * shorter way.
 */
import type { FileTree } from "../host/file-tree.ts";

export interface Scene {
  readonly name: string;
  /** What the fault comes into: the call itself, its undo, or that its proposal is applied. */
  readonly way?: "undo" | "apply";
  /** After the process has died: what somebody else does then, and undoes when the next host has looked. */
  readonly meddling?: Meddling;
  readonly tool: string;
  readonly given: object;
}

export interface Meddling {
  /** They write into this file, if it is there. */
  readonly file?: string;
  /** Or give this directory another name, and its old one back after the next host. */
  readonly directory?: string;
}

export const OLD_TREE: FileTree = {
  "keep.txt": "kept\n",
  "mode.txt": { text: "old mode\n", mode: "0640" },
  "in-place.txt": "the old text, which is longer than the new one\n",
  "source.txt": { text: "moved\n", mode: "0600" },
  "over.txt": "overwritten\n",
  "gone/a.txt": "a\n",
  "gone/deep/b.txt": { text: "b\n", mode: "0755" },
  "gone/link": { link: "deep/b.txt" },
  "tree/x.txt": "x\n",
  "tree/sub/y.txt": { text: "y\n", mode: "0755" },
  "tree/link": { link: "x.txt" },
  "above/one/a.txt": "a\n",
  "above/two/b.txt": "b\n",
};

const REPLACE = { path: "mode.txt", content: "new mode\n", overwrite: true };
const CREATE = { path: "missing/deep/new.txt", content: "new\n" };
const MOVE_OVER = { source: "source.txt", destination: "over.txt", overwrite: true };
const DELETE_TREE = { path: "gone", recursive: true };
const COPY_TREE = { source: "tree", destination: "twin", recursive: true };
const IN_PLACE = { path: "in-place.txt", edits: [{ old_text: "old text", new_text: "new" }], in_place: true };

export const SEVERAL: Scene = {
  name: "several",
  tool: "change_files",
  given: {
    operations: [
      { op: "write_file", ...REPLACE },
      { op: "write_file", ...CREATE },
      { op: "move", ...MOVE_OVER },
      { op: "delete", ...DELETE_TREE },
      { op: "copy", ...COPY_TREE },
      { op: "create_directory", path: "made" },
      { op: "edit_file", ...IN_PLACE },
      { op: "write_file", path: "made/inner.txt", content: "inner\n" },
      { op: "edit_file", path: "twin/x.txt", edits: [{ old_text: "x", new_text: "edited x" }] },
      { op: "move", source: "twin/sub", destination: "missing/sub" },
    ],
  },
};

const BELOW: Pick<Scene, "tool" | "given"> = {
  tool: "change_files",
  given: {
    operations: [
      { op: "write_file", path: "above/one/a.txt", content: "new a\n", overwrite: true },
      { op: "write_file", path: "above/two/made/c.txt", content: "c\n" },
      { op: "edit_file", path: "above/two/b.txt", edits: [{ old_text: "b", new_text: "edited b" }] },
      { op: "edit_file", path: "above/two/made/c.txt", edits: [{ old_text: "c", new_text: "edited c" }] },
    ],
  },
};

export const UNDO: Scene = { ...SEVERAL, name: "undo of several", way: "undo" };
export const APPLY: Scene = { ...BELOW, name: "a proposal is applied", way: "apply" };
export const MEDDLED: readonly Scene[] = [
  { ...SEVERAL, name: "somebody writes into a file that is replaced", meddling: { file: "mode.txt" } },
  {
    ...SEVERAL,
    name: "somebody writes into one that is changed in place",
    meddling: { file: "in-place.txt" },
  },
  { ...BELOW, name: "somebody moves a directory above", meddling: { directory: "above" } },
];

export const SCENES: readonly Scene[] = [
  SEVERAL,
  UNDO,
  APPLY,
  { name: "replace", tool: "write_file", given: REPLACE },
  { name: "create in a missing directory", tool: "write_file", given: CREATE },
  { name: "create", tool: "write_file", given: { path: "new.txt", content: "new\n" } },
  { name: "move over a file", tool: "move", given: MOVE_OVER },
  { name: "delete a file", tool: "delete", given: { path: "keep.txt" } },
  { name: "delete a tree", tool: "delete", given: DELETE_TREE },
  { name: "copy a tree", tool: "copy", given: COPY_TREE },
  { name: "make a directory", tool: "create_directory", given: { path: "made" } },
  { name: "edit in place", tool: "edit_file", given: IN_PLACE },
];
