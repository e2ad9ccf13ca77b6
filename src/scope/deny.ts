/**
 * Paths that do not exist for any tool: the operator's `--deny` globs, relative to each root or absolute; hidden directories below some
 * (the state folder); and what the policy closes (secrets, what a rule keeps from the tool), asked for each path. A pattern
 * that matches a directory denies everything below it, and holds for paths that do not exist.
 *
 * Patterns match names that begin with a dot too, and are compared without case, because a file system may fold it. A path
 * whose match would take too long to find out is denied. Where roots lie in each other, an object is denied when the rules of
 * any root that holds it say so, or had it by its name when the host started: neither naming it through another root nor another
 * directory in the place of a root is a way around a rule.
 */
import { canLieIn, compilePattern, foldText, type Pattern, plainPattern } from "../pattern/index.ts";
import { absoluteIn, relBelow, spelledIn, type OpenRoot } from "./backend.ts";

export interface DenyRules {
  readonly active: boolean;
  /** Whether the path below the root (links resolved), or any directory above it, is denied. */
  denies(rel: string): boolean;
}

/** A glob as one root has it. */
interface RootGlob {
  readonly glob: string;
  /** What stands before a path below the root in what the glob matches: the root, without its first slash, for one of whole paths. */
  readonly top: string;
}

/** @param paths denied as they stand, with what lies below them */
export function createDenyRules(globs: readonly RootGlob[], paths: readonly string[] = []): DenyRules {
  if (globs.length === 0 && paths.length === 0) return { active: false, denies: () => false };
  const patterns = globs.map(({ glob, top }) => ({ pattern: compileGlob(glob), top }));
  const tops = paths.map((path) => `${foldText(path)}/`);
  return {
    active: true,
    denies(rel) {
      if (patterns.some(({ pattern, top }) => pattern.matchesAtOrAbove(top + rel))) return true;
      const folded = tops.length > 0 ? `${foldText(rel)}/` : "";
      return tops.some((top) => folded.startsWith(top));
    },
  };
}

function compileGlob(glob: string): Pattern {
  return compilePattern(glob, { dot: true, ignoreCase: true, whenTooLong: true });
}

/** The first absolute glob that leaves nothing of a root, because it matches the root or what the root lies in. */
export function globOverRoot(globs: readonly string[], root: string): string | undefined {
  const isOver = (glob: string): boolean => compileGlob(glob).matchesAtOrAbove(root.slice(1));
  return globs.find((glob) => glob.startsWith("/") && wholeGlobs(glob, root).some(isOver));
}

export interface RootDenyRules {
  readonly active: boolean;
  /** @param rel below `root`, links resolved */
  denies(root: OpenRoot, rel: string): boolean;
  /** Answers for the names in one directory, which is not denied itself. */
  deniesIn(root: OpenRoot, directory: string): (name: string) => boolean;
}

/** Whether a path, below its root and absolute, is closed by the policy, with everything below it. */
export type Closes = (rel: string, absolute: string) => boolean;

/** Whether `Closes` can say yes to a name in the directory, if it says no to the directory: `false` is sure, and quick. */
type MayClose = (directory: string, absolute: string) => (name: string) => boolean;

/** Everything that takes paths away from the roots. */
export interface DenyOptions {
  /** Patterns relative to each root, or absolute with the path of a root before them. */
  readonly deny?: readonly string[];
  /** Absolute directories that no tool may see, for example the state folder; canonical. */
  readonly hidden?: readonly string[];
  /** Whether a path holds secrets. */
  readonly isSecret?: Closes | undefined;
  /** Without it, or with `closes`, every name is asked for in full. */
  readonly maySecretsBeIn?: MayClose | undefined;
  /** What a rule of the policy keeps from the tool that this scope is for. */
  readonly closes?: Closes | undefined;
}

