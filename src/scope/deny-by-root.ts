/**
 * The deny rules of all roots together. The operator's globs are relative to each root, hidden directories lie below
 * some, and what the policy closes (secrets, what a rule keeps from the tool) is asked for each path. Where roots lie in each other, an object is denied when the rules of any root that holds it say so: naming it
 * through another root is no way around a rule.
 */
import { createDenyRules, type DenyRules } from "./deny.ts";
import type { OpenRoot } from "./roots.ts";

export interface RootDenyRules {
  readonly active: boolean;
  /** @param rel below `root`, links resolved */
  denies(root: OpenRoot, rel: string): boolean;
  /** The same for the names in one directory, which is not denied itself. */
  deniesIn(root: OpenRoot, directory: string): (name: string) => boolean;
}

/** Whether a path, below its root and absolute, is closed by the policy, with everything below it. */
export type Closes = (rel: string, absolute: string) => boolean;

/** Whether `Closes` can say yes to a name in the directory, if it says no to the directory: `false` is sure, and quick. */
export type MayClose = (directory: string) => (name: string) => boolean;

/**
 * @param hidden absolute directories, canonical
 * @param mayClose of `closes`; without it every name is asked for in full
 */
export function denyByRoot(
  roots: readonly OpenRoot[],
  globs: readonly string[],
  hidden: readonly string[],
  closes?: Closes,
  mayClose?: MayClose,
): RootDenyRules {
  const byGlobs = roots.map((root) => createDenyRules(globs, hiddenIn(root, hidden)));
  const rules = byGlobs.map((one, index) => withClosed(one, roots[index], closes));
  const active = rules.some((one) => one.active);
  const isNested = roots.some((a) =>
    roots.some((b) => a !== b && relIn(a, b.handle.canonical) !== undefined),
  );
  const isScreened = mayClose !== undefined && !isNested && !byGlobs.some((one) => one.active);
  const denies = (root: OpenRoot, rel: string): boolean => {
    if (!active) return false;
    if (ruleOf(rules, root).denies(rel)) return true;
    if (!isNested) return false;
    const path = absoluteIn(root, rel);
    return roots.some((other) => {
      const below = other === root ? undefined : relIn(other, path);
      return below !== undefined && ruleOf(rules, other).denies(below);
    });
  };
  return {
    active,
    denies,
    deniesIn(root, directory) {
      if (!active) return () => false;
      const prefix = directory === "" ? "" : `${directory}/`;
      if (!isScreened) return (name) => denies(root, prefix + name);
      const may = mayClose(directory);
      return (name) => may(name) && denies(root, prefix + name);
    },
  };
}

/** What either of them closes. */
export function eitherCloses(a: Closes | undefined, b: Closes | undefined): Closes | undefined {
  if (!a || !b) return a ?? b;
  return (rel, absolute) => a(rel, absolute) || b(rel, absolute);
}

function withClosed(rules: DenyRules, root: OpenRoot | undefined, closes: Closes | undefined): DenyRules {
  if (!closes || !root) return rules;
  return {
    active: true,
    denies: (rel) => (rules.active && rules.denies(rel)) || closes(rel, absoluteIn(root, rel)),
  };
}

/** The absolute path by name. */
export function absoluteIn(root: OpenRoot, rel: string): string {
  const base = root.handle.canonical;
  return rel === "" ? base : `${base.endsWith("/") ? base : `${base}/`}${rel}`;
}

/** The part of an absolute path that lies below the root; `undefined` for any other. */
export function relIn(root: OpenRoot, path: string): string | undefined {
  const base = root.handle.canonical;
  if (path === base) return "";
  const prefix = base.endsWith("/") ? base : `${base}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

function ruleOf(rules: readonly DenyRules[], root: OpenRoot): DenyRules {
  return rules[root.index] ?? DENY_ALL;
}

/** Of a root that this scope does not have. */
const DENY_ALL: DenyRules = { active: true, denies: () => true };

/** The hidden directories below a root, from there. */
function hiddenIn(root: OpenRoot, hidden: readonly string[]): string[] {
  return hidden.flatMap((path) => relIn(root, path) ?? []).filter((rel) => rel !== "");
}
