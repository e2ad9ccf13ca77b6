/**
 * What a path means, over a description of a tree in memory: slow, and short enough to be seen to be right. It knows
 * nothing of descriptors or backends; `property.test.ts` holds both backends to it.
 *
 * A step that the caller wrote may never leave its root. A step that a link wrote may, and is then followed as text until
 * it names a root again; nothing outside is ever looked at. `..` is the parent of where one is, not of what was written.
 */

/** By absolute path without links. */
export type ModelTree = ReadonlyMap<string, ModelNode>;
export type ModelNode =
  | { readonly kind: "directory" }
  | { readonly kind: "file" }
  | { readonly kind: "link"; readonly target: string };

/** The absolute path of the object, or the code of the failure. */
export type Meaning = { readonly path: string } | { readonly failure: string };

export interface Model {
  readonly tree: ModelTree;
  /** Canonical, none inside another; relative paths begin in the first. */
  readonly roots: readonly string[];
}

interface Step {
  readonly name: string;
  readonly byLink: boolean;
}

const MAX_LINKS = 40;
const OUTSIDE = { failure: "outside_scope" };
const MISSING = { failure: "not_found" };

/** Opened for reading, links followed. */
export function meaningOfFile(model: Model, asked: string): Meaning {
  const found = walk(model, asked, true);
  if ("failure" in found) return found;
  if (kindOf(model, found.path) === "directory") return { failure: "invalid_input" };
  return /\/\.{0,2}$/.test(asked) ? MISSING : found;
}

/** Opened as a directory, links followed. */
export function meaningOfDirectory(model: Model, asked: string): Meaning {
  const found = walk(model, asked, true);
  if ("failure" in found) return found;
  return kindOf(model, found.path) === "directory" ? found : MISSING;
}

/** The object itself: a link at the end is not followed. The root has no name in a directory, so only it is spelled plainly. */
export function meaningOfName(model: Model, asked: string): Meaning {
  const steps = stepsOf(asked, false);
  const found = walk(model, asked, steps.at(-1)?.name === "..");
  const isRoot = "path" in found && model.roots.includes(found.path);
  return isRoot && steps.at(-1)?.name === ".." ? { failure: "denied" } : found;
}

function walk({ tree, roots }: Model, asked: string, followLast: boolean): Meaning {
  const start = asked.startsWith("/") ? roots.find((root) => isIn(root, asked)) : roots[0];
  if (start === undefined) return OUTSIDE;
  const left = stepsOf(asked.startsWith("/") ? asked.slice(start.length) : asked, false);
  let here = start;
  let links = 0;
  for (let step = left.shift(); step !== undefined; step = left.shift()) {
    const isInside = roots.some((root) => isIn(root, here));
    if (!isInside && !step.byLink) return OUTSIDE;
    if (isInside && !tree.has(here)) return MISSING;
    if (isInside && tree.get(here)?.kind !== "directory") return MISSING;
    if (step.name === ".") continue;
    if (step.name === "..") {
      if (roots.includes(here) && !step.byLink) return OUTSIDE;
      here = here.slice(0, here.lastIndexOf("/"));
      continue;
    }
    const next = `${here}/${step.name}`;
    const node = isInside ? tree.get(next) : undefined;
    if (node?.kind !== "link" || (left.length === 0 && !followLast)) {
      here = next;
      continue;
    }
    if (++links > MAX_LINKS) return { failure: "denied" };
    left.unshift(...stepsOf(node.target, true));
    if (node.target.startsWith("/")) here = "";
  }
  if (!roots.some((root) => isIn(root, here))) return OUTSIDE;
  return tree.has(here) ? { path: here } : MISSING;
}

function kindOf({ tree }: Model, path: string): string | undefined {
  return tree.get(path)?.kind;
}

function isIn(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** A link to `a/` or `a/.` asks for a directory. What the caller wrote so is judged at the end, by what is opened. */
function stepsOf(path: string, byLink: boolean): Step[] {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (byLink && /\/\.?$/.test(path)) names.push(".");
  return names.map((name) => ({ name, byLink }));
}
