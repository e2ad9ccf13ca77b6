/**
 * A small tree with links in it, and any change of it: few paths and few texts, so that changes meet.
 */
import { fc } from "../property.ts";
import type { FileTree } from "../host/file-tree.ts";
import type { Change } from "../../src/txn/model.ts";

export const FILES: FileTree = {
  a: "x\n",
  "d/a": "x\n",
  "d/e/a": "x x\n",
  "d/e/b": { text: "x\n", mode: "7755" },
  "f/a": "x\n",
  "l/": { directory: true },
  "l/to-d": { link: "../d" },
  "l/to-a": { link: "../a" },
  "d/to-e": { link: "e" },
};

const PATHS = "a b d d/a d/b d/e d/e/a d/e/b f f/a f/e f/e/a g g/a g/e/a d/../a g/../f/a";
const THROUGH_LINKS = "l/to-d l/to-d/a l/to-d/new/a l/to-a d/to-e d/to-e/a g/to-e/a";
const path = fc.constantFrom(...`${PATHS} ${THROUGH_LINKS}`.split(" "));
const text = fc.constantFrom("x\n", "y\n", "x y\n", "");
const flag = fc.boolean();
export const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ op: fc.constant("write" as const), path, content: text, overwrite: flag }),
  fc.record({
    op: fc.constant("edit" as const),
    path,
    edits: fc.constantFrom(
      [{ oldText: "x", newText: "y", replaceAll: false }],
      [{ oldText: "y", newText: "x", replaceAll: true }],
    ),
  }),
  fc.record({ op: fc.constant("append" as const), path, content: fc.constant("z\n") }),
  fc.record({ op: fc.constant("create_directory" as const), path }),
  fc.record({
    op: fc.constantFrom("move" as const, "copy" as const),
    source: path,
    destination: path,
    overwrite: flag,
    recursive: fc.constant(true),
  }),
  fc.record({ op: fc.constant("delete" as const), path, recursive: flag }),
);
