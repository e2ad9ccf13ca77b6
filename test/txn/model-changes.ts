/**
 * Random trees and random change sets for the model: few names, so that changes meet each other.
 */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fc } from "../property.ts";
import type { Change } from "../../src/txn/index.ts";
import { clearFolder } from "../scope/path-cases.ts";
import { applyToModel, scanTree, type ModelTree } from "./model-tree.ts";

export interface Start {
  readonly files: readonly { readonly path: string; readonly text: string; readonly mode: number }[];
  readonly hasLink: boolean;
}

const PATHS = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "d/e/b", "f", "f/a", "f/e", "f/e/a", "g/a", "l"] as const;
const FILES = ["a", "b", "d/a", "d/e/a", "d/e/b", "f/a", "f/e/a"] as const;

const path = fc.constantFrom(...PATHS);
const text = fc.constantFrom("x\n", "y\n", "x and y\n", "");

export const start: fc.Arbitrary<Start> = fc.record({
  files: fc.uniqueArray(
    fc.record({ path: fc.constantFrom(...FILES), text, mode: fc.constantFrom(0o644, 0o600, 0o755) }),
    {
      selector: (file) => file.path,
      maxLength: 6,
    },
  ),
  hasLink: fc.boolean(),
});

const single: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ op: fc.constant("write" as const), path, content: text, overwrite: fc.boolean() }),
  fc.record({ op: fc.constant("append" as const), path, content: fc.constant("z\n") }),
  fc.record({
    op: fc.constant("edit" as const),
    path,
    edits: fc.constantFrom([{ oldText: "x", newText: "y" }], [{ oldText: "y", newText: "longer than it was" }]),
    inPlace: fc.boolean(),
  }),
  fc.record({ op: fc.constant("create_directory" as const), path }),
  fc.record({
    op: fc.constantFrom("move" as const, "copy" as const),
    source: path,
    destination: path,
    overwrite: fc.boolean(),
    recursive: fc.constant(true),
  }),
  fc.record({ op: fc.constant("delete" as const), path, recursive: fc.constant(true) }),
);

export const candidates: fc.Arbitrary<Change[]> = fc.array(single, { minLength: 1, maxLength: 14 });

/** Lays the tree down anew. */
export function lay(root: string, { files, hasLink }: Start): ModelTree {
  clearFolder(root);
  for (const file of files) {
    mkdirSync(join(root, file.path, ".."), { recursive: true });
    writeFileSync(join(root, file.path), file.text);
    chmodSync(join(root, file.path), file.mode);
  }
  if (hasLink) symlinkSync("nowhere", join(root, "l"));
  return scanTree(root);
}

/** Applies the candidates to the model one after the other. Returns those that it accepted, and the resulting tree. */
export function choose(tree: ModelTree, from: readonly Change[]): { changes: Change[]; tree: ModelTree } {
  const changes: Change[] = [];
  let now = tree;
  for (const change of from) {
    if ("path" in change && change.op !== "delete" && now.get(change.path)?.kind === "link") continue;
    const next = applyToModel(now, change);
    if (!next) continue;
    now = next;
    changes.push(change);
  }
  return { changes, tree: now };
}
