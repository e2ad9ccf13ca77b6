/**
 * Paths below a root that do not exist for any tool: the operator's `--deny` globs and the state folder when it lies
 * inside a root. A pattern that matches a directory denies everything below it, and holds for paths that do not exist.
 *
 * Patterns are picomatch's with dots matched, relative to each root, and compared without case, because a file
 * system may fold it.
 */
import picomatch from "picomatch";

export interface DenyRules {
  readonly active: boolean;
  /** Whether the path below the root (links resolved), or any directory above it, is denied. */
  denies(rel: string): boolean;
}

export function createDenyRules(globs: readonly string[]): DenyRules {
  if (globs.length === 0) return { active: false, denies: () => false };
  const matches = picomatch([...globs], { dot: true, nocase: true });
  return {
    active: true,
    denies(rel) {
      for (let end = rel.length; end > 0; end = rel.lastIndexOf("/", end - 1)) {
        if (matches(rel.slice(0, end))) return true;
      }
      return false;
    },
  };
}
