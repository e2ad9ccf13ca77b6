/**
 * What changes mean, as a model in memory: a tree is a map from paths to what stands there, and a set of changes gives
 * another tree or none. It knows nothing of links on the way, of journals or of inodes, so it is short enough to be right.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "../../src/txn/index.ts";

export type ModelEntry =
  | { readonly kind: "file"; readonly text: string; readonly mode: number }
  | { readonly kind: "directory"; readonly mode: number }
  | { readonly kind: "link"; readonly target: string };

export type ModelTree = ReadonlyMap<string, ModelEntry>;

/** The mode of a file that a change creates. */
const NEW_FILE_MODE = 0o644;
const NEW_DIRECTORY: ModelEntry = { kind: "directory", mode: 0o755 };

/** What stands below `root`, in the form of the model. */
export function scanTree(root: string): ModelTree {
  const tree = new Map<string, ModelEntry>();
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    const stat = lstatSync(join(root, path));
    const mode = stat.mode & 0o7777;
    if (stat.isSymbolicLink()) tree.set(path, { kind: "link", target: readlinkSync(join(root, path)) });
    else if (stat.isDirectory()) tree.set(path, { kind: "directory", mode });
    else tree.set(path, { kind: "file", text: readFileSync(join(root, path), "utf8"), mode });
  }
  return tree;
}

/** In one order, for comparing. */
export function inOrder(tree: ModelTree): [string, ModelEntry][] {
  return [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The tree after one change; `undefined` when it must be refused. */
export function applyToModel(tree: ModelTree, change: Change): ModelTree | undefined {
  const next = new Map(tree);
  switch (change.op) {
    case "write":
      return writeFile(next, change.path, change.overwrite, () => change.content);
    case "append":
      return writeFile(next, change.path, true, (old = "") => old + change.content);
    case "edit": {
      const [edit] = change.edits;
      const old = next.get(change.path);
      if (!edit || old?.kind !== "file" || old.text.split(edit.oldText).length !== 2) return undefined;
      return writeFile(next, change.path, true, (text = "") => text.replace(edit.oldText, edit.newText));
    }
    case "create_directory":
      if (next.get(change.path)?.kind === "directory") return next;
      if (next.has(change.path) || !makeParents(next, change.path)) return undefined;
      return next.set(change.path, NEW_DIRECTORY);
    case "delete":
      return deleteTree(next, change.path, change.recursive);
    case "note":
    case "forget":
    case "replace":
      // Only a search makes one, and notes lie elsewhere.
      return undefined;
    case "move":
    case "copy":
      return relocate(next, change);
    case "patch":
      throw new Error("the model has no patches");
  }
}

function writeFile(
  tree: Map<string, ModelEntry>,
  path: string,
  overwrite: boolean,
  textOf: (old?: string) => string,
): ModelTree | undefined {
  const old = tree.get(path);
  if (old && (old.kind !== "file" || !overwrite)) return undefined;
  if (!makeParents(tree, path)) return undefined;
  const mode = old?.mode ?? NEW_FILE_MODE;
  return tree.set(path, { kind: "file", text: textOf(old?.text), mode });
}

function deleteTree(tree: Map<string, ModelEntry>, path: string, recursive: boolean): ModelTree | undefined {
  const old = tree.get(path);
  const below = [...tree.keys()].filter((name) => name.startsWith(`${path}/`));
  if (!old || (old.kind === "directory" && !recursive)) return undefined;
  for (const name of [path, ...below]) tree.delete(name);
  return tree;
}

function relocate(
  tree: Map<string, ModelEntry>,
  { op, source, destination, overwrite }: Change & { op: "move" | "copy" },
): ModelTree | undefined {
  const [from, to] = [tree.get(source), tree.get(destination)];
  if (!from || source === destination || destination.startsWith(`${source}/`)) return undefined;
  if (to && (!overwrite || to.kind === "directory" || from.kind === "directory")) return undefined;
  if (!makeParents(tree, destination)) return undefined;
  for (const [name, entry] of new Map(tree)) {
    if (name !== source && !name.startsWith(`${source}/`)) continue;
    // A file that is replaced keeps its mode, whatever is written there.
    const isKept = op === "copy" && to?.kind === "file" && entry.kind === "file";
    tree.set(destination + name.slice(source.length), isKept ? { ...entry, mode: to.mode } : entry);
    if (op === "move") tree.delete(name);
  }
  return tree;
}

/** Whether all that is above a path is a directory, made where it is missing. */
function makeParents(tree: Map<string, ModelEntry>, path: string): boolean {
  const names = path.split("/").slice(0, -1);
  return names.every((_, depth) => {
    const parent = names.slice(0, depth + 1).join("/");
    if (!tree.has(parent)) tree.set(parent, NEW_DIRECTORY);
    return tree.get(parent)?.kind === "directory";
  });
}