export function denyByRoot(
  roots: readonly OpenRoot[],
  { deny: globs = [], hidden = [], isSecret, maySecretsBeIn, closes }: DenyOptions,
): RootDenyRules {
  const rules = roots.map((root) => createDenyRules(globsIn(root, globs), hiddenIn(root, hidden)));
  const hasRules = rules.some((one) => one.active);
  const active = hasRules || (roots.length > 0 && (isSecret ?? closes) !== undefined);
  const isNested = roots.some((a) => roots.some((b) => a !== b && relsIn(a, b, "").length > 0));
  const mayClose = closes || isNested || hasRules ? undefined : maySecretsBeIn;
  /** A root that this scope does not have is denied with all in it. */
  const deniesBelow = (root: OpenRoot, rel: string): boolean => {
    if (rules[root.index]?.denies(rel) !== false) return true;
    const path = absoluteIn(root, rel);
    return isSecret?.(rel, path) === true || closes?.(rel, path) === true;
  };
  const denies = (root: OpenRoot, rel: string): boolean => {
    if (!active) return false;
    if (deniesBelow(root, rel)) return true;
    // What hides the folder of the memory from the other tools does not hide it from its own.
    if (!isNested || root.isMemory) return false;
    return roots.some((other) => other !== root && relsIn(other, root, rel).some((below) => deniesBelow(other, below)));
  };
  return {
    active,
    denies,
    deniesIn(root, directory) {
      if (!active) return () => false;
      const prefix = directory === "" ? "" : `${directory}/`;
      const may = mayClose?.(directory, absoluteIn(root, directory));
      return (name) => may?.(name) !== false && denies(root, prefix + name);
    },
  };
}

/** Where a path below one root lies in another, by the names of both: a directory that was replaced had them too. */
function relsIn(other: OpenRoot, root: OpenRoot, rel: string): string[] {
  const paths = spelledIn(root, rel);
  return [...new Set(other.spellings.flatMap((base) => paths.flatMap((path) => relBelow(base, path) ?? [])))];
}

/**
 * The globs that hold in a root. Of an absolute one that begins with the path of the root this is plain text, whatever signs it has,
 * and so is a sign that would turn the rest around; every other one is asked about whole paths.
 */
function globsIn({ spellings }: OpenRoot, globs: readonly string[]): RootGlob[] {
  const tops = spellings.map((path) => (path.endsWith("/") ? path : `${path}/`));
  return globs.flatMap((glob) => {
    if (!glob.startsWith("/")) return [{ glob, top: "" }];
    const below = tops
      .filter((top) => glob.startsWith(top))
      .map((top) => ({ glob: withoutTurn(glob.slice(top.length)), top: "" }));
    if (below.length > 0) return below;
    return tops
      .filter((top) => canLieIn(glob, top))
      .flatMap((top) => wholeGlobs(glob, top).map((whole) => ({ glob: whole, top: top.slice(1) })));
  });
}

/**
 * An absolute glob as whole paths have it, without their first slash: as it stands, and with those of its names as plain text that
 * the path of the root has too. Who names a directory with signs in its name does not think of them.
 */
function wholeGlobs(glob: string, root: string): string[] {
  const [names, own] = [glob.slice(1).split("/"), root.slice(1).split("/")];
  const other = names.findIndex((name, index) => name !== own[index]);
  const shared = other < 0 ? names.length : other;
  const plain = [...names.slice(0, shared).map(plainPattern), ...names.slice(shared)].join("/");
  return [...new Set([withoutTurn(glob.slice(1)), withoutTurn(plain)])];
}

/** Behind a root or the first slash, a sign of exclamation stands in the middle of a glob, where it is a letter or opens a group. */
function withoutTurn(glob: string): string {
  return glob.replace(/^!(?!\()/, String.raw`\!`);
}

/** The hidden directories below a root, from there. */
function hiddenIn({ spellings }: OpenRoot, hidden: readonly string[]): string[] {
  return hidden.flatMap((path) => spellings.flatMap((base) => relBelow(base, path) || []));
}
