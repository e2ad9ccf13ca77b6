/**
 * Random trees in two roots and beside them, as a description and on the disk, and random paths into them. Names are
 * few, so that paths meet what is there; a tree is at most five deep.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fc } from "../property.ts";
import type { ModelNode, ModelTree } from "./property-model.ts";

/** The folders of the top that trees are laid in; the first two are roots. */
export const PLACES = ["root", "other", "outside"] as const;

interface Planned {
  readonly place: string;
  readonly names: readonly string[];
  readonly kind: "directory" | "file" | "link";
  readonly target: string;
}

const name = fc.constantFrom("a", "b", "c");
const step = fc.oneof(
  { weight: 8, arbitrary: name },
  { weight: 3, arbitrary: fc.constant("..") },
  fc.constantFrom(".", "missing", "root", "other"),
);
const steps = fc.oneof(fc.array(step, { maxLength: 2 }), fc.array(step, { maxLength: 5 }));
/** Mostly flat, so that links meet what is there, and each other. */
const below = fc.oneof(
  { weight: 4, arbitrary: fc.array(name, { minLength: 1, maxLength: 2 }) },
  fc.array(name, { minLength: 1, maxLength: 5 }),
);

/** `top` stands for the folder that holds the places. */
export function anyTree(top: string): fc.Arbitrary<ModelTree> {
  const planned: fc.Arbitrary<Planned> = fc.record({
    place: fc.oneof({ weight: 3, arbitrary: fc.constant("root") }, fc.constantFrom(...PLACES)),
    names: below,
    kind: fc.constantFrom("directory", "file", "file", "link", "link", "link"),
    target: anyTarget(top),
  });
  return fc.array(planned, { minLength: 4, maxLength: 24 }).map((plan) => grow(top, plan));
}

function anyTarget(top: string): fc.Arbitrary<string> {
  const inPlace = fc
    .tuple(fc.constantFrom("root", "root", "other", "outside"), steps)
    .map(([place, rest]) => [top, place, ...rest].join("/"));
  const relative = fc.tuple(fc.integer({ min: 0, max: 2 }), steps).map(([up, rest]) => {
    const names = [...Array.from({ length: up }, () => ".."), ...rest];
    return names.length === 0 ? "." : names.join("/");
  });
  const across = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("root", "other", "outside"), steps)
    .map(([up, place, rest]) => [...Array.from({ length: up }, () => ".."), place, ...rest].join("/"));
  const far = fc.constantFrom("/", "/etc", top, `${top}/${PLACES[0]}/../root`, `${top}/root-b`, `${top}/../x`, "b/");
  return fc
    .oneof({ weight: 4, arbitrary: relative }, { weight: 2, arbitrary: inPlace }, { weight: 2, arbitrary: across }, far)
    .chain((target) => fc.constantFrom("", "", "", "", "/", "/.").map((end) => target + end));
}

/** An entry whose parent is something else by then, or whose name is taken, is left out. */
function grow(top: string, plan: readonly Planned[]): ModelTree {
  const tree = new Map<string, ModelNode>(PLACES.map((place) => [join(top, place), { kind: "directory" }]));
  for (const { place, names, kind, target } of plan) {
    let path = join(top, place);
    for (const parent of names.slice(0, -1)) {
      path = join(path, parent);
      if (!tree.has(path)) tree.set(path, { kind: "directory" });
      if (tree.get(path)?.kind !== "directory") break;
    }
    if (tree.get(path)?.kind !== "directory") continue;
    path = join(path, names.at(-1) ?? "");
    if (!tree.has(path)) tree.set(path, kind === "link" ? { kind, target } : { kind });
  }
  return tree;
}

export function layTree(tree: ModelTree): void {
  for (const [path, node] of tree) {
    mkdirSync(dirname(path), { recursive: true });
    if (node.kind === "directory") mkdirSync(path, { recursive: true });
    else if (node.kind === "file") writeFileSync(path, path);
    else symlinkSync(node.target, path);
  }
}

/**
 * As a caller may write it: with dots, doubled and trailing slashes, relative or by the name of a root. Half of the paths
 * begin with one that is there, most often a link.
 */
export function anyPath(top: string, tree: ModelTree): fc.Arbitrary<string> {
  const root = join(top, PLACES[0]);
  const known = [...tree].flatMap(([path, { kind }]) => {
    const asked = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
    return kind === "link" ? [asked, asked, asked] : [asked];
  });
  const start = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...known) },
    { weight: 3, arbitrary: fc.constantFrom("", "./", ".//") },
    fc.constantFrom(`${root}/`, `${top}/other/`, `${top}//${PLACES[0]}/`, `${top}/outside/`, `${root}/../`),
  );
  const more = fc.oneof(
    fc.constant([]),
    fc.array(fc.tuple(fc.constantFrom("/", "/", "/", "//", "/./"), step), { maxLength: 4 }),
  );
  const end = fc.constantFrom("", "", "", "", "", "", "/", "/.", "/..", "//");
  return fc
    .tuple(start, more, end)
    .map(([before, further, after]) => joinPath(before, further.flat().join("")) + after)
    .map((path) => (path === "" ? "." : path));
}

/** What follows a slash, or nothing at all, does not begin with one: that would be another, absolute path. */
function joinPath(before: string, after: string): string {
  return /(^|\/)$/.test(before) ? before + after.replace(/^\/+(\.\/)?/, "") : before + after;
}
